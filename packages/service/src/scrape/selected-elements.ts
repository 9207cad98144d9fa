import { randomUUID } from "node:crypto";
import { selectors, type Page } from "playwright-core";
import { ServiceError } from "../service-error.ts";
import type { PageWorld } from "./page-world.ts";

/** Name of a selector engine that tells of an element instead of looking for others. */
const teller = "cloud-browser-tell";
const tellerSource = `({
  query: (element) => element,
  queryAll: (element, type) => {
    element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    return [element];
  },
})`;

/** Known to documents that are opened from now on: so it is registered when the service loads, before any context is. */
const registered = selectors.register(teller, tellerSource, { contentScript: true }).catch(() => undefined);

/**
 * Finds the elements of a selector, and makes them the selection of the page's reader.
 *
 * Playwright resolves the selector in a world of its own. An element gets from there into ours by an event on it whose type
 * nobody can guess: that goes past everything that the page may have changed.
 *
 * @throws {ServiceError} `bad-selector`: Playwright can't read it.
 *
 * Source: ours.
 */
export async function selectElements(page: Page, world: PageWorld, selector: string): Promise<void> {
  await registered;
  const type = `cloud-browser-${randomUUID()}`;
  await world.call("(page, type) => page.reader.selection.listen(type)", { value: type });
  if ((await count(page, selector)) === 0) return;
  // With `*`, a selector gives another than its last element: nothing can be put behind it.
  const told = /(?:^|>>)\s*\*/.test(selector)
    ? 0
    : await page
        .locator(`${selector} >> ${teller}=${type}`)
        .count()
        .catch(() => 0);
  if (told > 0) return;
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
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    throw new ServiceError("bad-selector", `The selector can't be read: ${reason}`, { cause: error });
  }
}

/** What is wrong with a selector, in one sentence; undefined when the error is about something else. */
function reasonOf(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message
    .replaceAll(colour, "")
    .replace(/^(?:[\w.]+: )+/, "")
    .split("\n");
  const isAbout = /selector|unknown engine|parsing|unexpected token|expected|failed to execute '(?:query|evaluate)/i;
  const isElse = /target page|crashed|has been closed|context was destroyed|navigation|timeout/i;
  return isAbout.test(line) && !isElse.test(line) ? line.trim() : undefined;
}
