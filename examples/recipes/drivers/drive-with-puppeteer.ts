// Drives a session by Puppeteer: node drive-with-puppeteer.ts https://harbour.example
import { createCloudBrowser } from "@cloud-browser/client";
import { connect } from "puppeteer-core";
import { control, type OpenedSession } from "../control.ts";

const { session_id, cdp_url } = await control<OpenedSession>("/sessions", "POST", { url: process.argv[2] });
const browser = await connect({ browserWSEndpoint: cdp_url, defaultViewport: null });
const [page] = await browser.pages();
await Promise.all([page?.waitForNavigation(), page?.locator("::-p-aria(pier 1)").click()]);
await browser.disconnect(); // close() would end the session

console.log((await createCloudBrowser().scrape(session_id)).markdown.trim());
await control(`/sessions/${session_id}`, "DELETE");
