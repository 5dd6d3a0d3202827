/**
 * Follows one job until it ends: over the event stream while that works, by reading the job whenever the stream is
 * silent or gone. The job is the truth; the stream only makes it quicker.
 */

import { ApiError, eventsAddress, readJob } from "./api.js";

const EVENTS = [
  "queued", "started", "requeued", "start", "plan", "stage", "progress", "chunk", "retry", "warning", "partial",
  "usage", "cache", "done", "error",
];
const LAST_EVENTS = ["done", "error"];
const SILENT_MS = 10_000;
const POLL_MS = 2_000;
const ENDED = ["succeeded", "failed", "canceled"];

export const hasEnded = (job) => ENDED.includes(job.status);

export class Follower {
  /**
   * `onEvent(event)` gets the payload of each event once, `onJob(job)` the job when it was read, `onConnection(ok)` the
   * state of the line, `onGone(error)` the refusal when the job can no longer be read.
   */
  constructor(jobId, { onEvent, onJob, onConnection, onGone }) {
    Object.assign(this, { jobId, onEvent, onJob, onConnection, onGone });
  }

  start() {
    this.stopped = false;
    this.stream = new EventSource(eventsAddress(this.jobId));
    this.stream.addEventListener("open", () => this.onConnection(true));
    for (const type of EVENTS) this.stream.addEventListener(type, (event) => this.take(event));
    this.readLater();
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.stream.close();
  }

  /** An "error" is either the job's last event, with data, or the browser's word that the line broke. */
  take(event) {
    if (!(event instanceof MessageEvent)) return this.onConnection(false);
    this.onEvent(JSON.parse(event.data));
    if (LAST_EVENTS.includes(event.type)) {
      this.stream.close();
      this.read();
    } else {
      this.readLater();
    }
  }

  /** The browser reconnects a stream by itself, unless it was refused; reading the job covers both. */
  readLater() {
    clearTimeout(this.timer);
    const live = this.stream.readyState === EventSource.OPEN;
    this.timer = setTimeout(() => this.read(), live ? SILENT_MS : POLL_MS);
  }

  async read() {
    clearTimeout(this.timer);
    if (this.stopped) return;
    try {
      const job = await readJob(this.jobId);
      if (this.stopped) return;
      this.onConnection(true);
      if (hasEnded(job)) this.stop();
      this.onJob(job);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.stopped) return;
      if (isFinal(error)) {
        this.stop();
        return this.onGone(error);
      }
      this.onConnection(false);
    }
    if (!this.stopped) this.readLater();
  }
}

/** Only these answers stay as they are; anything else may be better next time. */
export const isFinal = (error) => [400, 401, 403, 404, 410].includes(error.status);
