import type { ElementHandle, Page } from "playwright-core";
import { awaitWithin } from "../async.ts";
import { settleAfter } from "../page/settling.ts";
import type { StepContext } from "../page/step-context.ts";
import type { ExtractionKind, ExtractStep } from "../task/step.ts";
import type { ReadingEnd } from "./completeness.ts";
import { mergeRows } from "./merge-rows.ts";
import { readPart, type PagePart, type PartReading } from "./read-part.ts";

/** An element that scrolls. */
export interface Scroller {
  /** Handle of the element in the page. */
  readonly handle: ElementHandle<Element>;
  /** True for a virtual list: the page draws rows only while they are in view. */
  readonly isVirtual: boolean;
}

/** Value that was read while scrolling. */
export interface ScrolledReading extends PartReading {
  /** True for a virtual list. */
  readonly isVirtual: boolean;
  /** Reason why reading ended; undefined when nothing was scrolled. */
  readonly end?: ReadingEnd;
}

/** Longest wait for the page, in milliseconds. */
const timeoutMs = 3000;
/** Most scrolls of one list, and most rows. */
const bounds = { scrolls: 400, rows: 5000 } as const;

/** Reads a virtual list by scrolling; returns the first reading of any other one. */
export async function readScrolled(
  page: Page,
  part: PagePart | undefined,
  step: ExtractStep,
  first: PartReading,
  context: StepContext,
): Promise<ScrolledReading> {
  const scroller = Array.isArray(first.value) ? await findScroller(page, part, step.what.kind) : undefined;
  if (!scroller?.isVirtual) return { ...first, isVirtual: false };
  await settleAfter(page, context, () => scrollReading(scroller, "top"), "load");
  const top = await readPart(page, part, step.what, step.name, context);
  const all = await readWhileScrolling(page, part, step, scroller, top, context);
  await scrollReading(scroller, "top");
  return all ?? { ...first, isVirtual: true, end: { reason: "all" } };
}

/** Reads while scrolling to the end; undefined if scrolling showed nothing new. */
export async function readWhileScrolling(
  page: Page,
  part: PagePart | undefined,
  step: ExtractStep,
  scroller: Scroller,
  { value: before }: Pick<PartReading, "value">,
  context: StepContext,
): Promise<ScrolledReading | undefined> {
  let items: readonly unknown[] = Array.isArray(before) ? before : [];
  let shape = "none";
  const count = items.length;
  for (let scrolls = 0; ; scrolls += 1) {
    if (scrolls >= bounds.scrolls || items.length >= bounds.rows) {
      return { value: items, shape, isVirtual: true, end: { reason: "limit", limit: scrolls } };
    }
    const isAtEnd = await settleAfter(page, context, () => scrollReading(scroller, "down"));
    const reading = await readPart(page, part, step.what, step.name, context);
    if (isAtEnd === undefined || !Array.isArray(reading.value)) break;
    ({ shape } = reading);
    const merged = mergeRows(items, reading.value);
    items = merged.items;
    // At the end a list that loads more has grown meanwhile.
    if (isAtEnd && (await isStillAtEnd(scroller))) break;
  }
  return items.length > count ? { value: items, shape, isVirtual: true, end: { reason: "all" } } : undefined;
}

async function isStillAtEnd({ handle }: Scroller): Promise<boolean> {
  const atEnd = handle.evaluate((one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 2);
  return (await awaitWithin(timeoutMs, atEnd)) ?? true;
}

/** Finds what has to be scrolled to see all of a table or list; undefined if nothing scrolls. */
export async function findScroller(
  page: Page,
  part: PagePart | undefined,
  kind: ExtractionKind["kind"],
): Promise<Scroller | undefined> {
  const root = part?.locator ?? page.locator(":root");
  const handle = await awaitWithin(timeoutMs, root.evaluateHandle(locateScroller, kind, { timeout: timeoutMs }));
  const found = handle && (await awaitWithin(timeoutMs, handle.jsonValue()));
  const element = found && (await awaitWithin(timeoutMs, handle.getProperty("element")))?.asElement();
  return element ? { isVirtual: found.isVirtual, handle: element } : undefined;
}

/** Scrolls by a part of what is shown, to the top or to the end. Returns whether the end is reached; undefined if the page does not respond. */
export async function scrollReading({ handle }: Scroller, to: "top" | "down" | "end"): Promise<boolean | undefined> {
  return awaitWithin(timeoutMs, handle.evaluate(scrollTo, to));
}

/** Runs in the page. */
function scrollTo(element: Element, to: "top" | "down" | "end"): boolean {
  const before = element.scrollTop;
  const top = { top: 0, down: before + Math.max(20, 0.6 * element.clientHeight), end: element.scrollHeight }[to];
  element.scrollTo({ top, behavior: "instant" });
  return element.scrollTop + element.clientHeight >= element.scrollHeight - 2;
}

/** Runs in the page: the nearest scroller around the rows, or in the part, or the document. */
function locateScroller(root: Element, kind: string): { element: Element; isVirtual: boolean } | null {
  const page = document.scrollingElement ?? document.documentElement;
  const scrolls = (element: Element): boolean =>
    element.scrollHeight > element.clientHeight + 4 &&
    element.clientHeight > 20 &&
    (element === page || /auto|scroll|overlay/.test(getComputedStyle(element).overflowY));
  const rows = {
    table: "tr, [role=row]",
    list: "li, dt, [role=listitem], [role=option], [role=article]",
    links: "a[href]",
    things: "li, dt, [role=listitem], [role=option], [role=article], article, tr, [role=row]",
  }[kind];
  if (rows === undefined) return null;
  const visibleRows = [...root.querySelectorAll(rows)].filter(
    (row) => row.getClientRects().length > 0 && (row.textContent ?? "").trim() !== "",
  );
  const findAround = (row: Element): Element => {
    let element = row.parentElement;
    while (element && element !== page && !scrolls(element)) element = element.parentElement;
    return element ?? page;
  };
  const around = [...Map.groupBy(visibleRows.slice(0, 3000), findAround)].filter(([scroller]) => scrolls(scroller));
  const [most] = around.sort(([, one], [, other]) => other.length - one.length);
  if (!most) return null;
  const [element, inside] = most;
  const covered = inside.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0);
  const drawn = inside.some(
    (row) =>
      row.hasAttribute("aria-rowindex") ||
      row.hasAttribute("aria-posinset") ||
      /absolute/.test(getComputedStyle(row).position) ||
      (row instanceof HTMLElement && row.style.transform.includes("translate")),
  );
  const spacer = element !== page && kind !== "links" && inside.length > 1 && covered < 0.6 * element.scrollHeight;
  return { element, isVirtual: spacer || (drawn && covered < 0.8 * element.scrollHeight) };
}
