// Logs in once and keeps the login in a profile; later sessions begin logged in.
//
//   node scrape-behind-a-login.ts https://harbour.example
//
// The service needs CLOUD_BROWSER_PROFILE_KEY; name and password of the site are SITE_NAME and SITE_PASSWORD.
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";
import { chromium } from "playwright-core";

const site = process.argv[2] ?? "";
const client = createCloudBrowser();
const control = createControl();
const open = (mode: "read" | "write") =>
  control.sessions.open({ url: `${site}/account`, profile: { name: "harbour", mode } });

// Once: what is there at the end of the session is kept.
const first = await open("write");
const browser = await chromium.connectOverCDP(first.cdp_url ?? "");
const page = browser.contexts()[0]?.pages()[0];
if (page?.url() === `${site}/login`) {
  await page.getByLabel("Name").fill(process.env["SITE_NAME"] ?? "");
  await page.getByLabel("Password").fill(process.env["SITE_PASSWORD"] ?? "");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL("**/account");
}
await browser.close();
await control.sessions.end(first.session_id);

// From then on: any number of sessions read it at a time.
const later = await open("read");
const { markdown } = await client.scrape(later.session_id);
console.log(markdown.trim());
await control.sessions.end(later.session_id);
