import type { Page, Request } from "playwright-core";
import { AutomationError, StepError } from "../automation-error.ts";
import { formatUrl } from "../quote.ts";
import type { StepResult } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { describePlaywrightError } from "./playwright-error.ts";
import { describeTitleAndUrl } from "../targets/not-found.ts";
import { settleAfter } from "../page/settling.ts";
import { watchSession } from "../page/session-watch.ts";
import type { StepContext } from "../page/step-context.ts";

/** Longest time for a page to respond, in milliseconds. */
const timeoutMs = 30_000;

/**
 * Opens a URL.
 *
 * @throws {AutomationError} `address_refused`; `step_failed` if it can't be reached, or responds with a 5xx status.
 */
export async function openPage(page: Page, address: string, context: StepContext): Promise<StepResult> {
  const url = parseAddress(fillIn(address, context.variables));
  await context.checkUrl(url).catch((error: unknown) => {
    if (error instanceof AutomationError) throw error;
    const hasReason = error instanceof Error && "code" in error;
    const why = hasReason ? error.message : "that address is not allowed";
    throw new AutomationError("address_refused", why, { cause: error });
  });
  context.signal.throwIfAborted();
  let failedUrl: URL | undefined;
  const noteFailed = (request: Request): void => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      failedUrl = URL.parse(request.url()) ?? failedUrl;
  };
  page.on("requestfailed", noteFailed);
  let isDownload = false;
  const response = await settleAfter(
    page,
    context,
    () => page.goto(url.href, { waitUntil: "domcontentloaded", timeout: timeoutMs, signal: context.signal }),
    "load",
  )
    .catch(async (error: unknown) => {
      context.signal.throwIfAborted();
      isDownload = context.files !== undefined && saysDownload(error);
      if (isDownload) return null;
      const why = (await findRefusal(failedUrl, context)) ?? describePlaywrightError(error);
      throw makeOpeningError(url, why, { cause: error });
    })
    .finally(() => page.off("requestfailed", noteFailed));
  if (isDownload) return readDownload(page, url);
  const status = response?.status() ?? 200;
  if (status >= 500) {
    const why = `its server responded with status ${status}`;
    throw makeOpeningError(url, why);
  }
  const answered = status >= 400 ? `, which responded with status ${status}` : "";
  return {
    summary: `Opened ${await describeTitleAndUrl(page)}${answered}.`,
    ...(status >= 400 ? { notes: [`${formatUrl(url.href)} responded with status ${status}.`] } : {}),
  };
}

/** Returns whether Playwright says that an address is not shown, but downloaded. */
function saysDownload(error: unknown): boolean {
  return error instanceof Error && /Download is starting/i.test(error.message);
}

/** Waits for the download that an address has begun. */
async function readDownload(page: Page, url: URL): Promise<StepResult> {
  const { dialogs } = await watchSession(page);
  dialogs.downloads.announce();
  const notes = await dialogs.take();
  return { summary: `${formatUrl(url.href)} is a download. ${notes.join(" ")}`.trim(), notes };
}

/** Returns why a failed address, after redirects, is not allowed; undefined if it is allowed. */
async function findRefusal(url: URL | undefined, { checkUrl }: StepContext): Promise<string | undefined> {
  if (url === undefined) return undefined;
  return checkUrl(url).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message.replace(/\.$/, "") : undefined),
  );
}

function parseAddress(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null) {
    throw new StepError("malformed address: it must begin with http:// or https://");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:" && url.href !== "about:blank") {
    throw new AutomationError("address_refused", `only http and https pages can be opened, not ${url.protocol}`);
  }
  return url;
}

/**
 * Goes back in history; a popup without history is closed.
 *
 * @throws {AutomationError} `step_failed` if there is no page to go back to.
 */
export async function goBack(page: Page, context: StepContext): Promise<StepResult> {
  const before = page.url();
  const options = { waitUntil: "domcontentloaded", timeout: timeoutMs, signal: context.signal } as const;
  const response = await settleAfter(page, context, () => page.goBack(options), "load");
  if (response === null && page.url() === before) {
    if ((await page.opener()) === null) throw new StepError("there is no page to go back to");
    context.onAction();
    await page.close();
    const opener = context.activePage.current;
    return { summary: `Closed the page, and went back to ${opener ? await describeTitleAndUrl(opener) : "none"}.` };
  }
  return { summary: `Went back to ${await describeTitleAndUrl(page)}.` };
}

function makeOpeningError({ href }: URL, why: string, options?: ErrorOptions): StepError {
  return new StepError(`${formatUrl(href)} can't be opened: ${why}`, options);
}
