/** The view of a job that waits or runs. */

import { byId, make, showList } from "./dom.js";
import { clock, count, percent } from "./format.js";
import { STAGES } from "./words.js";

const STATES = { waiting: "not yet", start: "under way", done: "done", skipped: "left out", failed: "failed" };
const ORDER = Object.keys(STAGES);

const stages = new Map(); // name → {state, detail}
const warnings = new Map(); // code → text

/** What is known before any event. The job is read again at times, so this never takes back what events have told. */
export function showJob(job) {
  byId("source").textContent ||= job.input.url ?? "";
  byId("quote").textContent = quoteText(job.estimate);
  for (const name of expectedStages(job)) if (!stages.has(name)) stages.set(name, { state: "waiting" });
  if (job.progress !== null && job.progress !== undefined) raise(job.progress);
  byId("cancel").hidden = Boolean(job.cancel_requested);
  if (job.cancel_requested) say("Canceling …");
  else if (!anyUnderWay()) say(job.status === "queued" ? "Waiting for its turn …" : "Starting …");
  drawStages();
}

export function showEvent(event) {
  views[event.type]?.(event);
}

const views = {
  queued: () => say("Waiting for its turn …"),
  started: () => {
    for (const stage of stages.values()) Object.assign(stage, { state: "waiting", detail: "" });
    drawStages();
    say("Starting …");
  },
  requeued: () => say("Interrupted. It will start again by itself …"),
  start: ({ input }) => {
    byId("source").textContent ||= input; // the name of an uploaded file, which the job does not tell
  },
  stage: ({ stage, status, detail }) => {
    stages.set(stage, { state: status, detail });
    drawStages();
    if (status === "start") say(`${label(stage)} …`);
  },
  progress: ({ progress }) => raise(progress),
  partial: ({ coveredSeconds, totalSeconds }) => {
    const of = totalSeconds ? ` of ${clock(totalSeconds)}` : "";
    byId("partial").textContent = `${clock(coveredSeconds)}${of} written down`;
  },
  retry: ({ attempt }) => say(`Something upstream failed; trying again (${attempt}) …`),
  warning: ({ code, message }) => {
    warnings.set(code, message);
    showList("running-warnings", [...warnings.values()].map((text) => make("li", {}, text)), byId("running-notes"));
  },
  done: () => say("Done. Getting the result …"),
};

/** The bar never goes back. */
function raise(share) {
  const bar = byId("bar");
  bar.value = Math.max(bar.value, share);
  byId("percent").textContent = percent(bar.value);
  document.title = `${percent(bar.value)} · Video Context`;
}

/** Only a change is written, as a screen reader reads each one out. */
function say(text) {
  const place = byId("status");
  if (place.textContent !== text) place.textContent = text;
}

function drawStages() {
  const known = [...stages.keys()].sort((a, b) => rank(a) - rank(b));
  byId("stages").replaceChildren(...known.map((name) => stageRow(name, stages.get(name))));
}

function stageRow(name, { state, detail }) {
  const text = make("span", {}, label(name), make("span", { class: "hidden-text" }, `: ${STATES[state] ?? state}`));
  if (detail) text.append(" ", make("small", { dir: "auto" }, detail));
  return make("li", { "data-state": state, "aria-current": state === "start" ? "step" : null }, text);
}

const anyUnderWay = () => [...stages.values()].some(({ state }) => state !== "waiting");
const label = (name) => STAGES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
const rank = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** The steps that the quote foretells; events tell the rest. */
function expectedStages({ estimate, input }) {
  const tiers = estimate?.tiers ?? [];
  const audio = tiers.includes("audio");
  const expected = {
    resolve: true,
    download: input.kind === "url",
    extract: audio,
    transcribe: audio,
    visual: tiers.includes("visual"),
    synthesize: tiers.includes("synthesis"),
  };
  return ORDER.filter((name) => expected[name]);
}

function quoteText(quote) {
  if (!quote) return "";
  if (quote.cached) return "This is stored already and costs nothing.";
  if (quote.caption_credits) return `Uses ${count(quote.caption_credits, "caption credit")}.`;
  const most = quote.length_known === false ? "at most " : "";
  return `Uses ${most}${count(quote.minutes, "minute")} of what you have, and nothing if it fails or you cancel it.`;
}
