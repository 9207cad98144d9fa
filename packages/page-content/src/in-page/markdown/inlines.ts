import type { FlatElement } from "../flatten/flat-tree.ts";
import { flatMarks } from "../flatten/flat-marks.ts";
import { wordsForAddress } from "./addresses.ts";
import { readCode } from "./code-block.ts";
import { codeSpan, escapeLabel } from "./escaping.ts";
import { readControl } from "./form-text.ts";
import type { InlineMark } from "./inline-pieces.ts";
import { readFormula } from "./math.ts";
import { writeSuperscript } from "./superscript.ts";
import type { Walk } from "./walk.ts";

const marks: Readonly<Record<string, "strong" | "em" | "del">> = {
  b: "strong",
  strong: "strong",
  em: "em",
  i: "em",
  cite: "em",
  dfn: "em",
  var: "em",
  del: "del",
  s: "del",
  strike: "del",
};
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const plain = new Set(
  "abbr acronym bdi bdo big blink data font ins label mark nobr output rb ruby small span time tt u".split(" "),
);
const nothing = new Set(
  "base canvas col colgroup datalist head link meta noscript param rp script source style template title track".split(
    " ",
  ),
);

/** Writes an inline element. Returns false for a block, or an unknown element. */
export function writeInline(element: FlatElement, walk: Walk): boolean {
  const name = element.localName;
  if (nothing.has(name) && !element.hasAttribute(flatMarks.math)) return true;
  const formula = mayBeFormula(element, name) ? readFormula(element) : undefined;
  if (formula !== undefined) {
    if (formula.display && formula.isTex && walk.run.breaks === "line") return false;
    if (formula.isTex && formula.tex !== "") walk.run.raw(`$${formula.tex.replace(/\s+/g, " ")}$`);
    else walk.run.text(formula.tex);
    return true;
  }
  const display = element.getAttribute(flatMarks.display);
  if (display === "block") return writeAsBlock(element, name, walk);
  if (display !== "apart") return writeInLine(element, name, display === "inline", walk);
  walk.run.apart();
  const isWritten = writeInLine(element, name, true, walk);
  walk.run.apart();
  return isWritten;
}

/** Writes an element by its tag; one with an unknown tag if it is inline. */
function writeInLine(element: FlatElement, name: string, isPart: boolean, walk: Walk): boolean {
  const mark = marks[name];
  if (mark !== undefined) writeMarked(element, { type: mark }, walk);
  else if (plain.has(name)) writePlain(element, name, walk);
  else if (!writeSpecial(element, name, walk)) {
    if (!isPart && !name.includes("-")) return false;
    walk.children(element);
  }
  return true;
}

function mayBeFormula(element: FlatElement, name: string): boolean {
  return (
    name === "math" ||
    name === "mjx-container" ||
    ((name === "span" || name === "div") && element.hasAttribute("class")) ||
    element.hasAttribute(flatMarks.math)
  );
}

/** An element that is part of a line by its tag and a block by its style. */
function writeAsBlock(element: FlatElement, name: string, walk: Walk): boolean {
  const mark = marks[name];
  const inline = mark !== undefined || plain.has(name) || name.includes("-");
  if (!inline && !specials.has(name)) return false;
  let isWritten = true;
  walk.block(() => {
    if (mark !== undefined) writeMarked(element, { type: mark }, walk);
    else if (!inline) isWritten = writeSpecial(element, name, walk);
    else walk.children(element);
  });
  return isWritten;
}

function writeMarked(element: FlatElement, mark: InlineMark, walk: Walk): void {
  const type = mark.type;
  if (walk.run.has(type)) return walk.children(element);
  walk.run.open(mark);
  walk.children(element);
  walk.run.close();
}

function writePlain(element: FlatElement, name: string, walk: Walk): void {
  if (name === "label") walk.run.space();
  walk.children(element);
  if (name === "label") walk.run.space();
  const title = name === "abbr" || name === "acronym" ? element.getAttribute("title") : null;
  if (title !== null && title.trim() !== "" && !element.textContent.includes(title)) walk.run.text(` (${title})`);
}

const specials = new Set(
  "a area audio br button code img image input kbd meter picture progress q rt rtc samp select sub sup svg textarea video wbr".split(
    " ",
  ),
);

function writeSpecial(element: FlatElement, name: string, walk: Walk): boolean {
  const { run } = walk;
  switch (name) {
    case "a":
      writeLink(element, walk);
      return true;
    case "area":
      run.space();
      writeLink(element, walk);
      run.space();
      return true;
    case "br":
      writeBreak(walk);
      return true;
    case "wbr":
      return true;
    case "code":
    case "kbd":
    case "samp":
      return writeCode(element, walk);
    case "img":
    case "image":
      writeImage(element, walk);
      return true;
    case "picture":
      walk.children(element);
      return true;
    case "svg":
      writeDrawing(element, walk);
      return true;
    case "q":
      run.text("“");
      walk.children(element);
      run.text("”");
      return true;
    case "sub":
      // A number below keeps its sign beside another: 101 to the base 2 is not 1012.
      if (/\p{N}$/u.test(run.ending) && /^\s*\p{N}/u.test(element.textContent)) run.text("_");
      walk.children(element);
      return true;
    case "sup":
      writeSuperscript(element, walk);
      return true;
    case "rt":
    case "rtc":
      if (element.textContent.trim() === "") return true;
      run.text("(");
      walk.children(element);
      run.text(")");
      return true;
    case "audio":
    case "video":
      writeMedia(element, name, walk);
      return true;
    case "button":
    case "meter":
    case "progress":
      run.space();
      walk.children(element);
      run.space();
      return true;
    case "input":
    case "select":
    case "textarea":
      writeControl(element, walk);
      return true;
    default:
      return false;
  }
}

