import type { FlatElement } from "../flatten/flat-tree.ts";
import { flatMarks, isHidden } from "../flatten/flat-marks.ts";

/** Text and language of a code block. */
export interface Code {
  /** The lines, without line numbers and buttons of a highlighter. */
  readonly text: string;
  /** Name of the language, as the page has it; empty when it says none. */
  readonly language: string;
}

const gutter =
  /(?:^|[\s_-])(?:line-?num(?:ber)?s?(?:-rows)?|linenos?|gutter|blob-num|hljs-ln-n|code-line-number)(?:[\s_-]|$)/i;
/** Class of line numbers in Chroma, as a whole word. */
const chromaNumber = /(?:^|\s)lnt?(?:\s|$)/;
const languageClass = /(?:^|\s)(?:language|lang|highlight-source|brush:|hljs-lang|prettyprint lang)-?\s?([\w+#.-]+)/i;
const bareLanguage =
  /^(?:bash|c|clojure|cpp|csharp|css|dart|diff|docker|elixir|erlang|go|graphql|haskell|html|ini|java|javascript|js|json|jsx|kotlin|lua|makefile|markdown|nginx|objc|perl|php|powershell|python|py|r|ruby|rust|scala|scss|sh|shell|sql|swift|toml|ts|tsx|typescript|vim|xml|yaml|yml|zig)$/i;
const tableClass = /highlight|code|rouge|blob|diff|syntax|crayon|lntable/i;
/** Classes of the cells that hold the code, beside those of its numbers. */
const cellClasses = ["code", "rouge-code", "blob-code", "crayon-code", "hljs-ln-code"];
/** Inline code: its white space collapses, unless its style says otherwise. */
const phrases = new Set(["code", "kbd", "samp"]);
const lineElements = new Set(["br", "div", "li", "p", "tr"]);

/** Reads a `pre` or a similar element. */
export function readCode(element: FlatElement): Code {
  const lines = new CodeText(phrases.has(element.localName) && element.getAttribute(flatMarks.space) !== "pre");
  gather(element, lines, 0);
  return { text: lines.toString(), language: getLanguage(element) };
}

/** The code of a table whose rows are lines, with their numbers in a column of their own; undefined when it is another table. */
export function readCodeTable(table: FlatElement): Code | undefined {
  const around = [table.parent, table.parent?.parent];
  const known =
    tableClass.test(table.getAttribute("class") ?? "") || around.some((one) => one?.hasClass("syntaxhighlighter"));
  if (!known) return undefined;
  const cells = table.findAll(isCodeCell);
  if (cells.length === 0) return undefined;
  const codes = cells.map(readCode);
  const language = getLanguage(table) || codes.find((code) => code.language !== "")?.language;
  return { text: codes.map(({ text }) => text).join("\n"), language: language ?? "" };
}

/** Cells of Chroma have the same class, whether they hold the code or its numbers. */
function isCodeCell(cell: FlatElement): boolean {
  if (cell.localName !== "td") return false;
  if (cell.hasClass("lntd")) return cell.find((one) => one.hasClass("lnt")) === undefined;
  return cellClasses.some((name) => cell.hasClass(name));
}

class CodeText {
  readonly #parts: string[] = [];
  readonly #collapses: boolean;
  #last = "\n";

  /** Keeps white space as it is, or collapses each run to one space, and to none at the start of a line. */
  constructor(collapses: boolean) {
    this.#collapses = collapses;
  }

  addText(text: string): void {
    if (!this.#collapses) return this.add(text);
    const line = text.replace(/[ \t\r\n]+/g, " ");
    this.add(this.#last === "\n" ? line.replace(/^ /, "") : line);
  }

  add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#last = text.slice(-1);
  }

  startLine(): void {
    if (this.#parts.length > 0 && this.#last !== "\n") this.add("\n");
  }

  toString(): string {
    const text = this.#parts
      .join("")
      .replace(/\r\n?/g, "\n")
      .replace(/[\u200b\ufeff]/g, "")
      .replaceAll("\u00a0", " ");
    return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  }
}

function gather(node: FlatElement, lines: CodeText, depth: number): void {
  const inLine = Number(node.getAttribute(flatMarks.items) ?? "0");
  let items = 0;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === 3) {
      if (inLine === 0 || /\S/.test(child.nodeValue)) lines.addText(child.nodeValue);
    } else if (child.nodeType === 1 && inLine === 0) gatherElement(child, lines, depth);
    else if (child.nodeType === 1 && !isLeftOut(child)) {
      if (items % inLine === 0 || child.textContent.includes("\n")) lines.startLine();
      gather(child, lines, depth + 1);
      items += 1;
    }
  }
  if (items > 0) lines.startLine();
}

/** Returns whether an element does not belong to code: hidden, a button, or a line number. */
function isLeftOut(element: FlatElement): boolean {
  const isOther = ["button", "script", "style", "svg"].includes(element.localName);
  return isOther || isHidden(element) || isGutter(element);
}

function gatherElement(element: FlatElement, lines: CodeText, depth: number): void {
  const name = element.localName;
  if (name === "br") return lines.add("\n");
  if (isLeftOut(element)) return;
  if (depth > 200) return lines.addText(element.textContent);
  const ownLine = lineElements.has(name) || element.getAttribute("data-flat-display") === "block";
  if (ownLine) lines.startLine();
  gather(element, lines, depth + 1);
  if (ownLine) lines.startLine();
}

/** Returns whether an element holds the line numbers of the code beside it. */
export function isGutterBeside(element: FlatElement): boolean {
  const isAside = [element, element.parent].some((one) => one?.getAttribute("aria-hidden") === "true");
  return isAside && isGutter(element);
}

function isGutter(element: FlatElement): boolean {
  if (element.attributes.length === 0) return false;
  if (element.hasAttribute("data-line-number") && element.textContent.trim() === "") return true;
  const classes = element.getAttribute("class") ?? "";
  const named = gutter.test(classes) || chromaNumber.test(classes);
  // What can't be selected is not copied with the code, so it is no part of that.
  const apart = named || /user-select:\s*none/i.test(element.getAttribute("style") ?? "");
  return apart && /^[\s\d]*$/.test(element.textContent);
}

/** Finds the language in the class names of the code, its content, and the wrappers of syntax highlighters. */
function getLanguage(element: FlatElement): string {
  const inner = element.find(({ localName }) => localName === "code");
  const around = [inner, element, element.parent, element.parent?.parent];
  for (const one of around) {
    if (one === null || one === undefined) continue;
    const named = one.getAttribute("data-lang") ?? one.getAttribute("data-language");
    if (named !== null && /^[\w+#.-]{1,30}$/.test(named)) return named.toLowerCase();
    const classes = one.getAttribute("class") ?? "";
    const found = languageClass.exec(classes)?.[1];
    if (found !== undefined) return found.toLowerCase();
    if (/\b(?:hljs|sourceCode|(?:syntax)?highlight(?:er)?|prettyprint|codehilite)\b/.test(classes)) {
      const bare = classes.split(/\s+/).find((word) => bareLanguage.test(word));
      if (bare !== undefined) return bare.toLowerCase();
    }
  }
  return "";
}
