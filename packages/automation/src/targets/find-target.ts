import type { Locator, Page } from "playwright-core";
import type { StepTarget } from "../task/step.ts";
import { fillIn, fillInSelector } from "../task/template.ts";
import {
  areInterchangeable,
  describeExpectation,
  compareToExpectation,
  type TargetExpectation,
} from "./expectation.ts";
import { findSimilar } from "./find-similar.ts";
import { createNotFoundError } from "./not-found.ts";
import { readLastPart } from "./selector-text.ts";
import { describeElement } from "./accessible-description.ts";
import { findVisibleMatches } from "./visible-matches.ts";
import { sleep, awaitWithin } from "../async.ts";

/** Options of a search. */
export interface FindTargetOptions {
  /** Longest wait for the element, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
  /** Accepts an element that is only similar to the target. Default: true. */
  readonly allowSimilar?: boolean;
  /** Accepts an element that is not visible, as file inputs often are. Default: false. */
  readonly mayBeHidden?: boolean;
  /** Aborts the search. */
  readonly signal?: AbortSignal;
}

/** The element of a target. */
export interface FoundTarget {
  /** Locator of the element. */
  readonly locator: Locator;
  /** The selector of the locator. */
  readonly selector: string;
  /** Description of the element if it differs from the target: `button "Search now"`. */
  readonly foundAs: string | undefined;
}

/** Polling interval, in milliseconds. */
const pollMs = 80;
/** Time without a change of the page after which all selectors are tried, in milliseconds. */
const stableMs = 200;
/** Time without a change of the page after which a similar element is accepted, in milliseconds. */
const similarAfterMs = 900;
/** Least similarity of an element found by an attribute or by its position. */
const minSimilarity = 0.5;

/**
 * Finds the one element of a target, and waits for it within a bound; if it has changed, `foundAs` describes it.
 *
 * @throws {AutomationError} `step_failed`, listing what the page shows instead; `unknown_variable`
 */
export async function locateTarget(
  page: Page,
  target: StepTarget,
  variables: ReadonlyMap<string, string>,
  { timeoutMs = 5000, allowSimilar: alike = true, mayBeHidden = false, signal }: FindTargetOptions = {},
): Promise<FoundTarget> {
  const selectors = target.selectors.map((selector) => fillInSelector(selector, variables));
  const expected = describeExpectation(target, variables);
  const end = performance.now() + timeoutMs;
  const counts = new Map<string, number>();
  const find = async (some: readonly string[]): Promise<FoundTarget | undefined> => {
    for (const selector of some) {
      signal?.throwIfAborted();
      const { count, chosen } = await findVisibleMatches(page, selector, mayBeHidden);
      counts.set(selector, count);
      const match =
        chosen &&
        ((mayBeHidden && (await acceptHiddenFileInput(page, selector, chosen))) ||
          (await verifyMatch(page, selector, chosen, expected)));
      if (match) return match;
    }
    return undefined;
  };
  let fingerprint = "";
  let stableSince = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const first = await find(selectors.slice(0, 1));
    if (first) return first;
    const now = await readFingerprint(page);
    if (now !== fingerprint || !now.startsWith("complete")) stableSince = performance.now();
    fingerprint = now;
    const isLast = performance.now() >= end;
    const stableForMs = isLast ? Number.POSITIVE_INFINITY : performance.now() - stableSince;
    const other = stableForMs >= stableMs ? await find(selectors.slice(1)) : undefined;
    if (other) return other;
    const similar = alike && stableForMs >= similarAfterMs ? await findSimilar(page, expected, signal) : undefined;
    if (similar) return { ...similar, locator: page.locator(similar.selector) };
    if (isLast)
      throw await createNotFoundError(
        page,
        fillIn(target.label, variables),
        expected,
        Math.max(0, ...counts.values()),
        signal,
      );
    await sleep(Math.min(pollMs, Math.max(1, end - performance.now())), signal);
  }
}

/** Returns a fingerprint of the page, which differs after a change. */
async function readFingerprint(page: Page): Promise<string> {
  const look = page.evaluate(
    () =>
      `${document.readyState} ${document.getElementsByTagName("*").length} ${document.body?.textContent?.length ?? 0} ${location.href}`,
  );
  return (await awaitWithin(1000, look)) ?? `loading ${performance.now()}`;
}

/** Accepts a hidden file input that is selected by its label or its own attributes, or that is the only one of the document. */
async function acceptHiddenFileInput(page: Page, selector: string, chosen: string): Promise<FoundTarget | undefined> {
  const locator = page.locator(chosen);
  const others = await locator.evaluate(countOtherFileInputs, undefined, { timeout: 1000 }).catch(() => undefined);
  if (others === undefined) return undefined;
  const last = readLastPart(selector);
  const isNamed = /^internal:(?:label|testid)=|^[a-z]*\[(?:name|id|data-test[a-z-]*|data-cy|data-qa)=/.test(last);
  return isNamed || others === 0 ? { locator, selector: chosen, foundAs: undefined } : undefined;
}

/** Runs in the page: counts the other file inputs of a document; undefined if the element is no file input, or is visible. */
function countOtherFileInputs(element: Element): number | undefined {
  const isInput = element instanceof HTMLInputElement && element.type === "file";
  if (!isInput || element.checkVisibility({ visibilityProperty: true, opacityProperty: false })) return undefined;
  return element.ownerDocument.querySelectorAll("input[type=file]").length - 1;
}

/**
 * Verifies the element of a selector. One found by role and name is accepted, and so is one found by label or test id whose role fits,
 * unless the name contains a variable. Any other one has to be similar to the expected element: texts occur elsewhere, too, ids are
 * generated anew, and positions shift.
 */
async function verifyMatch(
  page: Page,
  selector: string,
  chosen: string,
  expected: TargetExpectation,
): Promise<FoundTarget | undefined> {
  const base = { locator: page.locator(chosen), selector: chosen };
  const last = readLastPart(selector);
  const isNamed = /^(?:internal:)?role=|^internal:and="internal:role=/.test(last);
  if (isNamed || expected.role === undefined) return { ...base, foundAs: undefined };
  const { role, name } = await describeElement(page, base.locator);
  const isSame = role === expected.role && (expected.name === undefined || name === expected.name);
  const match = { ...base, foundAs: isSame ? undefined : `${role} ${JSON.stringify(name)}` };
  if (
    !expected.isVariable &&
    /^internal:(?:label|testid)=|^[a-z]*\[(?:name|data-test[a-z-]*|data-cy|data-qa)=/.test(last)
  ) {
    return areInterchangeable(expected.role, role) ? match : undefined;
  }
  const isPlain = role === "generic" || role === "text" || role === "";
  const kind = isPlain && expected.name !== undefined ? { ...expected, role: undefined } : expected;
  return compareToExpectation(kind, role, name) >= minSimilarity ? match : undefined;
}
