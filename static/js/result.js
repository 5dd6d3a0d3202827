/** The view of a finished job: its Context in words. */

import { exportAddress } from "./api.js";
import { toClipboard } from "./clipboard.js";
import { byId, linkOut, make, showList, showText } from "./dom.js";
import { clock, count, date, language, percent } from "./format.js";
import { clearSearchFor, plainText, segmentId, showTranscript } from "./transcript.js";
import { MODES, ORIGINS } from "./words.js";

const FEW_PERCENT = 0.9; // below this share the contract calls coverage incomplete
const EXPORTS = [["md", "Markdown"], ["txt", "Text"], ["srt", "SRT"], ["vtt", "VTT"]];

export function showResult(job) {
  const context = job.result;
  const chapters = context.synthesis?.chapters ?? [];
  document.title = `${titleOf(context)} · Video Context`;
  byId("title").textContent = titleOf(context);
  byId("facts").replaceChildren(...facts(context));
  byId("downloads").replaceChildren(...downloads(job));
  byId("copy").hidden = !context.transcript;
  byId("copy").addEventListener("click", () => copyText(plainText(context.transcript, chapters)));
  showSummary(context.synthesis?.summary);
  showNotes(job);
  showJumps("chapters", chapters.map(({ anchor, start, title, summary }) => jump(anchor, start, title, summary)));
  const moments = context.synthesis?.keyMoments ?? [];
  showJumps("moments", moments.map(({ segmentIndex, time, label }) => jump(segmentIndex, time, label)));
  showTopics(context.synthesis);
  byId("about-list").replaceChildren(...about(job).flatMap(([term, text]) => entry(term, text)));
  showTranscript(context.transcript, chapters);
  byId("transcript-section").hidden = !context.transcript && Boolean(context.visual);
  showScreen(context.visual);
  byId("result").hidden = false;
  window.addEventListener("hashchange", () => clearSearchFor(location.hash));
  if (location.hash) byId(location.hash.slice(1))?.scrollIntoView();
}

function titleOf({ meta, synthesis, source }) {
  return synthesis?.title || meta.title || source.fileName || "Untitled";
}

function facts({ source, meta, transcript }) {
  const address = source.canonicalUrl || source.url;
  const spoken = transcript?.language || meta.language;
  const texts = [
    source.kind === "file" && (source.fileName || "Uploaded file"),
    meta.channel?.name,
    meta.durationSeconds && clock(meta.durationSeconds),
    spoken && language(spoken),
    transcript?.speakers?.length > 1 && count(transcript.speakers.length, "speaker"),
  ].filter(Boolean).map((text) => make("span", { dir: "auto" }, text));
  return address ? [linkOut(address, siteOf(address)), ...texts] : texts;
}

function siteOf(address) {
  return URL.canParse(address) ? new URL(address).host.replace(/^www\./, "") : address;
}

function showSummary(summary) {
  byId("summary").hidden = !summary;
  if (!summary) return;
  showText("tldr", summary.tldr);
  showList("bullets", (summary.bullets ?? []).map((text) => make("li", {}, text)));
}

function showJumps(id, items) {
  showList(id, items, byId(`${id}-section`));
}

function jump(segment, seconds, title, summary) {
  const text = make("strong", { dir: "auto" }, title);
  const more = summary ? make("small", { dir: "auto" }, summary) : null;
  const time = make("span", { class: "time" }, clock(seconds));
  return make("li", {}, make("a", { href: `#${segmentId(segment)}` }, time, text, more));
}

function showTopics(synthesis) {
  const topics = synthesis?.topics ?? [];
  const entities = synthesis?.entities ?? [];
  const kinds = [...new Set(entities.map((entity) => entity.kind))];
  showList("topics", topics.map((topic) => make("li", { dir: "auto" }, topic)));
  const names = (kind) => entities.filter((entity) => entity.kind === kind).map((entity) => entity.name).join(", ");
  showList("entities", kinds.flatMap((kind) => entry(kind.charAt(0).toUpperCase() + kind.slice(1), names(kind))));
  byId("topics-section").hidden = !topics.length && !entities.length;
}

/** What was seen: scene by scene with its text, and every line of text with the time it stood there. */
function showScreen(visual) {
  byId("screen").hidden = !visual;
  if (!visual) return;
  showText("screen-overview", visual.overview);
  showList("scenes", visual.scenes.map(scene));
  showList("screen-lines", visual.onScreenText.map(screenLine), byId("screen-lines-box"));
}

function scene({ start, end, description, onScreenText }) {
  const lines = onScreenText.map((text) => make("span", { dir: "auto" }, text));
  const text = lines.length ? make("p", { class: "screen-text" }, ...lines) : null;
  return make("li", {}, make("span", { class: "time" }, span(start, end)), make("div", {}, description, text));
}

const screenLine = ({ text, first, last }) =>
  make("li", {}, make("span", { class: "time" }, span(first, last)), make("span", { dir: "auto" }, text));

const span = (start, end) => `${clock(start)}–${clock(end)}`;

const entry = (term, text) => [make("dt", {}, term), make("dd", { dir: "auto" }, text)];

/** What the reader should know before trusting the text: warnings, what is missing, what ran instead. */
function showNotes(job) {
  const { warnings, coverage } = job.result;
  const notes = warnings.map(({ message }) => message);
  if (job.degraded) notes.unshift("Listening is paused for visitors without an account, so captions were used.");
  if (coverage?.ratio !== null && coverage?.ratio < FEW_PERCENT) notes.push(`${coverageText(coverage)}.`);
  const gaps = (coverage?.gaps ?? []).map(({ start, end }) => `${clock(start)} to ${clock(end)}`);
  if (gaps.length) notes.push(`Without text: ${gaps.join(", ")}.`);
  showList("warnings", notes.map((text) => make("li", {}, text)), byId("notes"));
}

function coverageText({ ratio, speechSeconds, transcribedSeconds }) {
  if (ratio === null || ratio === undefined) return "Not measured";
  return `${percent(ratio)} of the speech found has text (${clock(transcribedSeconds)} of ${clock(speechSeconds)})`;
}

function about(job) {
  const { transcript, coverage, produced, meta } = job.result;
  return [
    ["How", MODES[produced.mode] ?? produced.mode],
    ["Text", transcript && (ORIGINS[transcript.origin] ?? transcript.origin)],
    ["Coverage", transcript && coverage && coverageText(coverage)],
    ["Models", Object.values(produced.models ?? {}).filter(Boolean).join(", ")],
    ["Published", meta.uploadDate],
    ["Cost", job.cache_hit ? "Nothing, it was stored" : count(job.minutes_charged ?? 0, "minute")],
    ["Kept until", date(job.expires_at)],
  ].filter(([, text]) => text);
}

function downloads(job) {
  const formats = job.result.transcript ? EXPORTS : EXPORTS.slice(0, 1);
  const json = URL.createObjectURL(new Blob([JSON.stringify(job.result, null, 2)], { type: "application/json" }));
  return [
    ...formats.map(([format, name]) => make("a", { href: exportAddress(job.job_id, format), download: "" }, name)),
    make("a", { href: json, download: `${fileName(titleOf(job.result))}.json` }, "JSON"),
  ];
}

/** A title as a file name: what no file system minds, not too long. */
const fileName = (title) => title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim().slice(0, 80) || "context";

async function copyText(text) {
  const done = await toClipboard(text);
  byId("copied").textContent = done ? "Copied." : "Copying is not allowed here; use the Text download.";
}
