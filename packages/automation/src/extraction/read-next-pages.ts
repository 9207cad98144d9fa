import type { Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import type { ExtractStep, StepTarget } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { locateTarget, type FoundTarget } from "../targets/find-target.ts";
import { identifyDocument } from "../page/document-of.ts";
import { findFailedRead, hear } from "../page/hear.ts";
import { settleAfter } from "../page/settling.ts";
import { recordTarget } from "../targets/record-target.ts";
import type { ReadingEnd } from "./completeness.ts";
import { findFurther } from "./find-further.ts";
import { mergeRows } from "./merge-rows.ts";
import { readPart, type PartReading } from "./read-part.ts";
import { findScroller, readWhileScrolling, scrollReading, type ScrolledReading } from "./scroll-reading.ts";
import type { StepContext } from "../page/step-context.ts";
import { sleep } from "../async.ts";

type NextPage = NonNullable<ExtractStep["nextPage"]>;

/** Longest wait for the next page to show other content, in milliseconds. */
const changeTimeoutMs = 3000;
/** Longest wait for a page that was scrolled to its end to show more, in milliseconds. */
const growthTimeoutMs = 1500;
/** Longest search for the link to the next page, in milliseconds. */
const nextPageTimeoutMs = 1500;
/** Most pages, whatever a step asks for. */
const maxPages = 100;

/** Values of several pages. */
export interface PagesRead {
  /** The value of each page. */
  readonly pages: readonly unknown[];
  /** Notes, as sentences. */
  readonly notes: readonly string[];
  /** Reason why reading ended. */
  readonly end: ReadingEnd;
}

/** The value before a page changes, and the request that fails during the change. */
interface Change {
  readonly before: unknown;
  /** The request for more that failed; undefined if none did. */
  readonly heard: { why: string | undefined };
}

/** A control that shows more, and how it is clicked. */
interface Control {
  readonly name: string;
  readonly click: () => Promise<void>;
  readonly foundAs?: FoundTarget;
}

/** Reads page after page, by the link to the next page, a number, a button that loads more, or by scrolling, to the end or a limit. */
export async function readNextPages(
  page: Page,
  step: ExtractStep,
  nextPage: NextPage,
  first: ScrolledReading,
  context: StepContext,
): Promise<PagesRead> {
  const most = Math.min(maxPages, nextPage.most);
  const pages: unknown[] = [first.value];
  const earlier = new Set([JSON.stringify(first.value)]);
  const tried: string[] = [];
  const notes: string[] = [];
  let target = nextPage.target;
  let isTarget = true;
  let count = 1;
  for (; count < most; count += 1) {
    const control = await findControl(page, isTarget ? target : undefined, count, tried, context);
    if (control?.foundAs?.foundAs !== undefined && target === nextPage.target) {
      notes.push(`The link to the next page was found as ${control.foundAs.foundAs}.`);
      target = await recordTarget(control.foundAs.locator).catch(() => target);
    }
    const before = pages.at(-1);
    const heard: Change["heard"] = { why: undefined };
    const reading = control
      ? await readAfter(page, step, { before, timeoutMs: changeTimeoutMs, act: control.click, heard }, context)
      : await readAfterScrolling(page, step, { before, heard }, context);
    if (reading === undefined || earlier.has(JSON.stringify(reading.value))) {
      if (heard.why !== undefined) return { pages, notes, end: { reason: "failed", why: heard.why } };
      if (!control) return { pages, notes, end: { reason: "all" } };
      // A control that shows nothing new is not the way, or not any more.
      tried.push(control.name);
      isTarget = false;
      count -= 1;
      if (tried.length > 3) return { pages, notes, end: { reason: "all" } };
      continue;
    }
    if (reading.shape !== first.shape) return { pages, notes, end: { reason: "shape", control: control?.name } };
    earlier.add(JSON.stringify(reading.value));
    addPage(pages, reading, control === undefined || first.isVirtual);
  }
  const further = await findControl(page, isTarget ? target : undefined, count, tried, context);
  if (!further) return { pages, notes, end: { reason: "limit", limit: most } };
  const label = further.foundAs ? fillIn(nextPage.target.label, context.variables) : JSON.stringify(further.name);
  notes.push(`Page limit of the step (${most}) reached; there are more pages: ${label} is still shown.`);
  return { pages, notes, end: { reason: "limit", limit: most, control: further.name } };
}

/** Adds the value of a page. One that extends the previous value replaces it. */
function addPage(pages: unknown[], { value }: PartReading, isSamePage: boolean): void {
  const before: unknown = pages.at(-1);
  if (!Array.isArray(value) || !Array.isArray(before)) return void pages.push(value);
  const isGrown =
    value.length > before.length &&
    before.every((item, index) => JSON.stringify(item) === JSON.stringify(value[index]));
  if (isGrown || isSamePage) pages[pages.length - 1] = mergeRows(before, value).items;
  else pages.push(value);
}

/** Finds the recorded link to the next page, or else any control that shows more. */
async function findControl(
  page: Page,
  target: StepTarget | undefined,
  count: number,
  tried: readonly string[],
  context: StepContext,
): Promise<Control | undefined> {
  const { signal } = context;
  const link = target && (await findNextPage(page, target, count === 1, context));
  if (link) return { name: target.label, foundAs: link, click: () => link.locator.click({ timeout: 5000, signal }) };
  const further = await findFurther(page, count, tried);
  return further && { name: further.name, click: () => further.element.click({ timeout: 5000, signal }) };
}

/** Finds the link to the next page; undefined if it is missing or disabled. */
async function findNextPage(
  page: Page,
  target: StepTarget,
  alike: boolean,
  { signal, variables }: StepContext,
): Promise<FoundTarget | undefined> {
  try {
    const link = await locateTarget(page, target, variables, {
      timeoutMs: nextPageTimeoutMs,
      allowSimilar: alike,
      signal,
    });
    const isUsable = await link.locator.evaluate(leadsFurther, undefined, { timeout: 2000, signal });
    return isUsable ? link : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AutomationError && error.code !== "step_failed") throw error;
    return undefined;
  }
}

