/**
 * How well main content is found, and at what cost, on pages whose main content is known.
 *
 * node --conditions=@cloud-browser/source bench/extraction.ts --pages FOLDER [--others] [--chromium PATH]
 *
 * `--others` also scores the libraries; `--chromium` also runs inside of a page of that Chromium.
 */
import { parseArgs } from "node:util";

import { Readability } from "@mozilla/readability";
import DefuddleModule from "defuddle";
import { parseHTML } from "linkedom";

import { findMainContent } from "../src/in-page/main-content/main-content.ts";
import { getBlockText } from "./extraction/block-text.ts";
import { inPageExtractor } from "./extraction/in-page.ts";
import { type KnownPage, knownPages, withoutScripts } from "./extraction/known-pages.ts";
import { computeRunLength, getScore } from "./extraction/score.ts";

/** The package says that it has a default; what Node imports is the class itself. */
const Defuddle: typeof DefuddleModule.default = Reflect.get(DefuddleModule, "default") ?? DefuddleModule;

interface Result {
  page: KnownPage;
  f1: number;
  precision: number;
  recall: number;
  ms: number;
}

const { values: flags } = parseArgs({
  options: { pages: { type: "string" }, others: { type: "boolean", default: false }, chromium: { type: "string" } },
});
const folder = flags.pages ?? process.env["EXTRACTION_PAGES"];
if (folder === undefined) {
  console.log("Skipped: no pages given (--pages FOLDER or EXTRACTION_PAGES).");
  process.exit(0);
}
const pages = knownPages(folder).filter((page) => page.truth !== "");

report(
  "findMainContent, linkedom",
  pages.map((page) => measureExtraction(page, (document) => getBlockText(findMainContent(document)))),
);
if (flags.others) {
  report(
    "everything, linkedom",
    pages.map((page) => measureExtraction(page, (document) => getBlockText(document.documentElement))),
  );
  report(
    "Readability, linkedom",
    pages.map((page) => measureExtraction(page, readabilityText)),
  );
  report(
    "Defuddle, linkedom",
    pages.map((page) => measureExtraction(page, defuddleText)),
  );
}
if (flags.chromium !== undefined) {
  const extractor = await inPageExtractor(flags.chromium);
  try {
    console.log(`script with findMainContent: ${extractor.bytes} bytes minified`);
    const results: Result[] = [];
    const wallMs: number[] = [];
    for (const page of pages) {
      const extraction = await extractor.extract(page.html());
      wallMs.push(extraction.ms);
      results.push(getResult(page, extraction.text, extraction.cpuMs));
    }
    report("findMainContent, in the page", results);
    console.log(`by performance.now: ms ${getSpread(wallMs)}`);
  } finally {
    await extractor.close();
  }
}

function measureExtraction(page: KnownPage, textOf: (document: Document) => string): Result {
  const { document }: { document: Document } = parseHTML(page.html());
  withoutScripts(document);
  const start = process.cpuUsage();
  let text = "";
  try {
    text = textOf(document);
  } catch {
    // A library that fails on a page found nothing there.
  }
  const { user, system } = process.cpuUsage(start);
  return getResult(page, text, (user + system) / 1000);
}

function getResult(page: KnownPage, text: string, ms: number): Result {
  return { page, ms, ...getScore(text, page.truth, computeRunLength(page.set)) };
}

function readabilityText(document: Document): string {
  const content = new Readability<Node>(document, { serializer: (node) => node }).parse()?.content;
  return content === undefined || content === null ? "" : getBlockText(content);
}

function defuddleText(document: Document): string {
  const { content } = new Defuddle(document).parse();
  const parsed: { document: Document } = parseHTML(`<html><body>${content}</body></html>`);
  return getBlockText(parsed.document.documentElement);
}

function report(name: string, results: Result[]): void {
  console.log(`\n${name}: CPU ms ${getSpread(results.map(({ ms }) => ms))}`);
  const groups = Map.groupBy(
    results.flatMap((result): { group: string; result: Result }[] => [
      { group: result.page.set, result },
      ...(result.page.set === "mixed" ? [{ group: `mixed ${result.page.type}`, result }] : []),
    ]),
    ({ group }) => group,
  );
  for (const [group, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    const mean = (of: "f1" | "precision" | "recall"): string =>
      (members.reduce((sum, { result }) => sum + result[of], 0) / members.length).toFixed(4);
    console.log(
      `${group.padEnd(22)} ${String(members.length).padStart(4)}  F1 ${mean("f1")}  P ${mean("precision")}  R ${mean("recall")}`,
    );
  }
}

function getSpread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `p50 ${quantile(0.5)}, p95 ${quantile(0.95)}, max ${quantile(0.9999)}`;
}
