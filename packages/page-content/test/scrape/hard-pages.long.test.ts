import { describe, expect, it } from "vitest";
import { PageCache } from "../../src/scrape/scraped-page.ts";
import { awaitPageData } from "../../src/scrape/page-data.ts";
import { Opened } from "./opened.ts";

const opened = new Opened();

describe("A page that is hard", () => {
  it("that never finishes loading returns its current content", async () => {
    const url = opened.site.put("/endless", (response) => {
      response.setHeader("content-type", "text/html");
      response.write("<p>there</p>");
    });
    await opened.page.goto(url, { waitUntil: "commit" });
    await opened.page.locator("p").waitFor();
    const begun = performance.now();
    expect(
      (await opened.scraper.scrape(opened.page, {}, { timeoutMs: 30_000, limits: { maxSettleMs: 300 } })).markdown,
    ).toBe("there");
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it("that draws itself after it is loaded is waited for", async () => {
    const html = `<div id=root></div><script>addEventListener("load", () => setTimeout(() => { root.innerHTML = "<p>drawn, after a moment, with some content</p>" }, 150))</script>`;
    expect((await opened.scrape(html)).markdown).toBe("drawn, after a moment, with some content");
  });

  it("that shows data when it has come is waited for", async () => {
    for (const path of ["/data", "/more"])
      opened.site.put(path, (response) => {
        setTimeout(() => response.end(`data of ${path}`), 400);
      });
    const html = `<p>More than enough words to look like a page that has all.</p><p id=p></p><script>
      const show = async (path) => { const text = await (await fetch(path)).text(); setTimeout(() => { p.textContent += " " + text }, 30) };
      addEventListener("load", async () => { await show("/data"); await show("/more") })</script>`;
    expect((await opened.scrape(html)).markdown).toContain("data of /data data of /more");
  });

  it("that waits for news is not waited for again", async () => {
    opened.site.put("/news", () => undefined);
    await opened.page.goto(opened.site.put("/asks", `<p>a</p><script>fetch("/news")</script>`));
    const scraped = new PageCache(opened.page);
    expect(await awaitPageData(scraped, 200)).toBe(true);
    expect(await awaitPageData(scraped, 200)).toBe(false);
  });

  it.each([
    ["that runs in circles", `setTimeout(() => { for (;;); }, 0)`],
    ["that has a dialog open", `setTimeout(() => alert("a"), 0)`],
  ])("%s fails in time", async (_, script) => {
    const other = await opened.context.newPage();
    // Playwright dismisses dialogs that nobody listens for.
    other.on("dialog", () => undefined);
    await other.goto(opened.site.put("/hung", `<p>a</p><script>${script}</script>`), { waitUntil: "commit" });
    const hung = async (): Promise<string> => {
      for (;;) await opened.scraper.scrape(other, {}, { timeoutMs: 400 });
    };
    await expect(hung()).rejects.toMatchObject({ code: "page-failed" });
    void other.close().catch(() => undefined);
  });

  it("that crashes says so at once", async () => {
    const other = await opened.context.newPage();
    await other.goto(opened.site.put("/crash", "<p>a</p>"));
    expect((await opened.scraper.scrape(other, {}, { timeoutMs: 30_000 })).markdown).toBe("a");
    const crash = new Promise((resolve) => {
      other.once("crash", resolve);
    });
    void other.goto("chrome://crash").catch(() => undefined);
    await crash;
    await expect(opened.scraper.scrape(other, {}, { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: "page-failed",
      message: expect.stringContaining("crashed"),
    });
    void other.close().catch(() => undefined);
  });

  it("with 100,000 nodes is read whole", async () => {
    const { markdown } = await opened.scrape(`<script>document.write("<p>a<b>b</b></p>".repeat(33000))</script>`);
    expect(markdown.match(/a\*\*b\*\*/g)).toHaveLength(33_000);
  });

  // What is displayed can't be nested as deep: the layout of the browser crashes. Nor can it write HTML that is nested 100,000 deep.
  it.each([10_000, 100_000])("that is nested %i deep is read whole", async (depth) => {
    const html = `<div id=r role=tabpanel style="display:none"></div><script>let n = r; for (let i = 0; i < ${depth}; i += 1) { n.append("w"); n = n.appendChild(document.createElement("div")) }</script>`;
    expect((await opened.scrape(html)).markdown.match(/w/g)).toHaveLength(depth);
  });

  it.each([700, 5_000])("that is too long is cut, and says so: %i paragraphs", async (count) => {
    const html = `${"<p>a</p>".repeat(count)}<p hidden>secret</p>`;
    const { markdown, cut } = await opened.scrape(html, {}, { limits: { maxNodes: 1_000 } });
    expect(cut).toBe(true);
    expect(markdown).toMatch(/^(?:a\n\n)+\*The page goes on: .*\*$/);
    expect(markdown.match(/^a$/gm)?.length).toBeLessThanOrEqual(500);
  });
});

describe("A document that is no HTML", () => {
  it.each<readonly [type: string, path: string, body: string, markdown: string]>([
    ["text/plain", "/a.txt", "a *b*\n  c", "```\na *b*\n  c\n```"],
    ["text/plain", "/a.md", "# a", "# a"],
    ["application/json", "/a.json", '{"a":1}', '```json\n{"a":1}\n```'],
    ["application/xml", "/a.xml", "<a><b>1</b></a>", "```xml\n<a><b>1</b></a>\n```"],
    ["image/svg+xml", "/a.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', "[a.svg](URL/a.svg)"],
  ])("%s", async (type, path, body, markdown) => {
    const url = opened.site.put(path, (response) => {
      response.setHeader("content-type", type);
      response.end(body);
    });
    await opened.page.goto(url);
    expect((await opened.scraper.scrape(opened.page, {}, { timeoutMs: 10_000 })).markdown).toBe(
      markdown.replace("URL", opened.site.url),
    );
  });

  it("has nothing where a selector finds nothing in it", async () => {
    const url = opened.site.put("/b.json", (response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"a":1}');
    });
    await opened.page.goto(url);
    const scraped = (selector: string) =>
      opened.scraper.scrape(opened.page, { selector, scrape_images: true }, { timeoutMs: 10_000 });
    expect(await scraped("article")).toMatchObject({ markdown: "", images: [] });
    expect((await scraped("pre")).markdown).toContain('{"a":1}');
  });
});
