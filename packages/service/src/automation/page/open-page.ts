import type { Page } from "playwright-core";
import { ServiceError } from "../../service-error.ts";
import { AutomationError } from "../automation-error.ts";
import type { StepResult } from "../step.ts";
import { fillIn } from "../template.ts";
import { reasonOf } from "./failures.ts";
import { placeOf } from "./not-found.ts";
import { settleAfter } from "./settling.ts";
import type { Stage } from "./stage.ts";

/** Longest time for a page to answer, in milliseconds. */
const timeoutMs = 30_000;

/**
 * Opens a page by its address.
 *
 * Source: ours.
 *
 * @throws {AutomationError} `address_refused`; `step_failed` when it can't be reached or its server fails.
 */
export async function openPage(page: Page, address: string, stage: Stage): Promise<StepResult> {
  const url = addressOf(fillIn(address, stage.variables));
  await stage.permit(url).catch((error: unknown) => {
    if (error instanceof AutomationError) throw error;
    const why = error instanceof ServiceError ? error.message : "pages may not be opened at that address";
    throw new AutomationError("address_refused", why, { cause: error });
  });
  stage.signal.throwIfAborted();
  const response = await settleAfter(page, stage, () =>
    page.goto(url.href, { waitUntil: "domcontentloaded", timeout: timeoutMs, signal: stage.signal }),
  ).catch((error: unknown) => {
    stage.signal.throwIfAborted();
    throw new AutomationError("step_failed", `${url.origin}${url.pathname} can't be opened: ${reasonOf(error)}`, {
      cause: error,
    });
  });
  const status = response?.status() ?? 200;
  if (status >= 500) {
    throw new AutomationError(
      "step_failed",
      `${url.origin}${url.pathname} can't be opened: its server answered with the status ${status}`,
    );
  }
  return {
    summary: `Opened ${await placeOf(page)}${status >= 400 ? `, which answered with the status ${status}` : ""}.`,
  };
}

function addressOf(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null) {
    throw new AutomationError("step_failed", "that is no address of a page; it has to begin with http:// or https://");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:" && url.href !== "about:blank") {
    throw new AutomationError("address_refused", `Pages are opened by http and https only, not by ${url.protocol}`);
  }
  return url;
}

/**
 * Goes back to the page before; a pop-up that has none is closed.
 *
 * Source: ours.
 *
 * @throws {AutomationError} `step_failed` when there is none.
 */
export async function goBack(page: Page, stage: Stage): Promise<StepResult> {
  const before = page.url();
  const options = { waitUntil: "domcontentloaded", timeout: timeoutMs, signal: stage.signal } as const;
  const response = await settleAfter(page, stage, () => page.goBack(options));
  if (response === null && page.url() === before) {
    if ((await page.opener()) === null) throw new AutomationError("step_failed", "there is no page to go back to");
    await page.close();
    const opener = stage.activePage.current;
    return { summary: `Closed the page, and went back to ${opener ? await placeOf(opener) : "none"}.` };
  }
  return { summary: `Went back to ${await placeOf(page)}.` };
}
