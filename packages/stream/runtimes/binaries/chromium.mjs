// Headless Chromium: node chromium.mjs <executable> <origin of the loopback server>
import process from "node:process";
import { chromium } from "playwright-core";

const [executablePath, origin] = process.argv.slice(2);
const args = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
args.push("--disable-component-update", "--disable-sync");
const browser = await chromium.launch({ executablePath, args, chromiumSandbox: false, timeout: 30_000 });
try {
  const page = await browser.newPage();
  const broken = new Promise((_, reject) => page.once("pageerror", reject));
  await page.goto(`${origin}/chromium.html`);
  const finished = page.waitForFunction(() => globalThis.result, undefined, { timeout: 50_000 });
  const result = await (await Promise.race([finished, broken])).jsonValue();
  console.log(JSON.stringify(result));
  process.exitCode = result.failed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
}
