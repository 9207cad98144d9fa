// Clicks a download, and fetches the file from the session: node fetch-downloads.ts https://harbour.example timetable.csv
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { createControl } from "@cloud-browser/client/control";
import { chromium } from "playwright-core";

const [url = "", file = "download"] = process.argv.slice(2);
const control = createControl();
const { session_id, cdp_url } = await control.sessions.open({ url });
const browser = await chromium.connectOverCDP(cdp_url ?? "");
const page = browser.contexts()[0]?.pages()[0];
if (!page) throw new Error("the session has no page");

// #region download
const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("timetable").click()]);
const file_id = basename(await download.path()); // waits until the session has it; of CDP events it is the guid

const response = await control.files.download(session_id, file_id);
await writeFile(file, new Uint8Array(await response.arrayBuffer()));
// #endregion download
await browser.close();

const { files } = await control.files.list(session_id);
for (const { name, state, size } of files) console.log(`${name}: ${state}, ${size} bytes`);
await control.sessions.end(session_id); // the list stays, as long as the recording does
