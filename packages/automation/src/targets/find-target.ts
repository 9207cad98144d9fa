import type { Locator, Page } from "playwright-core";
import type { Target } from "../task/step.ts";
import { fillIn, fillInSelector } from "../task/template.ts";
import { areKin, expectationOf, likeness, type Expectation } from "./expectation.ts";
import { findAlike } from "./find-alike.ts";
import { notFound } from "./not-found.ts";
import { partsOf } from "./selector-text.ts";
import { seenAs } from "./seen-as.ts";
import { visibleMatches } from "./visible-matches.ts";
import { sleep, within } from "../async.ts";

/** Bounds of a search. */
export interface FindOptions {
  /** How long it is waited for the element, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
  /** True when an element that is only like the target will do. Default: true. */
  readonly alike?: boolean;
  /** Calls the search off. */
  readonly signal?: AbortSignal;
}

/** The element that a target means. */
export interface FoundTarget {
  /** Leads to it. */
  readonly locator: Locator;
  /** The selector of the locator. */
  readonly selector: string;
  /** Description of the element when it differs from the target: `button "Search now"`. */
  readonly foundAs: string | undefined;
}

/** How often it is looked, in milliseconds. */
const pollMs = 80;
/** After what time without a change of the page all selectors are tried, in milliseconds. */
const calmMs = 200;
/** After what time without a change of the page an element that is like the target will do, in milliseconds. */
const settledMs = 900;
/** How alike an element has to be that an attribute or a place in the structure leads to. */
const leastLikeness = 0.5;

/**
 * Finds the one element that a target means, and waits for it within a bound.
 *
 * @throws {AutomationError} `step_failed` with what was seen instead; `unknown_variable`
 */
export async function findTarget(
  page: Page,
  target: Target,
  variables: ReadonlyMap<string, string>,
  options: FindOptions = {},
): Promise<Locator> {
  return (await locateTarget(page, target, variables, options)).locator;
}

/**
 * Finds the one element that a target means, and tells when it has changed: then it was recognized by a name and role alike.
 *
 * @throws {AutomationError} `step_failed` with what was seen instead; `unknown_variable`
 */
export async function locateTarget(
  page: Page,
  target: Target,
  variables: ReadonlyMap<string, string>,
  { timeoutMs = 5000, alike = true, signal }: FindOptions = {},
): Promise<FoundTarget> {
  const selectors = target.selectors.map((selector) => fillInSelector(selector, variables));
  const expected = expectationOf(target, variables);
  const end = Date.now() + timeoutMs;
  const counts = new Map<string, number>();
  const find = async (some: readonly string[]): Promise<FoundTarget | undefined> => {
    for (const selector of some) {
      signal?.throwIfAborted();
      const { count, chosen } = await visibleMatches(page, selector);
      counts.set(selector, count);
      const found = chosen && (await verified(page, selector, chosen, expected));
      if (found) return found;
    }
    return undefined;
  };
  let look = "";
  let calmSince = Date.now();
  for (;;) {
    signal?.throwIfAborted();
    const first = await find(selectors.slice(0, 1));
    if (first) return first;
    const now = await lookOf(page);
    if (now !== look || !now.startsWith("complete")) calmSince = Date.now();
    look = now;
    const isLast = Date.now() >= end;
    const calm = isLast ? Number.POSITIVE_INFINITY : Date.now() - calmSince;
    const other = calm >= calmMs ? await find(selectors.slice(1)) : undefined;
    if (other) return other;
    const like = alike && calm >= settledMs ? await findAlike(page, expected, signal) : undefined;
    if (like) return { ...like, locator: page.locator(like.selector) };
    if (isLast)
      throw await notFound(page, fillIn(target.label, variables), expected, Math.max(0, ...counts.values()), signal);
    await sleep(Math.min(pollMs, Math.max(1, end - Date.now())), signal);
  }
}

/** Returns a fingerprint of the page, which differs after a change. */
async function lookOf(page: Page): Promise<string> {
  const look = page.evaluate(
    () =>
      `${document.readyState} ${document.getElementsByTagName("*").length} ${document.body?.textContent?.length ?? 0} ${location.href}`,
  );
  return (await within(1000, look)) ?? `loading ${Date.now()}`;
}

/**
 * Roles and names are what people go by, labels and test ids are made for it: but not for telling what has one value from what has
 * another. Whatever else leads to an element has to lead to
 * one that is like the one meant: texts stand elsewhere too, ids are given anew, and places in the structure shift.
 */
async function verified(
  page: Page,
  selector: string,
  chosen: string,
  expected: Expectation,
): Promise<FoundTarget | undefined> {
  const found = { locator: page.locator(chosen), selector: chosen };
  const last = partsOf(selector).findLast((part) => !/^(?:nth|visible)=/.test(part)) ?? "";
  const isNamed = /^(?:internal:)?role=|^internal:and="internal:role=/.test(last);
  if (isNamed || expected.role === undefined) return { ...found, foundAs: undefined };
  const { role, name } = await seenAs(page, found.locator);
  const isSame = role === expected.role && (expected.name === undefined || name === expected.name);
  const seen = { ...found, foundAs: isSame ? undefined : `${role} ${JSON.stringify(name)}` };
  if (
    !expected.isVariable &&
    /^internal:(?:label|testid)=|^[a-z]*\[(?:name|data-test[a-z-]*|data-cy|data-qa)=/.test(last)
  ) {
    return areKin(expected.role, role) ? seen : undefined;
  }
  const isPlain = role === "generic" || role === "text" || role === "";
  const kind = isPlain && expected.name !== undefined ? { ...expected, role: undefined } : expected;
  return likeness(kind, role, name) >= leastLikeness ? seen : undefined;
}
