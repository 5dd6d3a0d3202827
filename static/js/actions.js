/** What a person asks for: confirmed where it cannot be undone, done once at a time, its refusal shown. */

import { ApiError } from "./api.js";
import { byId } from "./dom.js";
import { showRefusal } from "./refusal.js";

/** Runs `action` and shows its refusal in `box`. */
export async function attempt(action, box = byId("trouble")) {
  showRefusal(box, null);
  try {
    await action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showRefusal(box, error);
  }
}

/** Like `attempt`, while `button` rests. A resting button loses the focus, and gets it back. */
export async function act(button, action, box) {
  button.disabled = true;
  try {
    await attempt(action, box);
  } finally {
    button.disabled = false;
    if (document.activeElement === document.body) button.focus();
  }
}

/** Whether the person says yes in the page's dialog. */
export function confirmed() {
  const dialog = byId("confirm");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
