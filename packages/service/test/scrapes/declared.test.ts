import { describe, expect, it } from "vitest";
import { FailedDocuments } from "../../src/sessions/documents/failed-documents.ts";
import { scrapeSession } from "../../src/sessions/scrape-session.ts";
import { ActivePage } from "@cloud-browser/browsers";
import { Opened, type ScrapeRequest } from "../../../page-content/test/scrape/opened.ts";
import { jsonLd } from "../../../page-content/test/structure/page.ts";
import { number, object, text } from "../../../page-content/test/structure/pages.ts";

const opened = new Opened();

const product = { "@type": "Product", name: "Lamp", sku: "L-1", offers: { "@type": "Offer", price: "12.50" } };
/** A shop: what it declares stands in its head, in its body, and in a part of its own. */
const shop = `<meta property="og:site_name" content="The Shop">${jsonLd(product).replace('ld+json"', 'ld+json; charset=utf-8"')}
  <h1>Lamps</h1>
  <div itemscope itemtype="https://schema.org/Recipe"><h2 itemprop="name">Bread</h2><a itemprop="url" href="/bread">more</a></div>
  <form id=part><h2>Sizes</h2><table><tr><th>size<th>price</tr><tr><td>small<td>3</tr><tr><td>large<td>4</tr></table>
  <dl><dt>Name</dt><dd>Table lamp</dd></dl></form>`;

describe("What a live page declares", () => {
  it("is read: JSON-LD, microdata, tables, and metadata of its head", async () => {
    const { declared } = await opened.scrape(shop, {}, { declared: true });
    expect(declared).toMatchObject({
      url: `${opened.site.url}/page`,
      title: "Title",
      jsonLd: [{ "@type": "Product", name: "Lamp", offers: { price: "12.50" } }],
      microdata: [{ "@type": "Recipe", name: "Bread", url: `${opened.site.url}/bread` }],
      tables: [{ columns: ["size", "price"] }],
      meta: { "og:site_name": ["The Shop"] },
    });
  });

  it("is not read without a reader", async () => {
    expect((await opened.scrape(shop)).declared).toBeNull();
  });

  it("is that of the selected elements only", async () => {
    const { declared } = await opened.scrape(shop, { selector: "#part" }, { declared: true });
    expect(declared).toMatchObject({ jsonLd: [], microdata: [], tables: [{ columns: ["size", "price"] }] });
    expect(JSON.stringify(declared)).not.toContain("The Shop");
  });
});

describe("A scrape for data", () => {
  const format = { response_format: object({ name: text, price: number }) };

  it.each<readonly [sentence: string, request: ScrapeRequest, structured: object]>([
    ["takes it from what the page declares", format, { success: true, data: { name: "Lamp", price: 12.5 } }],
    [
      "takes it from the selected part only, not from the head",
      { selector: "#part", response_format: object({ name: text }) },
      { success: true, data: { name: "Table lamp" } },
    ],
    ["that the selected part does not have says so", { selector: "h1", ...format }, { success: false, data: null }],
  ])("%s", async (_, request, structured) => {
    await opened.page.goto(opened.site.put("/shop", `<!doctype html><title>Title</title>${shop}`));
    let reads = 0;
    const read = <Result>(work: () => Promise<Result>): Promise<Result> => ((reads += 1), work());
    const answer = await scrapeSession(
      opened.scraper,
      { activePage: new ActivePage(opened.context), failedDocuments: new FailedDocuments(opened.context), read },
      request,
    );
    expect(answer.structured).toMatchObject(structured);
    expect(reads).toBe(1);
  });

  it.each<readonly [sentence: string, type: string, body: string, structured: object]>([
    [
      "takes it from a document of JSON",
      "application/json",
      '{"name":"Lamp","price":12.5}',
      { success: true, data: { name: "Lamp", price: 12.5 } },
    ],
    ["that a text does not declare says so", "text/plain", "name: Lamp", { success: false, data: null }],
    ["that a broken JSON does not declare says so", "application/json", '{"name":', { success: false, data: null }],
    [
      "that a drawing does not declare says so",
      "image/svg+xml",
      "<svg xmlns='http://www.w3.org/2000/svg'/>",
      { success: false },
    ],
  ])("%s", async (_, type, body, structured) => {
    const put = opened.site.put("/document", (response) => {
      response.setHeader("content-type", type);
      response.end(body);
    });
    await opened.page.goto(put);
    const answer = await scrapeSession(
      opened.scraper,
      {
        activePage: new ActivePage(opened.context),
        failedDocuments: new FailedDocuments(opened.context),
        read: (work) => work(),
      },
      format,
    );
    expect(answer.structured).toMatchObject(structured);
  });
});
