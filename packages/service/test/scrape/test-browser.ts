import { chromium, type Browser } from "playwright-core";

/** A browser for tests. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--site-per-process"],
  });
}
