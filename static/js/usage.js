/** The plan, and a bar of its minutes: used, left of the included ones, left of the bought ones. */

import { byId, make, makeSvg } from "./dom.js";
import { count, date, day } from "./format.js";
import { PLANS } from "./words.js";

const WIDTH = 1000;
const HEIGHT = 10;

export function showUsage({ plan, entitlement, usage }) {
  const parts = partsOf(usage);
  byId("plan").replaceChildren(...planLine(plan, entitlement));
  byId("minutes").replaceChildren(
    bar(parts),
    make("ul", { class: "legend numbers" }, ...parts.map(legend)),
    make("p", { class: "quiet" }, reset(entitlement, usage)),
  );
}

function planLine(plan, { planUntil, captionCredits }) {
  const more = [planUntil && `until ${day(planUntil)}`, captionCredits && count(captionCredits, "caption credit")];
  return [make("strong", {}, PLANS[plan] ?? plan), ...more.filter(Boolean).map((text) => ` · ${text}`)];
}

function partsOf({ minutesUsed, includedRemaining, minutesTopup }) {
  return [
    { kind: "used", minutes: minutesUsed, text: "used" },
    { kind: "included", minutes: includedRemaining, text: "left this month" },
    { kind: "topup", minutes: minutesTopup, text: "left of those bought" },
  ].filter(({ kind, minutes }) => minutes > 0 || kind !== "topup");
}

const inWords = ({ minutes, text }) => `${count(minutes, "minute")} ${text}`;

/** Rectangles side by side; the picture is stretched to the width of the page. */
function bar(parts) {
  const total = parts.reduce((sum, { minutes }) => sum + minutes, 0) || 1;
  let x = 0;
  const rectangles = parts.map(({ kind, minutes }) => {
    const width = (minutes / total) * WIDTH;
    x += width;
    return makeSvg("rect", { class: kind, x: x - width, y: 0, width, height: HEIGHT });
  });
  const label = parts.map(inWords).join(", ");
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
  return makeSvg("svg", { class: "chart", role: "img", "aria-label": label, ...size }, ...rectangles);
}

function legend(part) {
  const square = makeSvg("rect", { class: part.kind, width: HEIGHT, height: HEIGHT });
  const swatch = makeSvg("svg", { viewBox: `0 0 ${HEIGHT} ${HEIGHT}`, "aria-hidden": "true" }, square);
  return make("li", {}, swatch, inWords(part));
}

function reset({ minutesIncluded }, { periodEnd }) {
  return `Your plan’s ${count(minutesIncluded, "minute")} start anew on ${date(periodEnd)}.`;
}
