import { flatMarks } from "./flat-marks.ts";
import { nodeAfter, type FlatElement, type FlatNode } from "./flat-tree.ts";
import { hasTag } from "./live-dom.ts";
import { isBehindNumber, isRaised } from "./raised-number.ts";

const inlineTags = new Set(
  "a abbr acronym area audio b bdi bdo big br button cite code data del dfn em font i img input ins kbd label map mark meter nobr output picture progress q rp rt ruby s samp select small span strike strong sub sup svg textarea time tt u var video wbr".split(
    " ",
  ),
);
/** Elements without layout of their own: their position does not depend on their style. */
const leaves = new Set(["br", "img", "input", "wbr"]);
const tableTags = new Set("table thead tbody tfoot tr td th caption colgroup col".split(" "));
const disclosed =
  /(?:^|[\s_-])(?:accordion|collapse|collapsible|collapsed|tab-?panel|tab-?pane|tab-?content|tabs__|toggle-?content|expandable|faq|read-?more|more-?text|disclosure|spoiler)(?:[\s_-]|$)/i;

/** Number of rows from which on a table is checked as a whole. */
const manyRows = 20;
/** Elements without text, whose visibility can't be decided by it. */
const wordless = new Set(
  "img svg picture canvas input select textarea button iframe object embed audio video meter progress".split(" "),
);

/**
 * Known extent to which a part of the page is visible. `all`: all of its text. `lines`: also, line ends are only at the ends of its rows,
 * so elements that are inline by tag are inline by style.
 */
export type ShownExtent = "unknown" | "all" | "lines";

/**
 * Detects in one step whether all cells of a long table are visible: then `innerText` equals `textContent`. It takes less than a
 * hundredth of the time of checking each cell.
 *
 * @returns Undefined when it is not long.
 */
export function findShownExtent(table: Element, copy: FlatElement): ShownExtent | undefined {
  if (!hasTag(table, "table") || table.rows.length < manyRows) return undefined;
  const { innerText, textContent } = table;
  if (!sameWords(innerText, textContent ?? "")) return "unknown";
  return innerText.split("\n").length === rowsWithWords(copy) ? "lines" : "all";
}

/** Counts the rows of a table that have text. */
function rowsWithWords(table: FlatElement): number {
  let count = 0;
  for (const part of table.children) {
    const rows = part.localName === "tr" ? [part] : part.children;
    for (const row of rows) if (row.localName === "tr" && hasWords(row)) count += 1;
  }
  return count;
}

function hasWords(element: FlatElement): boolean {
  for (let node = nodeAfter(element, element); node !== null; node = nodeAfter(node, element))
    if (node.nodeType === 3 && /\S/.test(node.nodeValue)) return true;
  return false;
}

/** Returns whether two texts are the same but for white space. */
function sameWords(one: string, other: string): boolean {
  let at = 0;
  for (let index = 0; index < one.length; index += 1) {
    const code = one.charCodeAt(index);
    if (isSpace(code)) continue;
    while (at < other.length && isSpace(other.charCodeAt(at))) at += 1;
    if (other.charCodeAt(at) !== code) return false;
    at += 1;
  }
  while (at < other.length && isSpace(other.charCodeAt(at))) at += 1;
  return at === other.length;
}

/** Space, tab, the ends of lines, and the space that does not break. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 160;
}

/**
 * Marks on a copy how the browser shows the original.
 *
 * @param shown - Known visibility of its surroundings.
 * @returns Whether it and all within it is not shown, so nothing within needs a look.
 */
export function markRendering(original: Element, copy: FlatElement, name: string, shown: ShownExtent): boolean {
  const known = shown !== "unknown";
  if (known && (wordless.has(name) || !original.hasChildNodes())) return markWordless(original, copy);
  // Its own style says nothing: it is a part of an image.
  if (name === "area") return markWordless(original.parentElement ?? original, copy);
  // The usual case, without reading its style: shown, with the display of its tag.
  if (isFixed(name) && (known || original.checkVisibility({ visibilityProperty: true }))) return false;
  if (shown === "lines" && isInline(name)) return false;
  const style = getComputedStyle(original);
  const { display } = style;
  if (display === "none") {
    copy.setAttribute(flatMarks.hidden, name !== "form" && isDisclosed(original) ? "collapsed" : "display");
    return true;
  }
  if (laidOut.test(display)) markItems(original, copy, style);
  if (!known && style.visibility !== "visible") copy.setAttribute(flatMarks.hidden, "visibility");
  if (isInline(name)) {
    const place = findPlacement(original, copy, name, style);
    if (place !== undefined) copy.setAttribute(flatMarks.display, place);
    if (isBehindNumber(copy.parent === null ? original : copy, name) && isRaised(original, style))
      copy.localName = "sup";
  } else if (display === "inline" && !tableTags.has(name)) copy.setAttribute(flatMarks.display, "inline");
  return false;
}

/** Returns whether an element with content needs no inspection in a part with that known extent. */
export function isSettled(name: string, shown: ShownExtent): boolean {
  return shown !== "unknown" && (isFixed(name) || (shown === "lines" && isInline(name) && !wordless.has(name)));
}

/** Returns whether an element is a part of a line by its tag. */
export function isInline(name: string): boolean {
  return inlineTags.has(name) || name.includes("-");
}