/** Ends a line, or the paragraph when one has just ended. */
export function writeBreak(walk: Walk): void {
  if (walk.run.endsWithBreak && walk.run.breaks === "line") walk.block(() => undefined);
  else walk.run.lineBreak();
}

function writeLink(element: FlatElement, walk: Walk): void {
  const { run, footnotes } = walk;
  if (footnotes.leadsBack(element)) return;
  const note = footnotes.findReference(element);
  if (note !== undefined) return run.raw(`[^${note}]`);
  const destination = run.has("link") ? undefined : walk.addresses.link(element);
  if (destination === undefined) {
    walk.children(element);
    return;
  }
  const waitsForHeading =
    run.breaks === "line" && element.find(({ localName }) => headings.has(localName)) !== undefined;
  const link: InlineMark & { type: "link" } = { type: "link", destination, waitsForHeading, used: false };
  run.open(link);
  walk.children(element);
  run.close();
  if (!link.used) run.raw(`[${escapeLabel(getLabel(element)) || "link"}]${destination}`);
}

/** Returns a label for a link without text. */
function getLabel(link: FlatElement): string {
  const own = link.getAttribute("aria-label") || link.getAttribute("title") || link.getAttribute("alt");
  if (own) return own;
  const image = link.find(isDescribed);
  const described = image?.getAttribute("alt") || image?.getAttribute("aria-label") || image?.getAttribute("title");
  return described || image?.textContent || wordsForAddress(link.getAttribute("href") ?? "");
}

function isDescribed(element: FlatElement): boolean {
  const { localName } = element;
  if (element.hasAttribute("aria-label") || element.hasAttribute("title")) return true;
  return localName === "img"
    ? element.hasAttribute("alt")
    : localName === "title" && element.parent?.localName === "svg";
}

function isBreak(element: FlatElement): boolean {
  return element.localName === "br";
}

function isLinkOrImage(element: FlatElement): boolean {
  return element.localName === "img" || (element.localName === "a" && element.hasAttribute("href"));
}

/** Writes code as a part of the line; false when it has several lines itself. */
function writeCode(element: FlatElement, walk: Walk): boolean {
  const text = element.textContent.replace(/[\u200b\ufeff]/g, "");
  if (walk.run.breaks === "line" && element.getAttribute(flatMarks.space) === "pre" && text.trim().includes("\n"))
    return false;
  if (element.find(isBreak) !== undefined && readCode(element).text.includes("\n")) return false;
  if (element.find(isLinkOrImage) !== undefined && element.children.length === 1) walk.children(element);
  else walk.run.raw(codeSpan(text));
  return true;
}

function writeImage(element: FlatElement, walk: Walk): void {
  if (!walk.settings.images) return;
  const destination = walk.addresses.image(element);
  const alt = escapeLabel(element.getAttribute("alt") ?? "");
  if (destination !== undefined) walk.run.raw(`![${alt}]${destination}`);
}

/** Writes the text in a drawing. */
function writeDrawing(element: FlatElement, walk: Walk): void {
  for (const text of element.findAll(({ localName }) => localName === "text" || localName === "foreignObject")) {
    walk.run.space();
    if (text.localName === "text") walk.run.text(text.textContent);
    else walk.children(text);
    walk.run.space();
  }
}

function writeMedia(element: FlatElement, name: string, walk: Walk): void {
  const address =
    element.getAttribute("src") ?? element.find(({ localName }) => localName === "source")?.getAttribute("src") ?? "";
  const destination = walk.run.has("link") ? undefined : walk.addresses.linkTo(address);
  const label =
    element.getAttribute("aria-label") || element.getAttribute("title") || (name === "video" ? "Video" : "Audio");
  if (destination !== undefined) walk.run.raw(`[${escapeLabel(label)}]${destination}`);
}

function writeControl(element: FlatElement, walk: Walk): void {
  const { run } = walk;
  const control = readControl(element);
  run.space();
  if (control.kind === "box") run.raw(control.checked ? "[x]" : "[ ]");
  else if (control.kind === "text") run.text(control.text);
  else {
    for (const [index, option] of control.options.entries()) {
      if (index > 0) run.text(", ");
      if (option.chosen && control.options.length > 1) run.open({ type: "strong" });
      run.text(option.text);
      if (option.chosen && control.options.length > 1) run.close();
    }
  }
  run.space();
}
