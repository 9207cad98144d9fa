import { randomUUID } from "node:crypto";
import { selectors, type Page } from "playwright-core";
import { PageContentError } from "../page-content-error.ts";
import type { Deadline } from "./deadline.ts";
import { PageWorld } from "./page-world.ts";

/** Name of a selector engine that reports an element instead of searching for others. */
const reportingEngine = "cloud-browser-report";
const reportingEngineSource = `({
  query: (element) => element,
  queryAll: (element, type) => {
    element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    return [element];
  },
})`;

/** Known to documents that are opened from now on: so it is registered when the service loads, before any context is. */
const registered = selectors
  .register(reportingEngine, reportingEngineSource, { contentScript: true })
  .catch(() => undefined);

/** Longest selector, in characters: reading one takes the time of all sessions. */
const maxSelectorLength = 8_192;
/** Maximum number of frames of a page that are searched for the elements of a selector. */
const maxFrames = 20;

/**
 * Finds the elements of a selector, and makes them the selection of the reader of the document that they are in.
 *
 * Playwright resolves the selector in a world of its own. An element gets from there into ours by an event on it whose type
 * nobody can guess: that goes past everything that the page may have changed.
 *
 * @param world - Of the outermost frame.
 * @returns The world of the frame that they are in: the outermost, unless the selector leads into another.
 * @throws {PageContentError} `bad-selector`: Playwright can't read it. `page-failed`: it was not found in time; the search is aborted.
 */
export async function selectElements(
  page: Page,
  world: PageWorld,
  selector: string,
  deadline: Deadline,
): Promise<PageWorld> {
  if (selector.length > maxSelectorLength)
    throw new PageContentError("bad-selector", `the selector is too long (limit: ${maxSelectorLength} characters)`);
  const found = await deadline.raceDeadline(select(page, world, selector), marginMs);
  if (found !== undefined) return found;
  // What runs on and on in the page would do so under every scrape that follows.
  await deadline.raceDeadline(world.session.send("Runtime.terminateExecution"), 0);
  throw new PageContentError(
    "page-failed",
    "the selector timed out: it is too slow on this page, or a script of the page keeps running",
  );
}

/** Time that is left to end what takes too long, in milliseconds. */
const marginMs = 1_000;

async function select(page: Page, world: PageWorld, selector: string): Promise<PageWorld> {
  await registered;
  const type = `cloud-browser-${randomUUID()}`;
  await listen(world, type);
  if ((await count(page, selector)) === 0) return world;
  await report(page, selector, type);
  if (!selector.includes(entersFrame) || (await isFound(world))) return world;
  const inner = await innerWorlds(world);
  await Promise.all(inner.map((one) => listen(one, type)));
  await report(page, selector, type);
  const found = await Promise.all(inner.map(isFound));
  return inner[found.indexOf(true)] ?? world;
}

/** Marker in selectors that enter a frame, those of `frameLocator` too. */
const entersFrame = "internal:control=enter-frame";

/** Worlds in the frames of a page; those that can't be reached are left out. */
async function innerWorlds({ session }: PageWorld): Promise<PageWorld[]> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const ids: string[] = [];
  const visit = (tree: typeof frameTree): void => {
    for (const child of tree.childFrames ?? []) {
      ids.push(child.frame.id);
      visit(child);
    }
  };
  visit(frameTree);
  const worlds = await Promise.all(
    ids.slice(0, maxFrames).map((id) => PageWorld.open(session, id).catch(() => undefined)),
  );
  return worlds.filter((one) => one !== undefined);
}

async function listen(world: PageWorld, type: string): Promise<void> {
  await world.call("(page, type) => page.reader.selection.listen(type)", { value: type });
}

async function isFound(world: PageWorld): Promise<boolean> {
  return (await world.call("(page) => page.reader.selection.size > 0")) === true;
}

/** Reports each element of a selector by an event, within the document that it is in. */
async function report(page: Page, selector: string, type: string): Promise<void> {
  // With `*`, a selector gives another than its last element: nothing can be put behind it.
  const reported = /(?:^|>>)\s*\*/.test(selector)
    ? 0
    : await page
        .locator(`${selector} >> ${reportingEngine}=${type}`)
        .count()
        .catch(() => 0);
  if (reported > 0) return;
  const matches = await page.locator(selector).elementHandles();
  for (const match of matches) {
    await match.dispatchEvent(type, { bubbles: true, composed: true });
    await match.dispose();
  }
}

/** Playwright may colour its messages. */
// oxlint-disable-next-line no-control-regex -- what colours begin with
const colour = /\u001B\[\d+m/g;

async function count(page: Page, selector: string): Promise<number> {
  try {
    return await page.locator(selector).count();
  } catch (error) {
    const reason = findReason(error);
    if (reason === undefined) throw error;
    throw new PageContentError("bad-selector", `malformed selector: ${reason}`, { cause: error });
  }
}

/** Returns the mistake in a selector as one sentence; undefined for other errors. */
function findReason(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message
    .replaceAll(colour, "")
    .replace(/^(?:[\w.]+: )+/, "")
    .split("\n");
  // How Playwright fails over an engine that it knows the name of, and has no more.
  if (/reading 'query(?:All)?'/.test(line)) return "unknown selector engine";
  const isAbout =
    /selector|unknown engine|parsing|regular expression|unexpected token|expected|failed to execute '(?:query|evaluate)/i;
  const isElse = /target page|crashed|has been closed|context was destroyed|navigation|timeout/i;
  return isAbout.test(line) && !isElse.test(line) ? line.trim() : undefined;
}
