/** Measures scrapes on the pages of ../shared/data/extraction: time beyond page load, leaks, links and words. Run: node --conditions=@cloud-browser/source bench/scrape.ts [pages] */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { BrowserPool } from "@cloud-browser/browsers";
import { PageScraper } from "../src/scrape/scrape-page.ts";

const scraper = new PageScraper();

const folder = fileURLToPath(new URL("../../../../shared/data/extraction/mixed/", import.meta.url));

interface Truth {
  readonly [id: string]: { readonly page_type: string; readonly markdown?: string; readonly text: string };
}

if (existsSync(`${folder}truth.json`)) await measure(Number(process.argv[2] ?? 300));
else console.log(`Skipped: the pages are not there (${folder}).`);

async function measure(pages: number): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as its README says
  const truth = JSON.parse(readFileSync(`${folder}truth.json`, "utf8")) as Truth;
  const ids = Object.keys(truth).filter((_, index, all) => index % Math.max(1, Math.floor(all.length / pages)) === 0);
  const server = createServer((request, response) => {
    const file = `${folder}${request.url?.slice(1)}.html.gz`;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.statusCode = existsSync(file) ? 200 : 404;
    response.end(existsSync(file) ? gunzipSync(readFileSync(file)) : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port");
  const { port } = address;
  const pool = await BrowserPool.start({ maxBrowsers: 1 });
  const rows: Row[] = [];
  try {
    const { context } = await pool.open();
    await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, async (route) => route.abort());
    const page = await context.newPage();
    for (const id of ids) {
      try {
        await page.goto(`http://127.0.0.1:${port}/${id}`, { waitUntil: "load", timeout: 10_000 });
        rows.push(await measurePage(page, id, truth[id]?.markdown ?? truth[id]?.text ?? ""));
      } catch (error) {
        console.log(id, String(error).split("\n")[0]);
      }
    }
  } finally {
    await pool.close();
    server.close();
  }
  report(rows);
}

interface Row {
  readonly id: string;
  readonly nodes: number;
  readonly firstMs: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly recall: number;
  readonly keptShare: number;
  readonly added: number;
  readonly links: number;
  readonly lostLinks: number;
  readonly leak: string;
  readonly missing: string;
  readonly truthWords: number;
  readonly f1: number;
}

async function measurePage(page: Page, id: string, truth: string): Promise<Row> {
  const firstStart = performance.now();
  await scraper.scrape(page, {}, { timeoutMs: 10_000 });
  const firstMs = performance.now() - firstStart;
  let ms = Infinity;
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuSoFar = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
  const cpuBefore = await cpuSoFar();
  for (let run = 0; run < 3; run += 1) {
    const start = performance.now();
    await scraper.scrape(page, {}, { timeoutMs: 10_000 });
    ms = Math.min(ms, performance.now() - start);
  }
  const cpuMs = ((await cpuSoFar()) - cpuBefore) / 3;
  await session.detach();
  const { markdown } = await scraper.scrape(page, {}, { timeoutMs: 10_000 });
  const bare = await scraper.scrape(page, { scrape_links: false }, { timeoutMs: 10_000 });
  const main = await scraper.scrape(page, { scrape_links: false, only_main_content: true }, { timeoutMs: 10_000 });
  const content = await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].filter((link) =>
      link.checkVisibility({ visibilityProperty: true }),
    );
    return {
      text: document.body.innerText,
      nodes: document.getElementsByTagName("*").length,
      links: links.map((link) => link.href).filter((href) => /^(?:https?|mailto|tel):/.test(href)),
    };
  });
  const visible = listWords(content.text);
  const markdownWords = listWords(bare.markdown);
  const addresses = new Set(content.links);
  const flat = markdown.replaceAll(String.raw`\|`, "|");
  const lost = [...addresses].filter((href) => !flat.includes(href) && !flat.replace(/\\([()])/g, "$1").includes(href));
  const truthWords = listWords(truth);
  const leak =
    /(?:function\s*\(\w*\)\s*\{|=>\s*\{|document\.getElementById|window\.\w+\s*=|@media\s|\{\s*(?:display|color|margin|font-size):)/.exec(
      bare.markdown.replace(/```[^]*?```|`[^`\n]*`/g, ""),
    )?.[0];
  const mainWords = listWords(main.markdown);
  const precision = countShared(mainWords, truthWords) / Math.max(1, mainWords.length);
  const recall = countShared(truthWords, mainWords) / Math.max(1, truthWords.length);
  return {
    id,
    nodes: content.nodes,
    firstMs,
    ms,
    cpuMs,
    keptShare: visible.length === 0 ? 1 : countShared(visible, markdownWords) / visible.length,
    added: markdownWords.length === 0 ? 0 : 1 - countShared(markdownWords, visible) / markdownWords.length,
    recall: truthWords.length === 0 ? 1 : countShared(truthWords, markdownWords) / truthWords.length,
    links: addresses.size,
    lostLinks: lost.length,
    leak: leak ?? "",
    truthWords: truthWords.length,
    missing: getMissing(visible, markdownWords).slice(0, 12).join(" "),
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}

function listWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/[\u00ad\u200b]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function listCounts(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function countShared(words: readonly string[], others: readonly string[]): number {
  return words.length - getMissing(words, others).length;
}

function getMissing(words: readonly string[], others: readonly string[]): string[] {
  const counts = listCounts(others);
  return words.filter((word) => {
    const remaining = counts.get(word) ?? 0;
    counts.set(word, remaining - 1);
    return remaining <= 0;
  });
}

function report(rows: readonly Row[]): void {
  console.log(`pages ${rows.length}`);
  console.log(
    `first scrape of a page, ms: median ${at(
      rows.map((row) => row.firstMs),
      0.5,
    )}, p95 ${at(
      rows.map((row) => row.firstMs),
      0.95,
    )}`,
  );
  console.log(
    `again, best of 3, ms: median ${at(
      rows.map((row) => row.ms),
      0.5,
    )}, p95 ${at(
      rows.map((row) => row.ms),
      0.95,
    )}`,
  );
  const cpu = rows.map((row) => row.cpuMs);
  console.log(`CPU of the page's thread for a scrape, ms: median ${at(cpu, 0.5)}, p95 ${at(cpu, 0.95)}`);
  console.log(
    `words of innerText kept: ${mean(rows.map((row) => row.keptShare))}; words beyond it: ${mean(rows.map((row) => row.added))}`,
  );
  console.log(
    `words of the true markdown kept: ${mean(rows.map((row) => row.recall))}; F1 of main content with it: ${mean(rows.map((row) => row.f1))}`,
  );
  console.log(
    `links lost: ${rows.reduce((sum, row) => sum + row.lostLinks, 0)} of ${rows.reduce((sum, row) => sum + row.links, 0)}; pages with code in the text: ${rows.filter((row) => row.leak !== "").length}`,
  );
  for (const row of rows
    .filter((one) => one.keptShare < 0.985 || one.lostLinks > 0 || one.leak !== "" || one.added > 0.3)
    .slice(0, 40)) {
    console.log(
      `  ${row.id} kept ${row.keptShare.toFixed(3)} added ${row.added.toFixed(2)} lost links ${row.lostLinks}/${row.links} ${row.leak} | missing: ${row.missing}`,
    );
  }
}

function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

function mean(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)).toFixed(4);
}
