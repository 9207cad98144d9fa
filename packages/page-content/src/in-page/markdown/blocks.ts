import type { FlatElement } from "../flatten/flat-tree.ts";
import { flatMarks, isHidden } from "../flatten/flat-marks.ts";
import { isGutterBeside, readCode, readCodeTable, type Code } from "./code-block.ts";
import { codeFence, escapeHeadingEnd, escapeLabel } from "./escaping.ts";
import { writeItem, writeList } from "./lists.ts";
import { readFormula } from "./math.ts";
import { writeTable } from "./tables.ts";
import type { Walk } from "./walk.ts";

const headings: Readonly<Record<string, number>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };
/** Block elements: a label on its own line can't hold them. */
const blocks = new Set("h1 h2 h3 h4 h5 h6 p div ul ol table pre".split(" "));

/** Writes an element that is a block, or holds some. */
export function writeBlock(element: FlatElement, walk: Walk): void {
  const kind = classifyBlock(element);
  switch (kind) {
    case "heading":
      return writeHeading(element, walk);
    case "pre":
    case "code":
    case "kbd":
    case "samp":
    case "listing":
    case "xmp":
    case "plaintext":
      return writeCode(readCode(element), walk);
    case "ul":
    case "ol":
    case "menu":
    case "dir":
    case "list":
      return walk.block(() => writeList(element, walk));
    case "li":
    case "listitem":
      return walk.block(() => writeItem(element, walk, "-"));
    case "table":
    case "grid":
    case "treegrid":
      return walk.block(() => writeTableOrCode(element, walk));
    case "blockquote":
      return walk.block(() => walk.out.within("> ", () => walk.block(() => walk.children(element))));
    case "hr":
      return walk.block(() => writeRule(walk));
    case "dt":
    case "summary":
    case "legend":
      return writeTerm(element, walk);
    case "dd":
      return walk.block(() => writeDefinition(element, walk));
    case "math":
    case "mjx-container":
      return writeFormula(element, walk);
    case "iframe":
    case "object":
    case "embed":
      return writeEmbedded(element, walk);
    case "option":
    case "optgroup":
      walk.run.space();
      return walk.children(element);
    default:
      if (element.hasAttribute(flatMarks.math) || element.hasAttribute("class")) {
        if (readFormula(element)?.display === true) return writeFormula(element, walk);
        if (isGutterBeside(element)) return;
      }
      return walk.block(() => walk.children(element));
  }
}

function classifyBlock(element: FlatElement): string {
  const name = element.localName;
  if (headings[name] !== undefined) return "heading";
  const role = element.getAttribute("role");
  if (role === null || (name !== "div" && name !== "span" && !name.includes("-"))) return name;
  return ["heading", "list", "listitem", "table", "grid", "treegrid"].includes(role) ? role : name;
}

function writeHeading(element: FlatElement, walk: Walk): void {
  const level = headings[element.localName] ?? Number.parseInt(element.getAttribute("aria-level") ?? "2", 10);
  const marks = "#".repeat(Math.min(Math.max(level || 2, 1), 6));
  const link = walk.run.link;
  if (walk.run.breaks !== "line") return walk.block(() => walk.children(element));
  walk.block(() => {
    const line = walk.line(element, "space", link?.used === false ? link : undefined);
    if (line !== "") walk.out.write([`${marks} ${escapeHeadingEnd(line)}`]);
  });
}

function writeCode(code: Code, walk: Walk): void {
  if (code.text.trim() === "") return;
  if (walk.run.breaks === "line") return walk.block(() => walk.out.write(codeFence(code.text, code.language)));
  walk.block(() => {
    for (const line of code.text.split("\n")) {
      walk.run.lineBreak();
      walk.run.raw(inlineCode(line));
    }
  });
}

function inlineCode(line: string): string {
  const [fence = "```"] = codeFence(line, "");
  return line.trim() === "" ? "" : line.includes("`") ? `${fence} ${line.trim()} ${fence}` : `\`${line.trim()}\``;
}

function writeTableOrCode(table: FlatElement, walk: Walk): void {
  const code = readCodeTable(table);
  if (code === undefined) writeTable(table, walk);
  else writeCode(code, walk);
}

function writeRule(walk: Walk): void {
  // Within an item of a list, dashes after its marker would be one rule with it.
  if (walk.run.breaks === "line") walk.out.write([walk.out.nested ? "___" : "---"]);
}

/** Writes a term of a description list: strong, on a line of its own. */
function writeTerm(element: FlatElement, walk: Walk): void {
  walk.block(() => {
    const strong = !walk.run.has("strong") && element.find(({ localName }) => blocks.has(localName)) === undefined;
    if (strong) walk.run.open({ type: "strong" });
    walk.children(element);
    if (strong) walk.run.close();
  });
}

function writeDefinition(element: FlatElement, walk: Walk): void {
  if (walk.run.breaks !== "line") return walk.children(element);
  const before = element.previousElementSibling?.localName;
  if (before === "dt" || before === "dd") walk.out.join();
  writeItem(element, walk, "-");
}

function writeFormula(element: FlatElement, walk: Walk): void {
  const formula = readFormula(element);
  if (formula === undefined || formula.tex === "") return;
  walk.block(() => {
    const lines = formula.tex
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (walk.run.breaks !== "line") walk.run.raw(`$${lines.join(" ")}$`);
    else walk.out.write(["$$", ...lines, "$$"]);
  });
}

/** A frame or an object whose content is not here: a link to it. */
function writeEmbedded(element: FlatElement, walk: Walk): void {
  if (element.firstElementChild !== null && !isHidden(element)) return walk.block(() => walk.children(element));
  const address = element.getAttribute("src") ?? element.getAttribute("data") ?? "";
  const destination = walk.run.has("link") ? undefined : walk.addresses.linkTo(address);
  const label = element.getAttribute("title") || element.getAttribute("aria-label");
  if (destination !== undefined && label) walk.block(() => walk.run.raw(`[${escapeLabel(label)}]${destination}`));
}
