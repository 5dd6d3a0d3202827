/** The calls to the service. Every failure, also of the network, is an ApiError fit to be shown. */

const ROOT = "/api/v1";

export class ApiError extends Error {
  /** `status` is 0 when no answer came; `detail` is the error object of the answer, `retryAfter` in seconds. */
  constructor(status, detail, retryAfter = null) {
    super(detail.message);
    Object.assign(this, { status, detail, retryAfter, code: detail.code });
  }
}

export const readJob = (id) => call("GET", `/jobs/${id}`);
export const removeJob = (id) => call("DELETE", `/jobs/${id}`);
export const eventsAddress = (id) => `${ROOT}/jobs/${id}/events`;
export const exportAddress = (id, format) => `${ROOT}/jobs/${id}/export?format=${format}`;

let lastTry = { text: null, key: null };

/** Starts a job. The same request again after a lost answer carries the same key, so it can't start a second job. */
export async function createJob(request) {
  const text = JSON.stringify(request);
  if (text !== lastTry.text) lastTry = { text, key: randomKey() };
  const headers = { "Content-Type": "application/json", "Idempotency-Key": lastTry.key };
  const created = await call("POST", "/context", { body: text, headers });
  lastTry = { text: null, key: null };
  return created;
}

/** Sends a file; `onProgress` gets the bytes sent so far. Only XMLHttpRequest reports them. Stop it with `signal`. */
export function upload(file, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("PUT", `${ROOT}/uploads`);
    xhr.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    xhr.setRequestHeader("X-File-Name", encodeURIComponent(file.name.toWellFormed?.() ?? file.name));
    xhr.upload.onprogress = (event) => onProgress(event.loaded);
    xhr.onload = () => settle(xhr.status, xhr.responseText, xhr.getResponseHeader("Retry-After")).then(resolve, reject);
    xhr.onerror = () => reject(unreachable());
    xhr.onabort = () => reject(new ApiError(0, { code: "stopped", message: "The upload was stopped." }));
    signal.addEventListener("abort", () => xhr.abort());
    xhr.send(file);
  });
}

/** One call, such as `call("GET", "/me")`: the answer's JSON, or its error thrown. */
export async function call(method, path, options = {}) {
  let response, text;
  try {
    response = await fetch(ROOT + path, { method, cache: "no-store", ...options });
    text = await response.text();
  } catch {
    throw unreachable();
  }
  return settle(response.status, text, response.headers.get("Retry-After"));
}

/** The answer's JSON, or its error thrown. An answer of another shape comes from something in between. */
async function settle(status, text, retryAfter) {
  const body = parse(text);
  if (body && status < 400) return body;
  throw new ApiError(status, body?.error?.message ? body.error : unreadable(status), Number(retryAfter) || null);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unreadable(status) {
  const message = `The server’s answer could not be read (${status}).`;
  return { code: "unreadable", message, hint: "Try again in a while." };
}

function unreachable() {
  const hint = "Check your connection, then try again.";
  return new ApiError(0, { code: "unreachable", message: "The server could not be reached.", hint });
}

/** 32 hexadecimal digits. `crypto.randomUUID` would need https, which a server at home may not have. */
function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