/** Returns whether an element has the same place whatever its style says. */
function isFixed(name: string): boolean {
  return tableTags.has(name) || leaves.has(name);
}

/** Layouts in which white space between elements is not drawn, whatever the space of text in them. */
const laidOut = /^(?:(?:inline-)?(?:flex|grid|table)|table-(?:row|header|footer)-group|table-row)$/;
/** Upper bound of the elements in a line of code: all are in one line. */
const manyItems = 9_999;

/** Marks on code how many elements stand in a line of it. */
function markItems(original: Element, copy: FlatElement, style: CSSStyleDeclaration): void {
  if (original.closest("pre, code, samp") === null) return;
  copy.setAttribute(flatMarks.items, String(itemsInLine(style)));
}

function itemsInLine({
  display,
  flexDirection,
  flexWrap,
  gridTemplateColumns,
  gridAutoFlow,
}: CSSStyleDeclaration): number {
  if (display === "table-row") return manyItems;
  if (display.endsWith("flex")) return flexDirection.startsWith("row") && flexWrap === "nowrap" ? manyItems : 1;
  if (!display.endsWith("grid")) return 1;
  if (gridAutoFlow.startsWith("column")) return manyItems;
  return Math.max(1, gridTemplateColumns.split(/\s+/).filter((track) => track !== "none").length);
}

/** Parts of words whatever is around them. */
const joined = new Set(["code", "kbd", "samp", "sub", "sup"]);
/** Less space than that beside a word is ignored, in CSS pixels. */
const leastRoom = 3;

/** Returns the placement of an element that is inline by tag, by its style: undefined when that is inline, too. */
function findPlacement(
  element: Element,
  copy: FlatElement,
  name: string,
  style: CSSStyleDeclaration,
): "block" | "apart" | undefined {
  const { display } = style;
  const isJoined = joined.has(name);
  if (display !== "inline") {
    // A float or a positioned element is a block for the browser, and for a reader still a part of its line.
    if (style.float !== "none" || style.position === "absolute" || style.position === "fixed")
      return isJoined || isInitial(element, style) ? undefined : "apart";
    if (isBlockLike(display)) return "block";
  }
  return isJoined || !keepsApart(copy.parent === null ? element : copy, display, style) ? undefined : "apart";
}

/** Returns whether it is the large first letter of a text. */
function isInitial(element: Element, { float }: CSSStyleDeclaration): boolean {
  return float === "left" && (element.textContent ?? "").trim().length <= 2;
}

/**
 * Returns whether only its style separates an element from its neighbours. Reads the style last, and neighbours from the copy where
 * possible, as the rest costs most.
 */
function keepsApart(element: Element | FlatElement, display: string, style: CSSStyleDeclaration): boolean {
  const isBox = display.startsWith("inline-");
  return (
    (touches(element.previousSibling, /\S$/) && isRoom(style.marginLeft, isBox ? style.paddingLeft : "0")) ||
    (touches(element.nextSibling, /^\S/) && isRoom(style.marginRight, isBox ? style.paddingRight : "0"))
  );
}

function isRoom(margin: string, padding: string): boolean {
  return Number.parseFloat(margin) + Number.parseFloat(padding) >= leastRoom;
}

function touches(beside: Node | FlatNode | null, edge: RegExp): boolean {
  if (beside === null || beside.nodeType === 1) return beside !== null;
  return "nodeValue" in beside && edge.test(beside.nodeValue ?? "");
}

function markWordless(original: Element, copy: FlatElement): boolean {
  const shown = original.checkVisibility({ visibilityProperty: true });
  if (!shown) copy.setAttribute(flatMarks.hidden, "display");
  return !shown;
}

/** Marks on a copy that the browser keeps the line ends of a text in it. */
export function markSpace(original: Element, copy: FlatElement): void {
  const preserved = keptSpace(getComputedStyle(original).whiteSpaceCollapse);
  if (preserved !== undefined) copy.setAttribute(flatMarks.space, preserved);
}

function isBlockLike(display: string): boolean {
  return /^(?:block|flex|grid|list-item|flow-root|table|table-row|table-cell|table-caption|-webkit-box)$/.test(display);
}

function keptSpace(whiteSpaceCollapse: string): "pre" | "lines" | undefined {
  switch (whiteSpaceCollapse) {
    case "preserve":
    case "break-spaces":
      return "pre";
    case "preserve-breaks":
      return "lines";
    default:
      return undefined;
  }
}

/** Returns whether a hidden element is the collapsed part of tabs, an accordion or similar, which a reader can open; not a menu. */
function isDisclosed(element: Element): boolean {
  if (element.closest("nav, header, [role=navigation], [role=menu], [role=dialog], dialog, select") !== null)
    return false;
  if (element.getAttribute("role") === "tabpanel") return true;
  if (disclosed.test(element.getAttribute("class") ?? "")) return true;
  const id = element.getAttribute("id");
  if (id === null || id === "" || !/^[\w-]+$/.test(id)) return false;
  const root = element.getRootNode();
  const selector = `[aria-controls="${id}"][aria-expanded]:not([aria-haspopup])`;
  const control =
    root instanceof ShadowRoot
      ? root.querySelector(selector)
      : Document.prototype.querySelector.call(element.ownerDocument, selector);
  return control !== null && control.closest("nav, header, [role=navigation]") === null;
}
