import type { Page } from "playwright-core";
import { StepError } from "../automation-error.ts";
import type { ExtractStep, StepResult } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { locateTarget, type FoundTarget } from "../targets/find-target.ts";
import { describeTitleAndUrl } from "../targets/not-found.ts";
import { hearLate } from "../page/hear.ts";
import { describePending, settle } from "../page/settling.ts";
import { isLoading } from "../page/words.ts";
import { measureCompleteness, nameUnit, type Completeness } from "./completeness.ts";
import { nameThings } from "./things/compile-ask.ts";
import { finishThings } from "./things/finish-things.ts";
import type { PageThing } from "./things/page-ask.ts";
import { mergePages } from "./merge-pages.ts";
import { readNextPages } from "./read-next-pages.ts";
import { readPart, type PartReading } from "./read-part.ts";
import { readScrolled } from "./scroll-reading.ts";
import type { StepContext } from "../page/step-context.ts";
import { sleep } from "../async.ts";

/** Longest waits for content, in milliseconds: until there is some, and until it is no longer a placeholder. */
const contentTimeoutMs = { some: 4000, finished: 10_000 } as const;

/**
 * Extracts what a step asks for from the page, and from the next pages, once the page has settled.
 *
 * @throws {AutomationError} `step_failed` if the page has no such content, or still loads it.
 */
export async function extract(page: Page, step: ExtractStep, context: StepContext): Promise<StepResult> {
  const name = fillIn(step.name, context.variables);
  const late = await hearLate(page);
  const { own, others, busy } = await settle(page, context, "reading");
  if (own.length > 0) throw new StepError(`the page is not ready: ${describePending(own)}`);
  const part = step.target && (await locateTarget(page, step.target, context.variables, { signal: context.signal }));
  const settled = await waitForContent(page, part, step, context);
  const like = settled.things?.like;
  const next = like === undefined ? step : { ...step, what: { ...step.what, like } };
  const first = await readScrolled(page, part, next, settled, context);
  const { pages, notes, end } = step.nextPage
    ? await readNextPages(page, next, step.nextPage, first, context)
    : { pages: [first.value], notes: [], end: undefined };
  const merged = mergePages(pages, step.what.kind);
  const change = part?.foundAs === undefined ? [] : [`It was read from ${part.foundAs}.`];
  const measured = await measureCompleteness(page, step, merged, {
    pages: pages.length,
    end: end ?? first.end,
    total: settled.things?.total,
    isListed: like !== undefined,
  });
  const { value, sentence, isPart, notes: of } = finish(step, merged, measured, settled);
  const remarks = [
    ...late,
    ...notes,
    ...of,
    ...(isPart ? [`${name}: ${sentence}`] : []),
    ...(busy.length > 0 ? [`The page still showed ${JSON.stringify(busy[0])} while ${name} was read.`] : []),
    ...(others.length > 0 ? [`While ${name} was read, ${describePending(others)}.`] : []),
  ];
  const lines = [
    writeSummary(name, value, pages.length, step),
    ...(isPart || sentence === "" ? [] : [sentence]),
    ...change,
  ];
  return { summary: [...lines, ...remarks].join(" "), notes: remarks, data: { name, value, completeness: sentence } };
}

/** The value of an extraction, and its completeness. */
interface FinishedReading extends Completeness {
  readonly value: unknown;
  /** Notes, as sentences. */
  readonly notes: readonly string[];
}

/** Orders, limits or counts things; returns any other value unchanged. */
function finish(
  { what }: ExtractStep,
  value: unknown,
  measured: Completeness,
  { things }: PartReading,
): FinishedReading {
  if (what.kind !== "things" || !isThings(value)) return { ...measured, value, notes: [] };
  const { as, bound, order } = what.question;
  const { several } = nameThings(what.question);
  const { isPart } = measured;
  try {
    const finished = finishThings(value, {
      as,
      bound,
      order,
      several,
      total: things?.total,
      isPart,
      lang: things?.lang,
    });
    const notes = [...(things?.notes ?? []), ...finished.notes];
    if (as === "count") {
      const { total } = things ?? {};
      const says = total && !total.isRough ? `The page says ${JSON.stringify(total.words)}.` : measured.sentence;
      return { value: finished.value, sentence: says, isPart: false, notes };
    }
    const isAllAsked = bound !== undefined && (bound.from === "first" ? value.length >= bound.count : !isPart);
    const sentence = isAllAsked ? writeChoice(bound, order) : measured.sentence;
    return { value: finished.value, sentence, isPart: isPart && !isAllAsked, notes };
  } catch (error) {
    throw new StepError(error instanceof Error ? error.message : "no data", { cause: error });
  }
}

