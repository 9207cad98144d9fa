import type { ElementHandle, Locator, Page } from "playwright-core";
import { sleep } from "../../async.ts";
import { compileNamePatterns } from "../../targets/same-name.ts";
import { hasClickListener } from "./click-listeners.ts";
import { readNamedKind, listNameWays, type ElementKind, type NameWay, type Root } from "./name-ways.ts";
import { createAmbiguousError, createNoSuchElementError } from "./not-named.ts";
import { pickTargets, type PickOptions } from "./pick-target.ts";

export type { ElementKind } from "./name-ways.ts";

const pollMs = 150;
/** Most texts that are checked for click listeners. */
const maxTexts = 3;

/** Options of a search for an element by name. */
export interface FindOptions {
  /** Its role, if the task names one: "the Search button". */
  readonly role?: string | undefined;
  /** The field that was filled last. */
  readonly near?: ElementHandle | undefined;
  /** The element that it is in. Default: any frame of the page. */
  readonly within?: Locator | undefined;
  /** Longest wait until exactly one matches, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Finds the element of a name. The page has to show exactly that name, as `compileNamePatterns` defines it, not a longer or a similar one.
 * Waits some seconds until exactly one element matches.
 *
 * @throws {AutomationError} `step_failed`, with what is there instead.
 */
export async function findElement(
  page: Page,
  kind: ElementKind,
  name: string,
  signal: AbortSignal,
  options: FindOptions = {},
): Promise<Locator> {
  const ends = performance.now() + (options.timeoutMs ?? 5_000);
  for (;;) {
    signal.throwIfAborted();
    const match = await locateOnce(page, kind, name, options);
    const isAmbiguous = typeof match === "number";
    if (match !== undefined && !isAmbiguous) return match;
    if (performance.now() > ends)
      throw isAmbiguous
        ? createAmbiguousError(name, match)
        : await createNoSuchElementError(page, kind, name, options.role);
    await sleep(pollMs, signal);
  }
}

/** Returns the locator; the number of matches when they are ambiguous; undefined when nothing matches. */
export async function locateOnce(
  page: Page,
  kind: ElementKind,
  name: string,
  { role, near, within }: FindOptions = {},
): Promise<Locator | number | undefined> {
  const roots: readonly Root[] = within ? [within] : page.frames();
  const picking: PickOptions = { isForClicking: kind === "clickable", near };
  const [exact, framed] = compileNamePatterns(name, readNamedKind(kind));
  for (const pattern of String(exact) === String(framed) ? [exact] : [exact, framed]) {
    const all = roots.map((root) => listNameWays(root, kind, pattern, role));
    const most = Math.max(0, ...all.map((list) => list.length));
    for (let way = 0; way < most; way++) {
      const matches = await Promise.all(all.map((list) => locateWay(page, list[way], pattern, picking)));
      const [first, ...others] = matches.flat();
      if (first !== undefined) return others.length === 0 ? first : others.length + 1;
    }
  }
  return undefined;
}

/** Locates the visible elements that one way finds. */
async function locateWay(
  page: Page,
  way: NameWay | undefined,
  { source, flags }: RegExp,
  picking: PickOptions,
): Promise<Locator[]> {
  if (way === undefined) return [];
  const visible = way.mayBeHidden ? way.parts : way.parts.filter({ visible: true });
  if (way.test === undefined) {
    const { indexes, texts } = await pickTargets(visible, picking);
    if (indexes.length > 0) return indexes.map((index) => visible.nth(index));
    const handled: Locator[] = [];
    for (const index of texts.slice(0, maxTexts)) {
      if (await hasClickListener(page, visible.nth(index))) handled.push(visible.nth(index));
    }
    return handled;
  }
  const indexes = await visible.evaluateAll(way.test, { source, flags }).catch((): number[] => []); // the page is navigating
  const those =
    way.onlyIf && indexes.length > 0 ? await visible.evaluateAll(way.onlyIf).catch((): number[] => []) : indexes;
  return indexes.filter((index) => those.includes(index)).map((index) => visible.nth(index));
}
