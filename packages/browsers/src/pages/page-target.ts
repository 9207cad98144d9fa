import type { BrowserContext, Page } from "playwright-core";

/** Longest wait for a page that does not tell its id, or that is yet to appear, in milliseconds: a busy machine takes seconds to show it. */
const appearMs = 5_000;

/** Longest wait for a page to close, in milliseconds. */
const closeMs = 2_000;

/** Ids of pages, from when they were first asked for: a page that hangs later does not tell it any more. */
const ids = new WeakMap<Page, Promise<string | undefined>>();
const followed = new WeakSet<BrowserContext>();

/**
 * Remembers the ids of the pages of a context, of those to come too. A second call changes nothing.
 */
export function rememberTargets(context: BrowserContext): void {
  if (followed.has(context)) return;
  followed.add(context);
  for (const page of context.pages()) void targetOf(context, page);
  context.on("page", (page) => void targetOf(context, page));
}

/**
 * The page of a context that the DevTools protocol calls by an id, at the latest within five seconds; one that is just
 * being opened, too. Undefined when there is none such, or when it does not answer.
 */
export async function pageOfTarget(context: BrowserContext, targetId: string): Promise<Page | undefined> {
  const { promise, resolve } = Promise.withResolvers<Page | undefined>();
  const look = async (page: Page): Promise<void> => {
    if ((await targetOf(context, page)) === targetId) resolve(page);
  };
  const lookAt = (page: Page): void => void look(page);
  const timer = setTimeout(resolve, appearMs);
  context.on("page", lookAt);
  context.pages().forEach(lookAt);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    context.off("page", lookAt);
  }
}

/**
 * Waits until the page of an id has closed; some seconds at most, as it may stay.
 */
export async function closeOfTarget(context: BrowserContext, targetId: string): Promise<void> {
  const page = await pageOfTarget(context, targetId);
  if (!page || page.isClosed()) return;
  // That it does not close within the time is no fault.
  await page.waitForEvent("close", { timeout: closeMs }).catch(() => undefined);
}

/** The id of a page; undefined when it is closing. */
async function targetOf(context: BrowserContext, page: Page): Promise<string | undefined> {
  const known = ids.get(page) ?? askTarget(context, page);
  ids.set(page, known);
  return known;
}

async function askTarget(context: BrowserContext, page: Page): Promise<string | undefined> {
  try {
    const devtools = await context.newCDPSession(page);
    const { targetInfo } = await devtools.send("Target.getTargetInfo");
    devtools.detach().catch(() => undefined);
    return targetInfo.targetId;
  } catch {
    return undefined;
  }
}
