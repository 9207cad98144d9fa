/** Run apart by tests: `unpack FOLDER` tells where Chromium was unpacked to; `hold` holds a pool with a page until it is killed. */
import { BrowserPool } from "../../src/pool/browser-pool.ts";
import { findChromium } from "../../src/chromium/chromium-binary.ts";

const [command, folder] = process.argv.slice(2);
if (command === "unpack" && folder !== undefined) {
  const { executable } = await findChromium({ cacheFolder: folder });
  console.log(executable);
} else {
  const pool = await BrowserPool.start();
  const pooled = await pool.open();
  const page = await pooled.context.newPage();
  await page.setContent("<p>held</p>");
  console.log("held");
  setInterval(() => undefined, 1000);
}
