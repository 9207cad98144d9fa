import { startTestService } from "../../test/running-service.ts";
import type { Figure } from "../measuring/figure.ts";
import { startSite } from "../pages/site.ts";

const hardPages = {
  "a table of 8,000 rows": `<table>${"<tr><td>one<td>two <b>words</b><td><a href='/x'>three</a><td>4</tr>".repeat(8_000)}</table>`,
  "tables in tables, 12 deep": `${"<table><tr><td>a<td>".repeat(12)}b${"</table>".repeat(12)}`,
  "a table of 100 x 100 cells that span": `<table>${`<tr>${"<td colspan=2 rowspan=2>cell".repeat(100)}</tr>`.repeat(100)}</table>`,
  "lists in lists, 100 deep": ("<ul><li>one<li>two".repeat(100) + "</ul>".repeat(100)).repeat(20),
  "quotes in quotes, 200 deep": ("<blockquote><p>words".repeat(200) + "</blockquote>".repeat(200)).repeat(10),
  "elements in elements, 10,000 deep": `${"<div>".repeat(10_000)}deep`,
  "20,000 links in one paragraph": `<p>${"<a href='/a'>link</a> ".repeat(20_000)}</p>`,
};

/** Smaller pages count as one of this size: a scrape takes some milliseconds in any case. */
const leastBytes = 1e6;

/** Time of a scrape over HTTP, of pages that are loaded: of a usual weight, and made to be hard. */
export async function measureScraping(pages = 30): Promise<Figure[]> {
  const hard = Object.entries(hardPages).map(([name, html], index) => ({ name, html, path: `/hard-${index}` }));
  await using site = await startSite(new Map(hard.map(({ path, html }) => [path, html])));
  await using running = await startTestService();
  const { open, end, ask } = running;
  const scraped = async (path: string, times: number, body: object): Promise<number[]> => {
    const { session_id: id } = await open({ url: `${site.url}${path}` });
    const values: number[] = [];
    for (let index = 0; index < times; index += 1) {
      const from = performance.now();
      const response = await ask("POST", `/sessions/${id}/page/scrape`, body);
      const text = await response.text();
      values.push(response.ok ? performance.now() - from : Infinity);
      if (!response.ok) console.error(`  ${path}: ${response.status} ${text.slice(0, 200)}`);
    }
    await end(id);
    return values;
  };
  const [first, best, main]: [number[], number[], number[]] = [[], [], []];
  for (let number = 0; number < pages; number += 1) {
    const all = await scraped(`/page-${number}`, 4, {});
    first.push(all[0] ?? NaN);
    best.push(Math.min(...all));
    main.push(Math.min(...(await scraped(`/page-${number}`, 3, { only_main_content: true }))));
  }
  const figures: Figure[] = [
    { name: "scrape beyond page load, best of 4", unit: "ms", goal: 20, values: best },
    { name: "the same, the first one of a page", unit: "ms", values: first },
    { name: "the same, only main content, best of 3", unit: "ms", values: main },
  ];
  for (const { name, html, path } of hard) {
    const bytes = Math.max(leastBytes, Buffer.byteLength(html));
    const values = (await scraped(path, 4, {})).map((ms) => ms / (bytes / 1e6));
    figures.push({ name: `scrape of ${name}, best of 4`, unit: "ms per MB", goal: 100, values: [Math.min(...values)] });
  }
  return figures;
}
