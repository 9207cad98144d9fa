// Uploads a file into a session, and gives it to a file chooser: node upload-a-file.ts https://harbour.example/upload photo.png
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { createCloudBrowser } from "@cloud-browser/client";
import { connect } from "puppeteer-core";
import { control, type OpenedSession } from "../control.ts";

const [url, file = ""] = process.argv.slice(2);
const { CLOUD_BROWSER_BASE_URL: base, CLOUD_BROWSER_API_KEY: key } = process.env;
const { session_id, cdp_url } = await control<OpenedSession>("/sessions", "POST", { url });

// #region upload
const name = encodeURIComponent(basename(file));
const uploaded = await fetch(`${base}/control/sessions/${session_id}/files?name=${name}`, {
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/octet-stream" },
  body: await openAsBlob(file),
});
if (!uploaded.ok) throw new Error(`${uploaded.status} ${await uploaded.text()}`);
const { path }: { path: string } = await uploaded.json();

// Puppeteer and others name the path that the service gave; Playwright's setInputFiles(file) sends the content by itself.
const browser = await connect({ browserWSEndpoint: cdp_url, defaultViewport: null });
const [page] = await browser.pages();
const chooser = await page?.$("input[type=file]").then((input) => input?.toElement("input"));
await chooser?.uploadFile(path);
// #endregion upload
await Promise.all([page?.waitForNavigation(), page?.locator("button").click()]);
await browser.disconnect();

console.log((await createCloudBrowser().scrape(session_id)).markdown.trim());
await control(`/sessions/${session_id}`, "DELETE");
