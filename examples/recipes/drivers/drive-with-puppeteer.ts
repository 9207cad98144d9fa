// Drives a session by Puppeteer: node drive-with-puppeteer.ts https://harbour.example
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";
import { connect } from "puppeteer-core";

const control = createControl();
const { session_id, cdp_url } = await control.sessions.open({ url: process.argv[2] ?? "" });
const browser = await connect({ browserWSEndpoint: cdp_url ?? "", defaultViewport: null });
const [page] = await browser.pages();
await Promise.all([page?.waitForNavigation(), page?.locator("::-p-aria(pier 1)").click()]);
await browser.disconnect(); // close() would end the session

console.log((await createCloudBrowser().scrape(session_id)).markdown.trim());
await control.sessions.end(session_id);
