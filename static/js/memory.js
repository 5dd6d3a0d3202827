/**
 * Remembers, in this tab only, what a job was started with. A job shows its link without credentials or signature and
 * does not tell the language hint, so a second try from what it shows could be a different one.
 */

const name = (jobId) => `request of ${jobId}`;

export const rememberRequest = (jobId, request) => sessionStorage.setItem(name(jobId), JSON.stringify(request));

/** The request to send for one more try of this job. */
export function requestAgain(job) {
  const remembered = sessionStorage.getItem(name(job.job_id));
  if (remembered) return JSON.parse(remembered);
  const { url, upload_id } = job.input;
  return { ...(url ? { url } : { upload_id }), mode: job.mode };
}
