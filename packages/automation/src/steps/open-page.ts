import type { Page } from "playwright-core";
import { refusalMark } from "@cloud-browser/page-content";
import { AutomationError } from "../automation-error.ts";
import type { StepResult } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { reasonOf } from "./failures.ts";
import { placeOf } from "../targets/not-found.ts";
import { settleAfter } from "../page/settling.ts";
import type { Stage } from "../page/stage.ts";
import { within } from "../async.ts";

/** Longest time for a page to answer, in milliseconds. */
const timeoutMs = 30_000;

/**
 * Opens a page by its address.
 *
 * @throws {AutomationError} `address_refused`; `step_failed` when it can't be reached or its server fails.
 */
export async function openPage(page: Page, address: string, stage: Stage): Promise<StepResult> {
  const url = addressOf(fillIn(address, stage.variables));
  await stage.permit(url).catch((error: unknown) => {
    if (error instanceof AutomationError) throw error;
    const isRefusal = error instanceof Error && "code" in error && error.code === "address-refused";
    const why = isRefusal ? error.message : "that address is not allowed";
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
  const ownAnswer = status >= 400 ? await ownAnswerOn(page) : undefined;
  if (status >= 500 || ownAnswer !== undefined) {
    const why = ownAnswer ?? `its server responded with status ${status}`;
    throw new AutomationError("step_failed", `${url.origin}${url.pathname} can't be opened: ${why}`);
  }
  return {
    summary: `Opened ${await placeOf(page)}${status >= 400 ? `, which answered with the status ${status}` : ""}.`,
  };
}

/** Reads the message of this service on a page that no server answered; undefined when one did. */
async function ownAnswerOn(page: Page): Promise<string | undefined> {
  const said = page.locator(`html[${refusalMark}] p`).allTextContents();
  const [text] = (await within(1000, said)) ?? [];
  return text?.replace(/\.$/, "");
}

function addressOf(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null) {
    throw new AutomationError("step_failed", "malformed address: it must begin with http:// or https://");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:" && url.href !== "about:blank") {
    throw new AutomationError("address_refused", `Only http and https pages can be opened, not ${url.protocol}`);
  }
  return url;
}

/**
 * Goes back to the page before; a pop-up that has none is closed.
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
