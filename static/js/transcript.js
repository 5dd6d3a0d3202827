/** The transcript as readable passages, with a search. */

import { byId, make } from "./dom.js";
import { clock, count } from "./format.js";

const PAUSE_SECONDS = 3;
const LONG = 400; // characters after which a passage ends with the next sentence …
const TOO_LONG = 900; // … or at all
const SENTENCE_END = /[.!?…。！？]["'”’»)]*$/;

/** Segments joined into passages: a new one begins with a speaker, a chapter, a pause, or when the last is long. */
export function passages(segments, chapterStarts = new Set()) {
  const all = [];
  segments.forEach((segment, index) => {
    const last = all.at(-1);
    if (last && continues(last, segment) && !chapterStarts.has(index)) {
      last.segments.push({ ...segment, index });
      last.length += segment.text.length;
    } else {
      all.push({ speaker: segment.speaker, length: segment.text.length, segments: [{ ...segment, index }] });
    }
  });
  return all;
}

function continues(passage, segment) {
  const before = passage.segments.at(-1);
  const full = passage.length > TOO_LONG || (passage.length > LONG && SENTENCE_END.test(before.text.trim()));
  return passage.speaker === segment.speaker && segment.start - before.end < PAUSE_SECONDS && !full;
}

/** Who speaks: a label, or "Speaker 2" for "S2". Nobody is named where only one speaks. */
function nameOf({ speaker }, { speakers }) {
  if (!speaker || !(speakers?.length > 1)) return null;
  return speakers.find(({ id }) => id === speaker)?.label || speaker.replace(/^S(\d+)$/, "Speaker $1");
}

export const segmentId = (index) => `s${index}`;

export function showTranscript(transcript, chapters = []) {
  const place = byId("transcript");
  byId("search-box").hidden = !transcript;
  if (!transcript) return place.replaceChildren(make("p", {}, "No speech was found."));
  const titles = new Map(chapters.map((chapter) => [chapter.anchor, chapter.title]));
  let speaking = null;
  const nodes = passages(transcript.segments, new Set(titles.keys())).flatMap((passage) => {
    const title = titles.get(passage.segments[0].index);
    const name = title || passage.speaker !== speaking ? nameOf(passage, transcript) : null;
    speaking = passage.speaker;
    return [title && make("h3", { dir: "auto" }, title), passageNode(passage, name)].filter(Boolean);
  });
  place.lang = transcript.language ?? "";
  place.replaceChildren(...nodes);
  byId("search").addEventListener("input", (event) => search(place, event.target.value.trim()));
}

function passageNode({ segments }, name) {
  const { start, index } = segments[0];
  const text = make("p", { dir: "auto" }, name && make("span", { class: "speaker" }, name));
  for (const segment of segments) text.append(make("span", { id: segmentId(segment.index) }, segment.text), " ");
  const jump = make("a", { href: `#${segmentId(index)}`, title: "Link to this place" }, clock(start));
  return make("div", { class: "passage" }, jump, text);
}

/** Shows only the passages that contain the words, and marks them. */
function search(place, words) {
  const pattern = words && new RegExp(words.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
  const nodes = [...place.querySelectorAll(".passage")];
  for (const node of nodes) node.hidden = Boolean(pattern) && node.lastChild.textContent.search(pattern) < 0;
  place.classList.toggle("filtered", Boolean(pattern));
  const shown = nodes.filter((node) => !node.hidden);
  byId("found").textContent = pattern ? count(shown.length, "passage") : "";
  markWords(shown, words.length > 1 && pattern);
}

/** Marks without touching the page's elements, in browsers that can (CSS Custom Highlight API). */
function markWords(nodes, pattern) {
  if (!globalThis.CSS?.highlights) return;
  const spans = pattern ? nodes.flatMap((node) => [...node.querySelectorAll("span[id]")]) : [];
  CSS.highlights.set("search", new Highlight(...spans.flatMap((span) => matches(span.firstChild, pattern))));
}

function matches(textNode, pattern) {
  return Array.from(textNode?.data.matchAll(pattern) ?? [], (match) => {
    const range = new Range();
    range.setStart(textNode, match.index);
    range.setEnd(textNode, match.index + match[0].length);
    return range;
  });
}

/** A jump to a place that the search has hidden ends the search. */
export function clearSearchFor(hash) {
  const target = hash && byId(hash.slice(1));
  if (!target?.closest(".passage")?.hidden) return;
  byId("search").value = "";
  search(byId("transcript"), "");
  target.scrollIntoView();
}

/** The whole text for the clipboard: one passage a paragraph, with time and speaker. */
export function plainText(transcript, chapters = []) {
  return passages(transcript.segments, new Set(chapters.map((chapter) => chapter.anchor)))
    .map((passage) => {
      const name = nameOf(passage, transcript);
      const text = passage.segments.map((segment) => segment.text.trim()).join(" ");
      return `[${clock(passage.segments[0].start)}] ${name ? `${name}: ` : ""}${text}`;
    })
    .join("\n\n");
}
