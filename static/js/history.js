/** The account's jobs, newest first, a page at a time. */

import { listJobs } from "./account.js";
import { act } from "./actions.js";
import { byId, make } from "./dom.js";
import { clock, count, date } from "./format.js";
import { MODE_ALIASES, MODES, STATUSES } from "./words.js";

const PAGE = 10;
const older = byId("older");
const list = byId("jobs");

let next = null;

export async function showHistory() {
  const page = await listJobs(PAGE, next);
  next = page.next_before;
  list.append(...page.jobs.map(row));
  older.hidden = !next;
  list.hidden = !list.childElementCount;
  byId("no-jobs").hidden = !list.hidden;
}

/** The page under the ones shown; the focus goes on to its first job. */
async function showOlder() {
  const shown = list.childElementCount;
  await showHistory();
  list.children[shown]?.querySelector("a").focus();
}

function row(job) {
  const link = make("a", { href: `/jobs/${job.job_id}`, dir: "auto" }, titleOf(job));
  const failed = job.status === "failed" && "failed";
  const status = make("span", { class: failed, title: job.error_code }, STATUSES[job.status] ?? job.status);
  const facts = figures(job).map((text) => make("span", {}, text));
  return make("li", {}, make("div", { class: "what" }, link, make("p", { class: "facts numbers" }, status, ...facts)));
}

const titleOf = ({ title, file_name, input }) => title || file_name || input.url || "An uploaded file";

function figures({ mode, media_seconds, minutes_charged, created_at }) {
  const length = media_seconds && clock(media_seconds);
  const charge = minutes_charged && `${count(minutes_charged, "minute")} charged`;
  return [MODES[mode] ?? MODE_ALIASES[mode], length, charge, date(created_at)].filter(Boolean);
}

older.addEventListener("click", () => act(older, showOlder, byId("jobs-refusal")));
