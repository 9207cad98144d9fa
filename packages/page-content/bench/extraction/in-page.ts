import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { chromium } from "playwright-core";

/** Runs `findMainContent` inside of a page. */
export interface InPageExtractor {
  /** The size of the script with `findMainContent` and what it needs. */
  bytes: number;
  /** The text found, the time by the page's clock, and the CPU time of the page's thread. */
  extract: (html: string) => Promise<{ text: string; ms: number; cpuMs: number }>;
  close: () => Promise<void>;
}

/** Starts the Chromium at a path and puts the script into an empty page of it. */
export async function inPageExtractor(executablePath: string): Promise<InPageExtractor> {
  const finder = `export { findMainContent } from ${getPath("../../src/in-page/main-content/main-content.ts")};`;
  const reader = `export { blockTextOf } from ${getPath("./block-text.ts")};`;
  const [alone, whole] = await Promise.all([bundled(finder), bundled(finder + reader)]);
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const page = await browser.newPage();
  await page.addScriptTag({ content: whole });
  const metrics = await page.context().newCDPSession(page);
  await metrics.send("Performance.enable", { timeDomain: "threadTicks" });
  const taskSeconds = async (): Promise<number> =>
    (await metrics.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  return {
    bytes: Buffer.byteLength(alone),
    extract: async (html) => {
      await page.evaluate((source) => {
        const document = new DOMParser().parseFromString(source, "text/html");
        for (const element of document.querySelectorAll('script:not([type="application/ld+json"]),style,template'))
          element.remove();
        Reflect.set(globalThis, "given", document);
      }, html);
      const before = await taskSeconds();
      const ms = await page.evaluate(() => {
        const start = performance.now();
        Reflect.set(
          globalThis,
          "found",
          Reflect.get(globalThis, "extraction").findMainContent(Reflect.get(globalThis, "given")),
        );
        return performance.now() - start;
      });
      const cpuMs = ((await taskSeconds()) - before) * 1000;
      const text: string = await page.evaluate(() => {
        const found: unknown = Reflect.get(globalThis, "found");
        return Reflect.get(globalThis, "extraction").blockTextOf(found);
      });
      return { text, ms, cpuMs };
    },
    close: () => browser.close(),
  };
}

function getPath(path: string): string {
  return JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
}

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    globalName: "extraction",
    conditions: ["@cloud-browser/source"],
  });
  return outputFiles[0]?.text ?? "";
}
