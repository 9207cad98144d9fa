import type { BrowserContext, Page } from "playwright-core";

/**
 * The page of a context that the DevTools protocol calls by an id; undefined when it has none such.
 *
 * Source: ours.
 */
export async function pageOfTarget(context: BrowserContext, targetId: string): Promise<Page | undefined> {
  const pages = context.pages();
  const ids = await Promise.all(pages.map((page) => targetOf(context, page)));
  return pages[ids.indexOf(targetId)];
}

/** The id of a page; undefined when it is closing. */
async function targetOf(context: BrowserContext, page: Page): Promise<string | undefined> {
  try {
    const devtools = await context.newCDPSession(page);
    const { targetInfo } = await devtools.send("Target.getTargetInfo");
    await devtools.detach();
    return targetInfo.targetId;
  } catch {
    return undefined;
  }
}
