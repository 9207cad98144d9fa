// Drives a session by Playwright, over the Chrome DevTools Protocol: node drive-with-playwright.ts https://harbour.example
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";
import { chromium } from "playwright-core";

const control = createControl();
const { session_id, cdp_url } = await control.sessions.open({ url: process.argv[2] ?? "" });
const browser = await chromium.connectOverCDP(cdp_url ?? ""); // a secret; null once the session has ended
const page = browser.contexts()[0]?.pages()[0]; // a session is one context: newContext is refused
await page?.getByRole("link", { name: "pier 2" }).click();
await page?.getByRole("heading", { name: "Pier 2" }).waitFor();
await browser.close(); // closes the connection; the session continues

console.log((await createCloudBrowser().scrape(session_id)).markdown.trim());
await control.sessions.end(session_id);
