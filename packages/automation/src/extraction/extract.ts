import type { Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import type { Step, StepResult, Target } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { locateTarget, type FoundTarget } from "../targets/find-target.ts";
import { placeOf } from "../targets/not-found.ts";
import { mergePages } from "./merge-pages.ts";
import { readPart, type Reading } from "./read-part.ts";
import { settleAfter } from "../page/settling.ts";
import type { StepContext } from "../page/step-context.ts";
import { targetOfLocator } from "../targets/record-target.ts";
import { sleep } from "../async.ts";

type ExtractStep = Extract<Step, { readonly action: "extract" }>;

/** Longest wait for content, in milliseconds. */
const contentTimeoutMs = 4000;
/** Longest wait for the next page to show other content, in milliseconds. */
const changeTimeoutMs = 3000;
/** Longest search for the link to the next page, in milliseconds. */
const nextPageTimeoutMs = 1500;
/** Most pages, whatever a step asks for. */
const maxPages = 100;

/**
 * Extracts what a step asks for from the page, and from the next pages.
 *
 * @throws {AutomationError} `step_failed` if the page has no such content.
 */
export async function extract(page: Page, step: ExtractStep, context: StepContext): Promise<StepResult> {
  const name = fillIn(step.name, context.variables);
  const part = step.target && (await locateTarget(page, step.target, context.variables, { signal: context.signal }));
  const first = await waitForContent(page, part, step, context);
  const { pages, notes } = step.nextPage
    ? await readNextPages(page, step, step.nextPage, first, context)
    : { pages: [first.value], notes: [] };
  const value = mergePages(pages, step.what.kind);
  const change = part?.foundAs === undefined ? [] : [`It was read from ${part.foundAs}.`];
  return {
    summary: [summaryOf(name, value, pages.length, step), ...change, ...notes].join(" "),
    data: { name, value },
  };
}

async function waitForContent(
  page: Page,
  part: FoundTarget | undefined,
  step: ExtractStep,
  context: StepContext,
): Promise<Reading> {
  const end = Date.now() + contentTimeoutMs;
  for (;;) {
    const reading = await readPart(page, part, step.what, step.name, context);
    const hasContent = Array.isArray(reading.value) ? reading.value.length > 0 : reading.value !== undefined;
    if (hasContent || (Date.now() >= end && reading.value !== undefined)) return reading;
    if (Date.now() >= end)
      throw new AutomationError("step_failed", `there is no ${nounOf(step)} on ${await placeOf(page)}`);
    await sleep(100, context.signal);
  }
}

/** Follows the link to the next page as long as it leads to new content of the same shape. */
async function readNextPages(
  page: Page,
  step: ExtractStep,
  nextPage: { readonly target: Target; readonly most: number },
  first: Reading,
  context: StepContext,
): Promise<{ pages: unknown[]; notes: string[] }> {
  const { variables, signal } = context;
  const most = Math.min(maxPages, nextPage.most);
  const pages = [first.value];
  const seen = new Set([JSON.stringify(first.value)]);
  const notes: string[] = [];
  let target = nextPage.target;
  while (pages.length < most) {
    const next = await findNextPage(page, target, pages.length === 1, context);
    if (next === undefined) break;
    if (next.foundAs !== undefined && target === nextPage.target) {
      notes.push(`The link to the next page was found as ${next.foundAs}.`);
      target = await targetOfLocator(next.locator).catch(() => target);
    }
    await settleAfter(page, context, () => next.locator.click({ timeout: 5000, signal }));
    const reading = await waitForNewContent(page, step, JSON.stringify(pages.at(-1)), context);
    const content = JSON.stringify(reading?.value);
    if (reading === undefined || seen.has(content) || reading.shape !== first.shape) break;
    seen.add(content);
    pages.push(reading.value);
  }
  if (pages.length === most && (await findNextPage(page, target, false, context))) {
    notes.push(
      `Page limit of the step (${most}) reached; there are more pages: ${fillIn(nextPage.target.label, variables)} is still shown.`,
    );
  }
  return { pages, notes };
}

/** Finds the link to the next page; undefined if it is missing or disabled. */
async function findNextPage(
  page: Page,
  target: Target,
  alike: boolean,
  { signal, variables }: StepContext,
): Promise<FoundTarget | undefined> {
  try {
    const found = await locateTarget(page, target, variables, {
      timeoutMs: nextPageTimeoutMs,
      allowSimilar: alike,
      signal,
    });
    const isDisabled = await found.locator.evaluate(
      (element) => element.closest(":disabled, [aria-disabled=true], .disabled") !== null,
      undefined,
      { timeout: 2000, signal },
    );
    return isDisabled ? undefined : found;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AutomationError && error.code !== "step_failed") throw error;
    return undefined;
  }
}

/** Reads until the content has changed; undefined if it does not change in time. */
async function waitForNewContent(
  page: Page,
  step: ExtractStep,
  before: string,
  context: StepContext,
): Promise<Reading | undefined> {
  const end = Date.now() + changeTimeoutMs;
  do {
    const reading = await tryRead(page, step, context);
    if (reading?.value !== undefined && JSON.stringify(reading.value) !== before) return reading;
    await sleep(100, context.signal);
  } while (Date.now() < end);
  return undefined;
}

async function tryRead(page: Page, step: ExtractStep, context: StepContext): Promise<Reading | undefined> {
  try {
    const options = { timeoutMs: nextPageTimeoutMs, signal: context.signal };
    const part = step.target && (await locateTarget(page, step.target, context.variables, options));
    return await readPart(page, part, step.what, step.name, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof AutomationError && error.code !== "step_failed") throw error;
    return undefined;
  }
}

function nounOf({ what }: ExtractStep): string {
  return { table: "table", list: "list", links: "link", text: "text", data: "data" }[what.kind];
}

function summaryOf(name: string, value: unknown, pages: number, step: ExtractStep): string {
  const on = pages === 1 ? "" : ` of ${pages} pages`;
  const unit = { table: "row", list: "item", links: "link", text: "text", data: "value" }[step.what.kind];
  if (Array.isArray(value)) return `Extracted ${name}: ${pluralized(value.length, unit)}${on}.`;
  return typeof value === "string"
    ? `Extracted ${name}: ${pluralized(value.length, "character")}${on}.`
    : `Extracted ${name}${on}.`;
}

function pluralized(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
