/** The calls of a signed-in person. When the session has ended meanwhile, the sign-in page comes instead. */

import { call } from "./api.js";

const SIGN_IN = `/sign-in?next=${encodeURIComponent("/dashboard")}`;

/** The account's record; without a session the API would answer with an anonymous one. */
export async function readAccount() {
  const me = await call("GET", "/me");
  return me.anonymous ? signIn() : me;
}

export const deleteAccount = () => own("DELETE", "/account");
export const listKeys = () => own("GET", "/keys");
export const revokeKey = (id) => own("DELETE", `/keys/${id}`);

/** `key` is `{name, scopes, expiresInDays?}`; the answer holds the secret, this once. */
export function makeKey(key) {
  return own("POST", "/keys", { body: JSON.stringify(key), headers: { "Content-Type": "application/json" } });
}

/** A page of the jobs, newest first; `before` is the `next_before` of the page in front. */
export function listJobs(limit, before) {
  return own("GET", `/jobs?limit=${limit}${before ? `&before=${before}` : ""}`);
}

async function own(...request) {
  try {
    return await call(...request);
  } catch (error) {
    if (error.status !== 401) throw error;
    return signIn();
  }
}

/** Leaves the page; nothing that waits for an answer goes on. */
function signIn() {
  location.replace(SIGN_IN);
  return new Promise(() => {});
}
