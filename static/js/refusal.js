/** Shows why something was refused, and what to do about it. */

import { make } from "./dom.js";
import { count, wait } from "./format.js";
import { HINTS } from "./words.js";

/** Fills and shows `box`; without an error it empties and hides it. */
export function showRefusal(box, error) {
  box.hidden = !error;
  box.replaceChildren(...(error ? lines(error) : []));
}

function lines(error) {
  const { detail, retryAfter } = error;
  const code = detail.engineCode || detail.code;
  return [
    make("p", {}, make("strong", { dir: "auto" }, detail.message)),
    ...[detail.hint || HINTS[detail.code], minutes(detail), retryAfter && `Try again in ${wait(retryAfter)}.`]
      .filter(Boolean)
      .map((text) => make("p", {}, text)),
    make("p", { class: "quiet" }, make("small", {}, "Code: ", make("code", {}, code))),
  ];
}

function minutes({ minutesNeeded, minutesRemaining }) {
  if (minutesNeeded === undefined || minutesRemaining === undefined) return null;
  return `It needs ${count(minutesNeeded, "minute")}; you have ${count(minutesRemaining, "minute")} left.`;
}