/** Runs in the page: returns whether a control is enabled, and does not send what somebody typed into a form. */
function leadsFurther(element: Element): boolean {
  if (element.closest(":disabled, [aria-disabled=true], .disabled") !== null) return false;
  const button = element.closest<HTMLButtonElement>("button, input[type=submit], input[type=image]");
  const fields =
    button?.type === "submit"
      ? button.form?.querySelector("input:not([type=hidden], [type=submit], [type=button]), textarea")
      : null;
  return !fields;
}

/** Acts, and reads until the content has changed; undefined if it does not change in time. */
async function readAfter(
  page: Page,
  step: ExtractStep,
  { before, timeoutMs, act, heard }: Change & { readonly timeoutMs: number; readonly act: () => Promise<unknown> },
  context: StepContext,
): Promise<PartReading | undefined> {
  const old = JSON.stringify(before);
  const document = await identifyDocument(page);
  await settleAfter(page, context, act);
  heard.why = await findFailedRead(page);
  await hear(page, { kind: "leads", before: document });
  const endMs = performance.now() + timeoutMs;
  do {
    const reading = await tryRead(page, step, context);
    if (reading?.value !== undefined && JSON.stringify(reading.value) !== old) return reading;
    await sleep(100, context.signal);
  } while (performance.now() < endMs);
  return undefined;
}

/** Scrolls to the end, and reads what the page adds; undefined if it adds nothing. */
async function readAfterScrolling(
  page: Page,
  step: ExtractStep,
  { before, heard }: Change,
  context: StepContext,
): Promise<PartReading | undefined> {
  const part = await locatePart(page, step, context);
  const scroller = await findScroller(page, part, step.what.kind);
  if (!scroller) return undefined;
  if (scroller.isVirtual) return readWhileScrolling(page, part, step, scroller, { value: before }, context);
  const act = (): Promise<unknown> => scrollReading(scroller, "end");
  return readAfter(page, step, { before, timeoutMs: growthTimeoutMs, act, heard }, context);
}

async function locatePart(page: Page, { target }: ExtractStep, context: StepContext): Promise<FoundTarget | undefined> {
  const { variables, signal } = context;
  return target && locateTarget(page, target, variables, { timeoutMs: nextPageTimeoutMs, signal });
}

async function tryRead(page: Page, step: ExtractStep, context: StepContext): Promise<PartReading | undefined> {
  try {
    return await readPart(page, await locatePart(page, step, context), step.what, step.name, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof AutomationError && error.code !== "step_failed") throw error;
    return undefined;
  }
}
