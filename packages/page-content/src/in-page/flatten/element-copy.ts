import { flatMarks } from "./flat-marks.ts";
import { FlatElement } from "./flat-tree.ts";
import { baseOf, hasTag, isFrame } from "./live-dom.ts";
import { showsFallback } from "./object-fallback.ts";

/** Attributes in which pages keep the address of an image until it is needed, most trusted first. */
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

/** Elements whose name would become a property of the document. */
const exposed = new Set(["embed", "img", "object"]);

/** Attributes that hold an address, by element. */
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

/** Elements that are more than their attributes. */
const special = new Set([...Object.keys(addresses), "a", "area", "form", "frame", "iframe", "img", "option"]);

/**
 * Makes the copy of an element fit for the flat tree: addresses absolute, values as they are now, nothing that runs.
 *
 * @returns The copy, or what stands for it. What is within a form is moved along, what is within a frame is not.
 */
export function mendCopy(original: Element, copy: FlatElement, name: string): FlatElement {
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
  if (exposed.has(name)) copy.removeAttribute(name === "object" ? "id" : "name");
  for (const attribute of addresses[name] ?? []) resolveAttribute(copy, attribute, baseOf(original));
  if (hasTag(original, "img")) copyImage(original, copy);
  else if (hasTag(original, "video") || hasTag(original, "audio")) {
    if (original.currentSrc !== "") copy.setAttribute("src", original.currentSrc);
  } else if (hasTag(original, "input")) copyInput(original, copy);
  else if (hasTag(original, "option")) copy.toggleAttribute("selected", original.selected);
  return copy;
}

/** The best address of an image that a page would show when scrolled to it; undefined when it shows it already, or has none. */
function laterAddress(image: HTMLImageElement, shown: string): string | undefined {
  const isStandIn =
    shown === "" ||
    /^data:|\b(?:placeholder|blank|spacer|transparent|loading|lazy)[\w-]*\.(?:gif|png|svg|jpe?g|webp)/i.test(shown);
  if (!isStandIn) return undefined;
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

/** An address of a `srcset` and its size, as browsers tell them apart: commas may be within an address, and in parentheses after it. */
const candidate = /[\s,]*([^\s,]+(?:,+[^\s,]+)*)(?:,+|([^,(]*(?:\([^)]*\)?[^,(]*)*))/gy;

/** The address of the largest image of a `srcset`. */
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

/** An address as it is from anywhere; itself when it is none. */
export function absolute(address: string, base: string): string {
  try {
    return new URL(address, base).href;
  } catch {
    return address;
  }
}

/** A form becomes a plain part of the page: its fields would replace its properties. So does an object that shows nothing of its own. */
function plainPart(copy: FlatElement, attributes: readonly string[]): FlatElement {
  const plain = new FlatElement("div", attributes);
  for (const name of ["id", "class", "aria-label", "itemscope", "itemtype", "itemprop"]) {
    const value = copy.getAttribute(name);
    if (value !== null) plain.setAttribute(name, value);
  }
  plain.take(copy);
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

/** Makes the address in an attribute absolute. */
export function resolveAttribute(element: FlatElement, name: string, base: string): void {
  const address = element.getAttribute(name);
  if (address !== null && address !== "") element.setAttribute(name, absolute(address, base));
}

function copyImage(image: HTMLImageElement, copy: FlatElement): void {
  const shown = image.currentSrc || image.getAttribute("src") || "";
  const later = laterAddress(image, shown);
  const address = later ?? shown;
  for (const name of ["srcset", "sizes", "loading", ...lazySources, ...lazySets]) copy.removeAttribute(name);
  if (address === "") copy.removeAttribute("src");
  else copy.setAttribute("src", absolute(address, baseOf(image)));
  // One that is not loaded has the size of the words in its place, or none.
  if (image.naturalWidth === 0) return;
  // Nor does the size of what stands in for one say anything; only one that the page gives to it does.
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
