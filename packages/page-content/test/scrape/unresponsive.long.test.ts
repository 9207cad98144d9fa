import { expect, it } from "vitest";
import { Opened } from "./opened.ts";

const opened = new Opened();

/** Opens a page that is as it should be, scrapes it, and has it do something. */
async function reasonAfter(work: string): Promise<unknown> {
  const page = await opened.context.newPage();
  await page.goto(opened.site.put("/well", "<!doctype html><title>Title</title><p>Text"));
  await opened.scraper.scrape(page, {}, { timeoutMs: 30_000 });
  await page.evaluate(`void setTimeout(() => { ${work} })`);
  return opened.scraper
    .scrape(page, {}, { timeoutMs: 1_000 })
    .catch(String)
    .finally(() => page.close());
}

it.each<readonly [what: string, work: string]>([
  ["runs in circles", "for (;;);"],
  ["matches for ever", '/^(a+)+$/.test(`${"a".repeat(60)}b`)'],
])("a script that %s is the reason why a page does not respond", async (_, work) => {
  expect(await reasonAfter(work)).toMatch(/did not respond within 1000 ms: a script keeps running; open it again$/);
});

it("a dialog is a possible reason why a page does not respond", async () => {
  opened.context.on("dialog", () => undefined);
  expect(await reasonAfter("alert(1)")).toContain("a dialog or a synchronous request is open");
});

it.each<readonly [what: string, html: string]>([
  ["one line of 12 MB", `<p>${"word ".repeat(2_400_000)}`],
  ["600,000 paragraphs", "<p>A ferry</p>".repeat(600_000)],
  ["a table of 400,000 cells", `<table>${`<tr>${"<td>7".repeat(40)}`.repeat(10_000)}`],
])("a page with %s is too large", async (_, html) => {
  const page = await opened.context.newPage();
  const url = opened.site.put("/large", `<!doctype html><title>Title</title>${html}`);
  await page.goto(url, { waitUntil: "commit" });
  await expect(opened.scraper.scrape(page, {}, { timeoutMs: 200 })).rejects.toThrow("too large to be scraped");
  await page.close();
});
