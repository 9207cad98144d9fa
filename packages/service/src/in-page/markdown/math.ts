import type { FlatElement } from "../flat-tree.ts";
/** A formula. Source: ours. */
export interface Formula {
  /** TeX where the page has it; else the symbols in a row. */
  readonly tex: string;
  /** Whether it has a line of its own. */
  readonly display: boolean;
  /** Whether `tex` is TeX. */
  readonly isTex: boolean;
}

/** Reads an element that is a formula: MathML, or what KaTeX, MathJax and MediaWiki make of one. Undefined when it is none. Source: ours. */
export function readFormula(element: FlatElement): Formula | undefined {
  const marked = element.getAttribute("data-flat-math");
  if (marked !== null) return { tex: element.textContent.trim(), display: marked === "display", isTex: true };
  if (element.localName === "math") return formulaOf(element, isDisplay(element));
  const classes = ` ${element.getAttribute("class") ?? ""} `;
  const known =
    / (?:katex|katex-display|mwe-math-element|MathJax|mathjax) /.test(classes) || element.localName === "mjx-container";
  if (!known) return undefined;
  const math = element.find(({ localName }) => localName === "math");
  if (math === undefined) return undefined;
  const display = classes.includes(" katex-display ") || element.getAttribute("display") === "true";
  return formulaOf(math, display || isDisplay(math));
}

function isDisplay(math: FlatElement): boolean {
  return math.getAttribute("display") === "block";
}

function formulaOf(math: FlatElement, display: boolean): Formula {
  const annotation = math.find(
    (one) => one.localName === "annotation" && /tex/i.test(one.getAttribute("encoding") ?? ""),
  );
  const tex = (annotation?.textContent ?? math.getAttribute("alttext") ?? "").trim();
  if (tex !== "") return { tex: unstyled(tex), display, isTex: true };
  return { tex: symbols(math, 0).replace(/\s+/g, " ").trim(), display, isTex: false };
}

/** MediaWiki puts each formula in `{\displaystyle …}`. */
function unstyled(tex: string): string {
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
      return `${grouped(first)}/${grouped(second)}`;
    case "msup":
      return `${first}^${grouped(second)}`;
    case "msub":
      return `${first}_${grouped(second)}`;
    case "msubsup":
      return `${first}_${grouped(second)}^${grouped(third)}`;
    case "msqrt":
      return `√${grouped(parts.join(""))}`;
    case "mtr":
      return `${parts.join(" ")}; `;
    default:
      return parts.join(/^(?:mtable|mrow|math|semantics)$/.test(node.localName) ? " " : "");
  }
}

function grouped(text: string): string {
  return text.length > 1 && !/^\w+$/.test(text) ? `(${text})` : text;
}
