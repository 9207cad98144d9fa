import { expect, it } from "vitest";
import { FailedDocuments } from "../../src/sessions/documents/failed-documents.ts";
import { scrapeSession } from "../../src/sessions/scrape-session.ts";
import { ActivePage } from "@cloud-browser/browsers";
import { Opened } from "../../../page-content/test/scrape/opened.ts";
import { jsonLd } from "../../../page-content/test/structure/page.ts";
import { getList, number, object, text } from "../../../page-content/test/structure/pages.ts";

const opened = new Opened();

const style = "<style>.gone { display: none } .unseen { visibility: hidden } .folded { visibility: collapse }</style>";
const table = (rows: string): string => `${style}<table><tr><th>Name<th>Price</tr>${rows}</table>`;
const products = object({ row: getList(object({ name: text, price: number })) });
const row = (name: string, price: number): object => ({ name, price });
const many = Array.from({ length: 30 }, (_, at) => row(`Lamp ${at}`, at));
const manyRows = many.map((_, at) => `<tr><td>Lamp ${at}</td><td><a href="#${at}">${at}</a></td></tr>`).join("");
const failure = { success: false, data: null };

it.each<readonly [sentence: string, page: string, format: object, structured: object]>([
  [
    "what is hidden in it",
    table(
      '<tr><td><span class=gone>Zed, </span>Ann<td><span style="display:none">7000</span>7<i class=unseen>0</i></tr>',
    ),
    products,
    { success: true, data: { row: [row("Ann", 7)] } },
  ],
  [
    "rows that are hidden",
    table(
      "<tr class=gone><td>A<td>1</tr><tr class=unseen><td>B<td>2</tr><tr class=folded><td>C<td>3</tr><tr><td>D<td>4</tr>",
    ),
    products,
    { success: true, data: { row: [row("D", 4)] } },
  ],
  [
    "a hidden row of a long table",
    table(`${manyRows}<tr hidden><td>Gone<td>7</tr>`),
    products,
    { success: true, data: { row: many } },
  ],
  [
    "references to notes",
    `<html lang=en><dl><dt>Price</dt><dd>78<sup><a href="#n">3</a></sup></dd></dl><p id=n>A note</p>`,
    object({ price: number }),
    { success: true, data: { price: 78 } },
  ],
  [
    "a number that may be two in the language of the page",
    "<html lang=de><dl><dt>Price</dt><dd>1.234</dd></dl>",
    object({ price: number }),
    failure,
  ],
  [
    "what is hidden in a property, not a property that is hidden",
    `${style}<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Lamp<i class=gone> old</i></b><b itemprop=sku class=gone>L-1</b><meta itemprop=mpn content=M></div>`,
    object({ name: text, sku: text, mpn: text }),
    { success: true, data: { name: "Lamp", sku: "L-1", mpn: "M" } },
  ],
  [
    "entities of JSON-LD",
    jsonLd({ "@type": "Recipe", name: "Tom &amp; Jerry&#39;s Pie" }),
    object({ name: text }),
    { success: true, data: { name: "Tom & Jerry's Pie" } },
  ],
])("Data of a live page is free of %s", async (_, page, format, structured) => {
  await opened.page.goto(opened.site.put("/shown", `<!doctype html><title>Title</title>${page}`));
  const answer = await scrapeSession(
    opened.scraper,
    {
      activePage: new ActivePage(opened.context),
      failedDocuments: new FailedDocuments(opened.context),
      read: (work) => work(),
    },
    { response_format: format },
  );
  expect(answer.structured).toMatchObject(structured);
});
