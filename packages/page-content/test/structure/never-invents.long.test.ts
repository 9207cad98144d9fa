import { expect, test } from "vitest";
import { extractStructured } from "../../src/structure/extract-structured.ts";
import { declaredBy, jsonLd } from "./page.ts";
import { text, number, object, getList, product, furniture, two } from "./pages.ts";

/** A table whose columns have related names. */
const columns =
  "<table><tr><th>Item<th>Cost<th>Price<th>Date<th>Date created<tr><td>Lamp<td>(87)<td>5<td>01/05/2024<td>2020-01-01</table>";

const notDeclared: readonly (readonly [sentence: string, page: string, schema: object, names: string])[] = [
  [
    "a property that the page does not have",
    product,
    object({ name: text, imoNumber: text, decks: { type: "integer" } }),
    "`imoNumber`, `decks`",
  ],
  [
    "a property of an entry of a list",
    jsonLd([
      { "@type": "Event", name: "A", startDate: "2024-01-01" },
      { "@type": "Event", name: "B" },
    ]),
    object({ events: getList(object({ name: text, startDate: text })) }),
    "`events[1].startDate`",
  ],
  [
    "a number where the page has words",
    jsonLd({ "@type": "Product", name: "Lamp", offers: { price: "on request" } }),
    object({ name: text, price: number }),
    "`price`",
  ],
  [
    "one price where the page has several",
    jsonLd({ "@type": "Product", name: "Lamp", offers: [{ price: 1 }, { price: 2 }] }),
    object({ name: text, price: number }),
    "`price`",
  ],
  [
    "a moment where the page has a day",
    jsonLd({ "@type": "Event", name: "A", startDate: "2024-01-01" }),
    object({ startDate: { type: "string", format: "date-time" } }),
    "`startDate`",
  ],
  [
    "one product where the page has several alike",
    two,
    object({ name: text, price: number }),
    "2 items of the type Product",
  ],
  ["the name of the site as the name of a thing", furniture, object({ name: text, price: number }), "`name`, `price`"],
  [
    "the name of the product as the name of its seller",
    product,
    object({ name: text, seller: object({ name: text }) }),
    "`seller",
  ],
  [
    "an organization as the seller, though the type in the schema is called so",
    furniture + product,
    {
      $defs: { Organization: { ...object({ name: text }), title: "Organization" } },
      ...object({ name: text, seller: { $ref: "#/$defs/Organization" } }),
    },
    "`seller",
  ],
  ["a choice that is none of the enum's", product, object({ currency: { enum: ["USD", "GBP"] } }), "`currency`"],
  [
    "a constant that the schema demands and the page does not say",
    product,
    object({ name: text, certified: { const: true } }),
    "`certified`",
  ],
  [
    "a default of the schema",
    product,
    object({ name: text, warranty: { type: "string", default: "two years" } }),
    "`warranty`",
  ],
  [
    "anything when all that is asked for may be null",
    "<p>nothing</p>",
    object({ imo: { type: ["string", "null"] }, decks: { type: ["integer", "null"] } }),
    "`imo`, `decks`",
  ],
  [
    "the one value that can't be read of a list without a name",
    "<ul><li>Home</li></ul><table><tr><th>Item<th>Size<tr><td>Shade<td>5<tr><td>Base<td>5 to 7</table>",
    getList(object({ item: text, size: number })),
    "`[1].size`.",
  ],
  [
    "a cost from the column of the price when its own is no plain number",
    columns,
    object({ rows: getList(object({ item: text, cost: number })) }),
    "`rows[0].cost`",
  ],
  [
    "a day from another column, either",
    columns,
    object({ rows: getList(object({ item: text, date: { type: "string", format: "date" } })) }),
    "`rows[0].date`",
  ],
  ["an empty list", product, object({ events: getList(object({ venue: text, tickets: number })) }), "`events`"],
];

test.each(notDeclared)("never makes up %s", async (_, page, responseFormat, names) => {
  const { success, error, data } = await extractStructured({
    declared: declaredBy(page),
    markdown: "imoNumber: 1, decks: 2",
    responseFormat,
  });
  expect({ success, data }).toEqual({ success: false, data: null });
  expect(error).toContain(names);
  expect(error).toContain("No model is configured");
  expect(error).toMatch(/Looked at JSON-LD.*Configure a model/);
});

test("data that a page declares and the schema forbids is no success", async () => {
  const responseFormat = object({ sku: { type: "string", pattern: "^[0-9]+$" } });
  expect(await extractStructured({ declared: declaredBy(product), markdown: "", responseFormat })).toMatchObject({
    success: false,
    data: null,
    error: expect.stringContaining("/sku must match pattern"),
  });
});

test.each([
  ["neither a schema nor instructions", {}, "Nothing to extract"],
  [
    "instructions without a schema and without a model",
    { instructions: "Give the price." },
    "need a model; none is configured",
  ],
  ["a text as the schema", { responseFormat: "a title" }, "response_format must be a JSON Schema"],
  ["a list as the schema", { responseFormat: [] }, "response_format must be a JSON Schema"],
  ["an object without a keyword", { responseFormat: { title: "string" } }, "it has none of its keywords"],
  ["an unknown type", { responseFormat: { type: "strin" } }, "is not a JSON Schema: schema/type must be equal"],
  ["a reference that leads out", { responseFormat: { $ref: "https://a.example/s" } }, "can't resolve reference"],
])("says what is wrong with %s", async (_, request, message) => {
  const result = await extractStructured({ declared: declaredBy(product), markdown: "", ...request });
  expect(result).toEqual({ success: false, error: expect.stringContaining(message), data: null });
});