/** Writes which things of the page were asked for: "the first 3", "the cheapest". */
function writeChoice({ from, count }: { readonly from: string; readonly count: number }, order?: string): string {
  const which = order === undefined ? from : order === "cheapest" ? "cheapest" : "most expensive";
  return count === 1 ? `This is the ${which} one of the page.` : `These are the ${which} ${count} of the page.`;
}

function isThings(value: unknown): value is readonly PageThing[] {
  return Array.isArray(value) && value.every((one: unknown) => typeof one === "object" && one !== null && "id" in one);
}

async function waitForContent(
  page: Page,
  part: FoundTarget | undefined,
  step: ExtractStep,
  context: StepContext,
): Promise<PartReading> {
  const beganMs = performance.now();
  for (;;) {
    const reading = await readPart(page, part, step.what, step.name, context);
    const { value } = reading;
    const placeholder = findPlaceholder(value);
    const tookMs = performance.now() - beganMs;
    const hasContent = Array.isArray(value) ? value.length > 0 : value !== undefined;
    if (hasContent && placeholder === undefined) return reading;
    if (hasContent && placeholder !== undefined && tookMs >= contentTimeoutMs.finished) {
      if (!isLoading(placeholder)) return reading;
      const why = `the page still shows ${JSON.stringify(placeholder)} after ${contentTimeoutMs.finished / 1000} s`;
      throw new StepError(`${why} on ${await describeTitleAndUrl(page)}`);
    }
    if (!hasContent && tookMs >= contentTimeoutMs.some) {
      if (value !== undefined) return reading;
      if (reading.refused !== undefined)
        throw new StepError(`${reading.refused} on ${await describeTitleAndUrl(page)}`);
      throw new StepError(`there is no ${nameMissing(step)} on ${await describeTitleAndUrl(page)}`);
    }
    await sleep(100, context.signal);
  }
}

/** Returns a placeholder in a value, such as "Loading…" or the dash of a table of dashes only; undefined if the value is content. */
function findPlaceholder(value: unknown): string | undefined {
  if (typeof value === "string") return isLoading(value.trim()) ? value.trim() : undefined;
  if (!Array.isArray(value)) return undefined;
  const cells = value.flatMap((item: unknown) =>
    typeof item === "object" && item !== null ? Object.values(item).map(String) : [String(item)],
  );
  const loading = cells.find((cell) => isLoading(cell) && (cells.length === 1 || /(?:…|\.{2,3})$/.test(cell)));
  if (loading !== undefined) return loading;
  return cells.length > 0 && cells.every((cell) => /^(?:[-–—…?]+|\.{2,3})?$/.test(cell)) ? cells[0] : undefined;
}

function nameMissing({ what }: ExtractStep): string {
  return what.kind === "elements" || what.kind === "things" ? nameUnit(what) : what.kind.replace("links", "link");
}

function writeSummary(name: string, value: unknown, pages: number, { what }: ExtractStep): string {
  const on = pages === 1 ? "" : ` of ${pages} pages`;
  if (typeof value === "string") return `Extracted ${name}: ${countUnits(value.length, "character")}${on}.`;
  if (!Array.isArray(value)) return `Extracted ${name}${on}.`;
  const unit = what.kind === "things" ? "value" : what.kind === "text" ? "text" : nameUnit(what);
  return `Extracted ${name}: ${countUnits(value.length, unit)}${on}.`;
}

function countUnits(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
