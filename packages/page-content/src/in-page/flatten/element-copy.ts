import { flatMarks } from "./flat-marks.ts";
import { FlatElement } from "./flat-tree.ts";
import { baseOf, hasTag, isFrame } from "./live-dom.ts";
import { showsFallback } from "./object-fallback.ts";

/** Attributes with the URL of a lazy image, the most reliable first. */
const lazySources = [
  "data-src",
  "data-lazy-src",
  "data-original",
  "data-lazy",
  "data-url",
  "data-hi-res-src",
  "data-image",
];
const lazySets = ["data-srcset", "data-lazy-srcset"];

/** Elements whose name becomes a property of the document. */
const namedProperties = new Set(["embed", "img", "object"]);

/** Attributes that contain a URL, by element. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  audio: ["src"],
  blockquote: ["cite"],
  embed: ["src"],
  input: ["src"],
  link: ["href"],
  object: ["data"],
  source: ["src"],
  video: ["src", "poster"],
};

/** Elements that need more than copied attributes. */
const special = new Set([...Object.keys(addresses), "a", "area", "form", "frame", "iframe", "img", "option"]);

/**
 * Normalizes the copy of an element: absolute URLs, current values, nothing that runs.
 *
 * @returns The copy, or its replacement. The children of a form are moved along, those of a frame are not.
 */
export function normalizeCopy(original: Element, copy: FlatElement, name: string): FlatElement {
  if (!special.has(name)) {
    if (copy.hasAttribute("itemid")) resolveAttribute(copy, "itemid", baseOf(original));
    return copy;
  }
  if (hasTag(original, "a") || hasTag(original, "area")) {
    const { href } = original;
    const written = copy.getAttribute("href");
    if (written !== null && written !== href) copy.setAttribute("href", href);
    return copy;
  }
  if (hasTag(original, "form")) return plainPart(copy, ["role", "form"]);
  if (isFrame(original)) return copyFrame(original);
  if (hasTag(original, "object") && showsFallback(original)) return plainPart(copy, []);
  if (namedProperties.has(name)) copy.removeAttribute(name === "object" ? "id" : "name");
  for (const attribute of addresses[name] ?? []) resolveAttribute(copy, attribute, baseOf(original));
  if (hasTag(original, "img")) copyImage(original, copy);
  else if (hasTag(original, "video") || hasTag(original, "audio")) {
    if (original.currentSrc !== "") copy.setAttribute("src", original.currentSrc);
  } else if (hasTag(original, "input")) copyInput(original, copy);
  else if (hasTag(original, "option")) copy.toggleAttribute("selected", original.selected);
  return copy;
}

/** Returns the best URL of a lazy image; undefined if it is loaded already, or has none. */
function lazyAddress(image: HTMLImageElement, shown: string): string | undefined {
  const isPlaceholder =
    shown === "" ||
    /^data:|\b(?:placeholder|blank|spacer|transparent|loading|lazy)[\w-]*\.(?:gif|png|svg|jpe?g|webp)/i.test(shown);
  if (!isPlaceholder) return undefined;
  for (const name of lazySources) {
    const value = image.getAttribute(name);
    if (value !== null && /^(?:https?:)?[\w./%-]/i.test(value) && !value.startsWith("{")) return value;
  }
  const sets = [image.getAttribute("srcset"), ...lazySets.map((name) => image.getAttribute(name))];
  const source = image.parentElement?.localName === "picture" ? image.parentElement.querySelector("source") : null;
  sets.push(source?.getAttribute("srcset") ?? null, source?.getAttribute("data-srcset") ?? null);
  for (const set of sets) {
    const best = bestCandidate(set ?? "");
    if (best !== "") return best;
  }
  return undefined;
}

/** A URL of a `srcset` and its descriptor, split as browsers do: commas may occur within a URL, and in parentheses after it. */
const candidate = /[\s,]*([^\s,]+(?:,+[^\s,]+)*)(?:,+|([^,(]*(?:\([^)]*\)?[^,(]*)*))/gy;

/** Returns the URL of the largest image of a `srcset`. */
function bestCandidate(set: string): string {
  let best = "";
  let most = -1;
  for (const [, address = "", size = ""] of set.slice(0, 20_000).matchAll(candidate)) {
    const value = Number.parseFloat(size.trim() || "1x");
    if (!address.startsWith("data:") && value > most) {
      best = address;
      most = value;
    }
  }
  return best;
}

/** Resolves a URL; returns it unchanged if it is malformed. */
export function absolute(address: string, base: string): string {
  try {
    return new URL(address, base).href;
  } catch {
    return address;
  }
}

/** Replaces a form by a `div`: its fields would shadow its properties. Also an object that shows its fallback. */
function plainPart(copy: FlatElement, attributes: readonly string[]): FlatElement {
  const plain = new FlatElement("div", attributes);
  for (const name of ["id", "class", "aria-label", "itemscope", "itemtype", "itemprop"]) {
    const value = copy.getAttribute(name);
    if (value !== null) plain.setAttribute(name, value);
  }
  plain.adoptChildren(copy);
  return plain;
}

function copyFrame(frame: HTMLIFrameElement): FlatElement {
  const copy = new FlatElement("iframe", []);
  if (frame.src !== "") copy.setAttribute("src", frame.src);
  for (const name of ["title", "aria-label"]) {
    const value = frame.getAttribute(name);
    if (value !== null) copy.setAttribute(name, value);
  }
  return copy;
}

/** Resolves the address in an attribute to an absolute one. */
export function resolveAttribute(element: FlatElement, name: string, base: string): void {
  const address = element.getAttribute(name);
  if (address !== null && address !== "") element.setAttribute(name, absolute(address, base));
}

function copyImage(image: HTMLImageElement, copy: FlatElement): void {
  const shown = image.currentSrc || image.getAttribute("src") || "";
  const later = lazyAddress(image, shown);
  const address = later ?? shown;
  for (const name of ["srcset", "sizes", "loading", ...lazySources, ...lazySets]) copy.removeAttribute(name);
  if (address === "") copy.removeAttribute("src");
  else copy.setAttribute("src", absolute(address, baseOf(image)));
  // An image that is not loaded has the size of its alternative text, or none.
  if (image.naturalWidth === 0) return;
  // The size of a placeholder means nothing either, unless the page sets it.
  const ownSize = image.width === image.naturalWidth || image.height === image.naturalHeight;
  if (later !== undefined && ownSize) return;
  const width = Math.round(image.width || image.naturalWidth);
  const height = Math.round(image.height || image.naturalHeight);
  copy.setAttribute(flatMarks.size, `${width}x${height}`);
}

function copyInput(input: HTMLInputElement, copy: FlatElement): void {
  const type = input.type;
  if (type === "password") copy.removeAttribute("value");
  else if (type === "checkbox" || type === "radio") copy.toggleAttribute("checked", input.checked);
  else if (type !== "hidden" && type !== "file") copy.setAttribute("value", input.value);
}
