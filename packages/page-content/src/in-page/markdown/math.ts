import { flatMarks } from "../flatten/flat-marks.ts";
import type { FlatElement } from "../flatten/flat-tree.ts";

/** A formula. */
export interface Formula {
  /** TeX where the page has it; else the symbols in a row. */
  readonly tex: string;
  /** True when it has a line of its own. */
  readonly display: boolean;
  /** True when `tex` is TeX. */
  readonly isTex: boolean;
}

/** Classes of the elements that MathJax 2 puts before the TeX of a formula: the rendering and its preview. */
const rendering = / (?:MathJax(?:_(?:CHTML|Display|MathML|PHTML|PlainSource|SVG|SVG_Display))?|mjx-chtml) /;
const preview = / MathJax_Preview /;
/** A formula of which nothing is written. */
const nothing: Formula = { tex: "", display: false, isTex: false };

/**
 * Reads an element that is a formula: MathML, or what KaTeX, MathJax and MediaWiki make of one. What shows TeX that stands
 * after it is one without TeX. Undefined if it is not a formula.
 */
export function readFormula(element: FlatElement): Formula | undefined {
  const marked = element.getAttribute(flatMarks.math);
  if (marked !== null) return { tex: element.textContent.trim(), display: marked === "display", isTex: true };
  if (element.localName === "math") return findFormula(element, isDisplay(element));
  const classes = getClasses(element);
  const isRendering = rendering.test(classes);
  if ((isRendering || preview.test(classes)) && isBeforeTex(element, !isRendering)) return nothing;
  const known =
    / (?:katex|katex-display|mwe-math-element|mathjax|MathJax(?:_CHTML|_SVG)?) /.test(classes) ||
    element.localName === "mjx-container";
  if (!known) return undefined;
  const math = element.find(({ localName }) => localName === "math");
  if (math === undefined) return undefined;
  const display = classes.includes(" katex-display ") || element.getAttribute("display") === "true";
  return findFormula(math, display || isDisplay(math));
}

/** Returns whether the next thing is TeX, maybe after what shows that. */
function isBeforeTex(element: FlatElement, maybeShown: boolean): boolean {
  for (let next = element.nextSibling; next !== null; next = next.nextSibling) {
    if (next.nodeType === 3 && next.nodeValue.trim() !== "") return false;
    if (next.nodeType !== 1) continue;
    if (next.hasAttribute(flatMarks.math)) return true;
    return maybeShown && rendering.test(getClasses(next)) && isBeforeTex(next, false);
  }
  return false;
}

function getClasses(element: FlatElement): string {
  return ` ${element.getAttribute("class") ?? ""} `;
}

function isDisplay(math: FlatElement): boolean {
  return math.getAttribute("display") === "block";
}

function findFormula(math: FlatElement, display: boolean): Formula {
  const annotation = math.find(
    (one) => one.localName === "annotation" && /tex/i.test(one.getAttribute("encoding") ?? ""),
  );
  const tex = (annotation?.textContent ?? math.getAttribute("alttext") ?? "").trim();
  if (tex !== "") return { tex: removeStyle(tex), display, isTex: true };
  return { tex: symbols(math, 0).replace(/\s+/g, " ").trim(), display, isTex: false };
}

/** MediaWiki puts each formula in `{\displaystyle …}`. */
function removeStyle(tex: string): string {
  return /^\{\\(?:displaystyle|textstyle)\s+([^]*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}

function symbols(node: FlatElement, depth: number): string {
  if (depth > 50) return node.textContent;
  const children = node.children.filter((child) => !child.localName.startsWith("annotation"));
  if (children.length === 0) return node.textContent.trim();
  const parts = children.map((child) => symbols(child, depth + 1));
  const [first = "", second = "", third = ""] = parts;
  switch (node.localName) {
    case "mfrac":
      return `${groupText(first)}/${groupText(second)}`;
    case "msup":
      return `${groupText(first)}^${groupText(second)}`;
    case "mover":
      // An accent is a part of what it is on.
      return /^[\p{L}\p{N}]|../u.test(second) ? `${groupText(first)}^${groupText(second)}` : first + second;
    case "msub":
    case "munder":
      return `${groupText(first)}_${groupText(second)}`;
    case "msubsup":
    case "munderover":
      return `${groupText(first)}_${groupText(second)}^${groupText(third)}`;
    case "mmultiscripts": {
      const divider = children.findIndex(({ localName }) => localName === "mprescripts");
      const behind = divider < 0 ? parts.length : divider;
      return scripts(parts.slice(behind + 1)) + groupText(first) + scripts(parts.slice(1, behind));
    }
    case "mfenced":
      return `${node.getAttribute("open") ?? "("}${parts.join(chooseSeparator(node))}${node.getAttribute("close") ?? ")"}`;
    case "mroot":
      return `${groupText(first)}^(1/${groupText(second)})`;
    case "msqrt":
      return `√${groupText(parts.join(""))}`;
    case "mtr":
      return `${parts.join(" ")}; `;
    default:
      return parts.join(/^(?:mtable|mrow|math|semantics)$/.test(node.localName) ? " " : "");
  }
}

/** Writes subscripts and superscripts in turns; some are empty. */
function scripts(parts: readonly string[]): string {
  return parts.map((part, at) => (part === "" ? "" : `${at % 2 === 0 ? "_" : "^"}${groupText(part)}`)).join("");
}

function chooseSeparator(fenced: FlatElement): string {
  return fenced.getAttribute("separators")?.trim().charAt(0) ?? ",";
}

function groupText(text: string): string {
  return text.length > 1 && !/^(?:[\p{L}\p{N}.]+|\([^()]*\))$/u.test(text) ? `(${text})` : text;
}
