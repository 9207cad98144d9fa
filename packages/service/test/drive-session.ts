import { chromium, type Browser, type Page } from "playwright-core";
import type { SessionView } from "../src/control/session-view.ts";

/** Connects with a session as its client does; returns its first page. */
export async function driveSession({
  cdp_url: address,
}: Pick<SessionView, "cdp_url">): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const browser = await chromium.connectOverCDP(address ?? "");
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("the session has no page");
  return { browser, page };
}
