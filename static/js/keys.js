/** The API keys: listed, made with the secret shown once, revoked. */

import { listKeys, makeKey, revokeKey } from "./account.js";
import { act, confirmed } from "./actions.js";
import { ApiError } from "./api.js";
import { toClipboard } from "./clipboard.js";
import { byId, make, showList } from "./dom.js";
import { day } from "./format.js";
import { SCOPES } from "./words.js";

const form = byId("new-key");
const refusal = byId("keys-refusal");
const listRefusal = byId("key-list-refusal");

export async function showKeys() {
  const keys = await listKeys();
  showList("keys", keys.map(row));
  byId("no-keys").hidden = keys.length > 0;
  if (!keys.some(({ last4 }) => byId("secret").value.endsWith(last4))) showSecret("");
}

function row(key) {
  const button = make("button", { type: "button", class: "link" }, "Revoke", hidden(` ${key.name}`));
  button.addEventListener("click", () => act(button, () => revoke(key), listRefusal));
  return make("li", {}, make("div", { class: "what" }, title(key), facts(key)), button);
}

const hidden = (text) => make("span", { class: "hidden-text" }, text);

function title({ name, prefix, last4 }) {
  return make("p", { class: "name" }, make("strong", { dir: "auto" }, name), make("code", {}, `${prefix}…${last4}`));
}

function facts({ scopes, createdAt, expiresAt, lastUsedAt }) {
  const texts = [
    SCOPES[scopes] ?? scopes,
    `made ${day(createdAt)}`,
    lastUsedAt ? `last used ${day(lastUsedAt)}` : "never used",
    expiresAt && `ends ${day(expiresAt)}`,
  ];
  return make("p", { class: "facts" }, ...texts.filter(Boolean).map((text) => make("span", {}, text)));
}

async function create() {
  const { scopes, expiresInDays } = form.elements;
  const days = Number(expiresInDays.value);
  const key = await makeKey({ name: nameOf(form), scopes: scopes.value, ...(days && { expiresInDays: days }) });
  form.reset();
  showSecret(key.key);
  await showKeys();
}

/** The browser takes blanks for a name. */
function nameOf({ elements }) {
  const name = elements.name.value.trim();
  if (name) return name;
  elements.name.focus();
  throw new ApiError(0, { code: "no_name", message: "Give the key a name that you will know it by." });
}

function showSecret(secret) {
  byId("secret").value = secret;
  byId("copied").textContent = "";
  byId("secret-box").hidden = !secret;
  if (secret) byId("copy-secret").focus();
}

async function copy() {
  const done = await toClipboard(byId("secret").value);
  if (!done) byId("secret").select();
  byId("copied").textContent = done ? "Copied." : "Copying is not allowed here; it is marked, copy it by hand.";
}

async function revoke(key) {
  byId("confirm-text").textContent = `Revoke “${key.name}”? Programs that use it are refused from then on.`;
  if (!(await confirmed())) return;
  try {
    await revokeKey(key.id);
  } finally {
    await showKeys(); // also when it was refused: another tab may have revoked it
  }
  byId("keys-heading").focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  act(event.submitter, create, refusal);
});
byId("copy-secret").addEventListener("click", copy);
byId("secret").addEventListener("focus", (event) => event.target.select());
