/**
 * The bot check for visitors without an account (Turnstile, rendered explicitly). Where the check is off, or somebody is
 * signed in, the page has no place for it and all of this does nothing.
 */

import { ApiError, createJob } from "./api.js";

const CODES = ["turnstile_required", "turnstile_failed"];
const NARROW = 300; // pixels; the widget's flexible form needs as many

const place = document.getElementById("bot-check");

let script = null;
let widget = null;

/** Loads the check and shows it in its place, once. */
export function showCheck() {
  if (!place || script) return;
  script = place.querySelector("template").content.firstElementChild.cloneNode(true);
  script.addEventListener("load", render);
  document.head.append(script);
}

function render() {
  widget = turnstile.render(place, {
    sitekey: place.dataset.key,
    size: place.clientWidth < NARROW ? "compact" : "flexible",
    language: document.documentElement.lang,
    "error-callback": () => true, // the widget says so itself and tries again
  });
}

/** Starts a job, with the token of a passed check. A token counts once, so after an answer a new one is due. */
export async function createCheckedJob(request) {
  const token = widget !== null && turnstile.getResponse(widget);
  try {
    return await createJob({ ...request, ...(token && { turnstile_token: token }) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status && widget !== null) turnstile.reset(widget);
    if (CODES.includes(error.code)) error.detail.hint = wayOut();
    throw error;
  }
}

function wayOut() {
  if (!place) return "Sign in to have this listened to.";
  if (widget === null) return "The check could not be loaded. Allow its script and load the page again, or sign in.";
  return "Wait until the check on this page is passed, then try again.";
}
