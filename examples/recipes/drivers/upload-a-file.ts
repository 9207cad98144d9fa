// Uploads a file into a session, and gives it to a file chooser: node upload-a-file.ts https://harbour.example/upload photo.png
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";
import { connect } from "puppeteer-core";

const [url = "", file = ""] = process.argv.slice(2);
const control = createControl();
const { session_id, cdp_url } = await control.sessions.open({ url });

// #region upload
const { path } = await control.files.upload(session_id, basename(file), await openAsBlob(file));

// Puppeteer and others name the path that the service gave; Playwright's setInputFiles(file) sends the content by itself.
const browser = await connect({ browserWSEndpoint: cdp_url ?? "", defaultViewport: null });
const [page] = await browser.pages();
const chooser = await page?.$("input[type=file]").then((input) => input?.toElement("input"));
await chooser?.uploadFile(path ?? "");
// #endregion upload
await Promise.all([page?.waitForNavigation(), page?.locator("button").click()]);
await browser.disconnect();

console.log((await createCloudBrowser().scrape(session_id)).markdown.trim());
await control.sessions.end(session_id);
