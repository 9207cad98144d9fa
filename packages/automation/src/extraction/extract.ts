import type { Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import type { Step, StepResult, Target } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { locateTarget, type FoundTarget } from "../targets/find-target.ts";
import { placeOf } from "../targets/not-found.ts";
import { joinPages } from "./join-pages.ts";
import { readPart, type Reading } from "./read-part.ts";
import { settleAfter } from "../page/settling.ts";
import type { Stage } from "../page/stage.ts";
import { targetOfLocator } from "../targets/target-of.ts";
import { sleep } from "../async.ts";

type ExtractStep = Extract<Step, { readonly action: "extract" }>;

/** Longest wait for something to read, in milliseconds. */
const contentMs = 4000;
/** Longest wait for the next page to show other content, in milliseconds. */
const changeMs = 3000;
/** Longest search for the way to the next page, in milliseconds. */
const nextMs = 1500;
/** Most pages, whatever a step asks for. */
const mostPages = 100;

/**
 * Extracts what a step asks for from the page, and from those behind it.
 *
 * @throws {AutomationError} `step_failed` when there is nothing of the kind.
 */
export async function extract(page: Page, step: ExtractStep, stage: Stage): Promise<StepResult> {
  const name = fillIn(step.name, stage.variables);
  const part = step.target && (await locateTarget(page, step.target, stage.variables, { signal: stage.signal }));
  const first = await untilThere(page, part, step, stage);
  const { pages, notes } = step.nextPage
    ? await readOn(page, step, step.nextPage, first, stage)
    : { pages: [first.value], notes: [] };
  const value = joinPages(pages, step.what.kind);
  const change = part?.foundAs === undefined ? [] : [`It was read from ${part.foundAs}.`];
  return {
    summary: [summaryOf(name, value, pages.length, step), ...change, ...notes].join(" "),
    data: { name, value },
  };
}

async function untilThere(
  page: Page,
  part: FoundTarget | undefined,
  step: ExtractStep,
  stage: Stage,
): Promise<Reading> {
  const end = Date.now() + contentMs;
  for (;;) {
    const reading = await readPart(page, part, step.what, step.name, stage);
    const isThere = Array.isArray(reading.value) ? reading.value.length > 0 : reading.value !== undefined;
    if (isThere || (Date.now() >= end && reading.value !== undefined)) return reading;
    if (Date.now() >= end)
      throw new AutomationError("step_failed", `there is no ${nounOf(step)} on ${await placeOf(page)}`);
    await sleep(100, stage.signal);
  }
}

/** Follows the way to the next page for as long as it leads to other content of the same form. */
async function readOn(
  page: Page,
  step: ExtractStep,
  nextPage: { readonly target: Target; readonly most: number },
  first: Reading,
  stage: Stage,
): Promise<{ pages: unknown[]; notes: string[] }> {
  const { variables, signal } = stage;
  const most = Math.min(mostPages, nextPage.most);
  const pages = [first.value];
  const seen = new Set([JSON.stringify(first.value)]);
  const notes: string[] = [];
  let target = nextPage.target;
  while (pages.length < most) {
    const next = await nextOf(page, target, pages.length === 1, stage);
    if (next === undefined) break;
    if (next.foundAs !== undefined && target === nextPage.target) {
      notes.push(`The way to the next page was found as ${next.foundAs}.`);
      target = await targetOfLocator(next.locator).catch(() => target);
    }
    stage.acted();
    await settleAfter(page, stage, () => next.locator.click({ timeout: 5000, signal }));
    const reading = await nextReading(page, step, JSON.stringify(pages.at(-1)), stage);
    const content = JSON.stringify(reading?.value);
    if (reading === undefined || seen.has(content) || reading.form !== first.form) break;
    seen.add(content);
    pages.push(reading.value);
  }
  if (pages.length === most && (await nextOf(page, target, false, stage))) {
    notes.push(
      `There are more pages than the ${most} that were asked for: ${fillIn(nextPage.target.label, variables)} is still there.`,
    );
  }
  return { pages, notes };
}

/** The way to the next page; undefined when it is gone or disabled. */
async function nextOf(
  page: Page,
  target: Target,
  alike: boolean,
  { signal, variables }: Stage,
): Promise<FoundTarget | undefined> {
  try {
    const found = await locateTarget(page, target, variables, { timeoutMs: nextMs, alike, signal });
    const isOff = await found.locator.evaluate(
      (element) => element.closest(":disabled, [aria-disabled=true], .disabled") !== null,
      undefined,
      { timeout: 2000, signal },
    );
    return isOff ? undefined : found;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AutomationError && error.code !== "step_failed") throw error;
    return undefined;
  }
}

/** Reads until the content is another one than before; undefined when it stays. */
async function nextReading(page: Page, step: ExtractStep, before: string, stage: Stage): Promise<Reading | undefined> {
  const end = Date.now() + changeMs;
  do {
    const reading = await readNow(page, step, stage);
    if (reading?.value !== undefined && JSON.stringify(reading.value) !== before) return reading;
    await sleep(100, stage.signal);
  } while (Date.now() < end);
  return undefined;
}

async function readNow(page: Page, step: ExtractStep, stage: Stage): Promise<Reading | undefined> {
  try {
    const options = { timeoutMs: nextMs, signal: stage.signal };
    const part = step.target && (await locateTarget(page, step.target, stage.variables, options));
    return await readPart(page, part, step.what, step.name, stage);
  } catch (error) {
    stage.signal.throwIfAborted();
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
  if (Array.isArray(value)) return `Extracted ${name}: ${many(value.length, unit)}${on}.`;
  return typeof value === "string"
    ? `Extracted ${name}: ${many(value.length, "character")}${on}.`
    : `Extracted ${name}${on}.`;
}

function many(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
