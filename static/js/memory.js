/** What this tab, and only this tab, remembers from one page to the next. */

const NEWS = "news";
const name = (jobId) => `request of ${jobId}`;

/**
 * What a job was started with. A job shows its link without credentials or signature and does not tell the language
 * hint, so a second try from what it shows could be a different one.
 */
export const rememberRequest = (jobId, request) => sessionStorage.setItem(name(jobId), JSON.stringify(request));

/** The request to send for one more try of this job. */
export function requestAgain(job) {
  const remembered = sessionStorage.getItem(name(job.job_id));
  if (remembered) return JSON.parse(remembered);
  const { url, upload_id } = job.input;
  return { ...(url ? { url } : { upload_id }), mode: job.mode };
}

/** Something to tell on the page that comes next. */
export const leaveNews = (text) => sessionStorage.setItem(NEWS, text);

/** What the page before left to be told, once. */
export function takeNews() {
  const text = sessionStorage.getItem(NEWS);
  sessionStorage.removeItem(NEWS);
  return text;
}
