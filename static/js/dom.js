/** Small helpers for the page. Whatever comes from a user or from media goes in as text, never as HTML. */

export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

/** A new element: `make("a", {href: "#s4"}, "text", child)`. Attributes without a value (null, false) are left out. */
export const make = (tag, ...rest) => furnish(document.createElement(tag), ...rest);

export const makeSvg = (tag, ...rest) => furnish(document.createElementNS(SVG, tag), ...rest);

function furnish(element, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Puts text into the element with this id and hides it when there is none. */
export function showText(id, text) {
  const element = byId(id);
  element.textContent = text || "";
  element.hidden = !text;
}

/** Fills a list and hides `box` (the list itself by default) when it is empty. */
export function showList(id, items, box = byId(id)) {
  byId(id).replaceChildren(...items);
  box.hidden = !items.length;
}

/** A link out, or plain text when the address is not a web address. */
export function linkOut(url, text = url) {
  const isWeb = /^https?:\/\//i.test(url);
  return isWeb ? make("a", { href: url, rel: "noopener noreferrer" }, text) : make("span", {}, text);
}
