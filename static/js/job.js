/** A job's page: follows it while it runs, then shows what came of it. */

import { act, confirmed } from "./actions.js";
import { ApiError, readJob, removeJob } from "./api.js";
import { createCheckedJob, showCheck } from "./botcheck.js";
import { byId, showText } from "./dom.js";
import { Follower, hasEnded, isFinal } from "./follow.js";
import { rememberRequest, requestAgain } from "./memory.js";
import { showEvent, showJob } from "./progress.js";
import { showRefusal } from "./refusal.js";
import { showResult } from "./result.js";

const VIEWS = ["loading", "running", "ended", "result"];
const AGAIN_MS = 3_000;
const GONE = {
  404: ["There is no such job", "It may have been deleted, belong to an account, or the address may be incomplete."],
  410: ["This result has expired", "Results are kept for a limited time. Start again with the link or the file."],
};

const jobId = byId("main").dataset.job;
let current = null; // the job as last read
let follower = null;

async function open() {
  try {
    show(await readJob(jobId));
    showRefusal(byId("trouble"), null);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isFinal(error)) return showGone(error);
    showRefusal(byId("trouble"), error);
    setTimeout(open, AGAIN_MS);
  }
}

function show(job) {
  current = job;
  if (!hasEnded(job)) return showRunning(job);
  if (job.status !== "succeeded") return showEnd(job);
  view("result");
  showResult(job);
  if (follower) byId("title").focus();
}

function showRunning(job) {
  view("running");
  showJob(job);
  if (follower) return;
  follower = new Follower(jobId, { onEvent: showEvent, onJob: show, onConnection: showLine, onGone: showGone });
  follower.start();
}

function showLine(whole) {
  byId("connection").textContent = whole ? "" : "The connection was lost; trying again …";
}

function showEnd({ status, error, input }) {
  if (status === "canceled") {
    showNotice({ title: "Canceled", message: "The job was stopped. Nothing was charged.", source: input.url });
  } else {
    const hint = [error.hint, "Nothing was charged."].filter(Boolean).join(" ");
    showNotice({ title: "This did not work", message: error.message, hint, source: input.url, code: error.code });
  }
  byId("retry").hidden = byId("ended-delete").hidden = false;
  showCheck();
}

function showGone(error) {
  const [title, message] = GONE[error.status] ?? ["This job can’t be shown", error.message];
  showNotice({ title, message, hint: GONE[error.status] ? "" : error.detail.hint });
}

function showDeleted() {
  follower?.stop();
  showNotice({ title: "Deleted", message: "The job and its result are erased." });
}

/** A page that says one thing, and what can be done now. */
function showNotice({ title, message, hint, source, code }) {
  document.title = `${title} · Video Context`;
  byId("ended-title").textContent = title;
  showText("ended-message", message);
  showText("ended-hint", hint);
  showText("ended-source", source);
  showText("ended-code", code && `Code: ${code}`);
  byId("retry").hidden = byId("ended-delete").hidden = true;
  view("ended");
  byId("ended-title").focus();
}

function view(name) {
  for (const id of VIEWS) byId(id).hidden = id !== name;
}

/** The answer may take some seconds; a job that ended in between is deleted instead. */
async function cancel() {
  byId("status").textContent = "Canceling …";
  const answer = await removeJob(jobId);
  if (answer.status === "deleted") showDeleted();
  else await follower.read();
}

async function retry() {
  const request = requestAgain(current);
  const created = await createCheckedJob(request);
  rememberRequest(created.job_id, request);
  location.assign(`/jobs/${created.job_id}`);
}

async function remove() {
  if (!(await confirmed())) return;
  await removeJob(jobId);
  showDeleted();
}

const onClick = (id, action) => byId(id).addEventListener("click", () => act(byId(id), action));

onClick("cancel", cancel);
onClick("retry", retry);
onClick("delete", remove);
onClick("ended-delete", remove);
open();
