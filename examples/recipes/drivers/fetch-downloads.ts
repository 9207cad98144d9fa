// Clicks a download, and fetches the file from the session: node fetch-downloads.ts https://harbour.example timetable.csv
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { chromium } from "playwright-core";
import { control, type OpenedSession } from "../control.ts";

const [url, file = "download"] = process.argv.slice(2);
const { CLOUD_BROWSER_BASE_URL: base, CLOUD_BROWSER_API_KEY: key } = process.env;
const { session_id, cdp_url } = await control<OpenedSession>("/sessions", "POST", { url });
const browser = await chromium.connectOverCDP(cdp_url);
const page = browser.contexts()[0]?.pages()[0];
if (!page) throw new Error("the session has no page");

// #region download
const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("timetable").click()]);
const file_id = basename(await download.path()); // waits until the session has it; of CDP events it is the guid

const response = await fetch(`${base}/control/sessions/${session_id}/files/${file_id}`, {
  headers: { authorization: `Bearer ${key}` },
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
await writeFile(file, new Uint8Array(await response.arrayBuffer()));
// #endregion download
await browser.close();

interface SessionFile {
  readonly name: string;
  readonly state: string;
  readonly size: number;
}
const { files } = await control<{ files: readonly SessionFile[] }>(`/sessions/${session_id}/files`);
for (const { name, state, size } of files) console.log(`${name}: ${state}, ${size} bytes`);
await control(`/sessions/${session_id}`, "DELETE"); // the list stays, as long as the recording does
