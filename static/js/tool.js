/** The start page: a link or a file goes in, the job's page comes next. */

import { ApiError, upload } from "./api.js";
import { createCheckedJob, showCheck } from "./botcheck.js";
import { byId, showText } from "./dom.js";
import { megabytes, percent } from "./format.js";
import { rememberRequest, takeNews } from "./memory.js";
import { showRefusal } from "./refusal.js";

const form = byId("tool");
const link = byId("link");
const fileInput = byId("file");
const drop = byId("drop");
const refusal = byId("refusal");
const ABOUT_CALLER = [401, 402, 403, 429]; // refusals that another link would not change

let file = null;
let uploaded = null; // the chosen file's upload, kept for another try when the job itself was refused
let stopper = null;

function choose(chosen) {
  file = chosen;
  uploaded = null;
  fileInput.value = "";
  byId("file-empty").hidden = Boolean(file);
  byId("file-chosen").hidden = !file;
  byId("file-name").textContent = file?.name ?? "";
  byId("file-size").textContent = file ? megabytes(file.size) : "";
  refuse(null);
}

async function submit(event) {
  event.preventDefault();
  refuse(null);
  const obstacle = foreseen();
  if (obstacle) return refuse(obstacle);
  setBusy(true);
  try {
    const request = { ...(file ? { upload_id: await uploadOnce() } : { url: address() }), ...choices() };
    say("Looking at it …");
    const job = await createCheckedJob(request);
    rememberRequest(job.job_id, request);
    location.assign(`/jobs/${job.job_id}`);
  } catch (error) {
    setBusy(false);
    if (!(error instanceof ApiError)) throw error;
    if (error.code.startsWith("upload_")) uploaded = null;
    refuse(error);
  }
}

async function uploadOnce() {
  if (uploaded) return uploaded;
  stopper = new AbortController();
  showUpload(true);
  try {
    uploaded = (await upload(file, showSent, stopper.signal)).upload_id;
    return uploaded;
  } finally {
    showUpload(false);
  }
}

function choices() {
  const { mode, language } = form.elements;
  return { mode: mode.value, ...(language.value && { language: language.value }) };
}

/** The link as typed; people leave out the scheme. */
function address() {
  const text = link.value.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
}

/** What the server would refuse for certain, told without sending it. */
function foreseen() {
  if (!file && !link.value.trim()) {
    return new ApiError(0, { code: "nothing_given", message: "Give a link or choose a file first." });
  }
  const most = Number(form.dataset.uploadBytes);
  if (!file || file.size <= most) return null;
  const message = `This file is too large: at most ${megabytes(most)} can be uploaded.`;
  return new ApiError(413, { code: "body_too_large", message });
}

function refuse(error) {
  const aboutLink = Boolean(error) && !file && !ABOUT_CALLER.includes(error.status);
  link.ariaInvalid = aboutLink ? "true" : null;
  showRefusal(refusal, error);
  if (!error) return;
  (aboutLink ? link : byId("start")).focus();
  refusal.scrollIntoView({ block: "nearest" });
}

function showSent(bytes) {
  const share = file.size ? Math.min(1, bytes / file.size) : 1;
  byId("upload-bar").value = share;
  byId("upload-text").textContent = `${percent(share)} · ${megabytes(bytes)} of ${megabytes(file.size)}`;
  if (share === 1) say("Checking the file …");
}

function showUpload(on) {
  byId("upload").hidden = byId("stop").hidden = !on;
  if (on) {
    showSent(0);
    say("Uploading …");
  }
}

function setBusy(on) {
  byId("fields").disabled = byId("start").disabled = on;
  if (!on) say("");
}

function say(text) {
  const place = byId("doing");
  if (place.textContent !== text) place.textContent = text;
}

const dropsFiles = (event) => event.dataTransfer?.types.includes("Files");

form.addEventListener("submit", submit);
byId("stop").addEventListener("click", () => stopper.abort());
byId("file-remove").addEventListener("click", () => {
  choose(null);
  fileInput.focus();
});
fileInput.addEventListener("change", () => {
  if (!fileInput.files.length) return;
  link.value = "";
  choose(fileInput.files[0]);
});
link.addEventListener("input", () => (file ? choose(null) : refuse(null)));
window.addEventListener("pageshow", () => setBusy(false)); // the browser's Back brings the page back as it was left

showText("news", takeNews());
showCheck();

// A file dropped beside the zone must not replace the page.
window.addEventListener("dragover", (event) => {
  if (!dropsFiles(event)) return;
  event.preventDefault();
  drop.classList.add("over");
});
window.addEventListener("dragleave", (event) => event.relatedTarget || drop.classList.remove("over"));
window.addEventListener("drop", (event) => {
  if (!dropsFiles(event)) return;
  event.preventDefault();
  drop.classList.remove("over");
  if (byId("fields").disabled || !event.dataTransfer.files.length) return;
  link.value = "";
  choose(event.dataTransfer.files[0]);
});
