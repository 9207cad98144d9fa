import { describe, expect, it } from "vitest";
import { extractStructured } from "../../src/structure/extract-structured.ts";
import { declaredBy, jsonLd } from "./page.ts";
import { getList, number, object, text } from "./pages.ts";

const product = jsonLd({
  "@type": "Product",
  name: "Lamp",
  color: "red",
  offers: { price: "-5", priceCurrency: "Euro" },
});
const positive = { type: "number", minimum: 0 };
const code = { type: "string", pattern: "^[A-Z]{3}$" };
const rows = `<table><tr><th>Name<th>Price<th>Size<tr><td>A<td>-3<td>1<tr><td>B<td>4<td>2</table>`;
const tags = "<h2>Tags</h2><ul><li>a<li>a</ul>";

describe("A value that breaks what the schema asks of it", () => {
  it.each<readonly [sentence: string, page: string, schema: object, data: unknown]>([
    ["is left out", product, object({ name: text, price: positive, currency: code }, ["name"]), { name: "Lamp" }],
    [
      "is null where it has to be there and may be null",
      product,
      object({ name: text, price: { anyOf: [positive, { type: "null" }] } }, ["name", "price"]),
      { name: "Lamp", price: null },
    ],
    [
      "is left out of its row only",
      rows,
      object({ rows: getList(object({ name: text, price: positive, size: number }, ["name"])) }),
      {
        rows: [
          { name: "A", size: 1 },
          { name: "B", price: 4, size: 2 },
        ],
      },
    ],
    [
      "takes along what can't be without it",
      product,
      object({ name: text, offers: object({ price: positive, currency: text }, ["price"]) }, ["name"]),
      { name: "Lamp" },
    ],
    [
      "takes a whole list along",
      product + tags,
      object({ name: text, tags: { ...getList(text), uniqueItems: true } }, ["name"]),
      { name: "Lamp" },
    ],
  ])("%s", async (_, page, responseFormat, data) => {
    const result = await extractStructured({ declared: declaredBy(page), markdown: "", responseFormat });
    expect(result).toEqual({ success: true, error: null, data });
  });

  it.each<readonly [sentence: string, schema: object, problem: string]>([
    ["it is required", object({ name: text, price: positive }, ["price"]), "/price must be >= 0"],
    ["nothing else is there", object({ price: positive }, []), "/price must be >= 0"],
    [
      "more than it is asked for",
      { ...object({ name: text, price: positive }, []), minProperties: 2 },
      "/price must be >= 0",
    ],
  ])("fails the extraction when %s", async (_, responseFormat, problem) => {
    const result = await extractStructured({ declared: declaredBy(product), markdown: "", responseFormat });
    expect(result).toEqual({ success: false, data: null, error: expect.stringContaining(problem) });
  });
});
