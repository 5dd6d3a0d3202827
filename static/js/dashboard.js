/** The dashboard: plan and minutes, API keys, jobs, and the account's end. */

import { deleteAccount, readAccount } from "./account.js";
import { act, attempt } from "./actions.js";
import { ApiError } from "./api.js";
import { byId } from "./dom.js";
import { date } from "./format.js";
import { showHistory } from "./history.js";
import { showKeys } from "./keys.js";
import { leaveNews } from "./memory.js";
import { showUsage } from "./usage.js";

let email = null;

async function showAccount() {
  const account = await readAccount();
  email = account.user.email;
  byId("email").textContent = email;
  showUsage(account);
}

async function remove() {
  const field = byId("delete-email");
  if (field.value.trim().toLowerCase() !== email) {
    field.focus();
    throw new ApiError(0, { code: "not_confirmed", message: "This is not the address of this account." });
  }
  await deleteAccount();
  leaveNews("Your account was deleted, with its jobs, results and keys.");
  location.replace("/");
}

byId("delete-account").addEventListener("submit", (event) => {
  event.preventDefault();
  act(event.submitter, remove, byId("delete-refusal"));
});

// The server, which does not know where its reader is, writes times in UTC.
for (const time of document.querySelectorAll("time")) time.textContent = date(Date.parse(time.dateTime));

for (const part of document.querySelectorAll(".needs-script")) part.hidden = false;

attempt(showAccount);
attempt(showKeys, byId("keys-refusal"));
attempt(showHistory, byId("jobs-refusal"));
