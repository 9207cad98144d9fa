// Headless Chromium: node chromium.mjs <origin of the loopback server>, or --version. CHROMIUM_PATH names another one than npm's.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [origin] = process.argv.slice(2);
const args = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
args.push("--disable-component-update", "--disable-sync");
const installed = process.env.CHROMIUM_PATH;
const launch = installed === undefined ? await unpack() : { executablePath: installed };
const browser = await chromium.launch({ ...launch, args, chromiumSandbox: false, timeout: 30_000 });
try {
  if (origin === "--version") console.log(browser.version());
  else await runCases();
} finally {
  await browser.close();
}

async function runCases() {
  const page = await browser.newPage();
  const broken = new Promise((_, reject) => page.once("pageerror", reject));
  await page.goto(`${origin}/chromium.html`);
  const finished = page.waitForFunction(() => globalThis.result, undefined, { timeout: 50_000 });
  const result = await (await Promise.race([finished, broken])).jsonValue();
  console.log(JSON.stringify(result));
  process.exitCode = result.failed.length > 0 ? 1 : 0;
}

/** Unpacks npm's Chromium with the libraries that a small machine lacks, once, beside its package. */
async function unpack() {
  const folder = fileURLToPath(new URL("node_modules/.chromium", import.meta.url));
  mkdirSync(folder, { recursive: true });
  process.env.TMPDIR = folder; // the package unpacks into the folder for temporary files
  const { default: npmChromium, inflate } = await import("@sparticuz/chromium");
  const packed = fileURLToPath(new URL("../bin/", import.meta.resolve("@sparticuz/chromium")));
  const executablePath = await npmChromium.executablePath(packed);
  const libraries = join(await inflate(join(packed, "al2023.tar.br")), "lib");
  return { executablePath, env: { ...process.env, LD_LIBRARY_PATH: libraries } };
}
