import { expect, test } from "vitest";
import { extractStructured } from "../../src/structure/extract-structured.ts";
import { declaredBy, jsonLd } from "./page.ts";
import {
  text,
  number,
  uri,
  object,
  getList,
  product,
  furniture,
  article,
  recipe,
  events,
  specs,
  microdata,
  openGraph,
  listing,
  two,
} from "./pages.ts";

const fitting: readonly (readonly [sentence: string, page: string, schema: object, data: unknown])[] = [
  [
    "a product under the usual names, with numbers read from texts",
    product,
    object({
      title: text,
      price: number,
      currency: text,
      rating: number,
      review_count: { type: "integer" },
      inStock: { type: "boolean" },
      brand: text,
      imageUrl: uri,
      images: getList(uri),
    }),
    {
      title: "Lamp Aldis",
      price: 1299.5,
      currency: "EUR",
      rating: 4.5,
      review_count: 12,
      inStock: true,
      brand: "Moss",
      imageUrl: "https://shop.example/a.png",
      images: ["https://shop.example/a.png", "https://shop.example/b.png"],
    },
  ],
  [
    "nested objects as the page nests them, and as a list of one",
    product,
    object({
      offers: getList(object({ price: number, currency: { type: "string", enum: ["EUR", "USD"] } })),
      brand: object({ name: text }),
    }),
    { offers: [{ price: 1299.5, currency: "EUR" }], brand: { name: "Moss" } },
  ],
  [
    "the thing within an object that is named after it",
    furniture + product,
    object({ product: object({ name: text, sku: text }) }),
    { product: { name: "Lamp Aldis", sku: "L-1" } },
  ],
  [
    "a grouping that only the schema has",
    product,
    object({ name: text, pricing: object({ price: number, currency: text }) }),
    { name: "Lamp Aldis", pricing: { price: 1299.5, currency: "EUR" } },
  ],
  [
    "the choice of an enum that is written otherwise",
    product,
    object({ availability: { enum: ["out_of_stock", "in_stock"] }, name: { const: "lamp aldis" } }),
    { availability: "in_stock", name: "lamp aldis" },
  ],
  [
    "definitions, alternatives and parts put together",
    product,
    {
      $defs: { money: object({ price: number }), named: object({ name: text }) },
      allOf: [
        { $ref: "#/$defs/named" },
        {
          type: "object",
          properties: { offers: { anyOf: [{ type: "null" }, { $ref: "#/$defs/money" }] } },
          required: ["offers"],
        },
      ],
    },
    { name: "Lamp Aldis", offers: { price: 1299.5 } },
  ],
  [
    "optional properties that are not there stay away, required ones that may be null are null",
    product,
    {
      type: "object",
      properties: {
        name: text,
        length: number,
        width: { anyOf: [number, { type: "null" }] },
        depth: { type: "number", nullable: true, default: 3 },
        height: { type: ["number", "null"] },
      },
      required: ["name", "width", "depth", "height"],
    },
    { name: "Lamp Aldis", width: null, depth: null, height: null },
  ],
  [
    "what the title or the description of a property calls it",
    product,
    object({ a: { type: "string", title: "Brand" }, b: { type: "number", description: "The price of the product" } }),
    { a: "Moss", b: 1299.5 },
  ],
  [
    "an article, not the site that it is on",
    article,
    object({
      title: text,
      author: text,
      authors: getList(object({ name: text })),
      published_at: { type: "string", format: "date-time" },
      date: { type: "string", format: "date" },
      tags: getList(text),
      content: text,
    }),
    {
      title: "Lamp found",
      author: "Ada, Bo",
      authors: [{ name: "Ada" }, { name: "Bo" }],
      published_at: "2024-05-01T10:00:00+02:00",
      date: "2024-05-01",
      tags: ["lamps", "ships"],
      content: "It was found.",
    },
  ],
  [
    "a recipe, with a number that its property names the unit of",
    recipe,
    object({
      name: text,
      ingredients: getList(text),
      steps: getList(text),
      servings: text,
      prepTime: text,
      calories: number,
    }),
    {
      name: "Bread",
      ingredients: ["Flour", "Salt"],
      steps: ["Mix.", "Bake."],
      servings: "2 loaves",
      prepTime: "PT1H",
      calories: 250,
    },
  ],
  [
    "the table that is named, rows as objects, links and days",
    events,
    object({
      events: getList(
        object({ name: text, url: uri, date: { type: "string", format: "date" }, venue: text, tickets: number }, [
          "name",
          "date",
          "venue",
          "tickets",
        ]),
      ),
    }),
    {
      events: [
        { name: "Launch", date: "2024-05-01", venue: "Rome", tickets: 12.5 },
        { name: "Finale", date: "2024-06-02", venue: "Oslo", tickets: 1200 },
      ],
    },
  ],
  [
    "the table that fits, when the schema is a list",
    events,
    getList(object({ name: text, role: text })),
    [{ name: "Ada", role: "Head" }],
  ],
  [
    "a definition list, its units and its yes",
    specs,
    object({ weight_kg: number, material: text, dimmable: { type: "boolean" }, bulbs: { type: "integer" } }),
    { weight_kg: 12, material: "Brass", dimmable: true, bulbs: 3 },
  ],
  [
    "a definition list as an object of any names",
    specs,
    object({ technicalData: { type: "object", additionalProperties: text } }),
    { technicalData: { Weight: "12 kg", Material: "Brass", Dimmable: "Yes", Bulbs: "3" } },
  ],
  ["microdata", microdata, object({ name: text, price: number }), { name: "Lamp", price: 5 }],
  [
    "Open Graph alone",
    openGraph,
    object({ name: text, price: number, currency: text, image: uri }),
    { name: "Lamp", price: 5, currency: "GBP", image: "https://shop.example/o.png" },
  ],
  [
    "a list of items by their type and by any name for lists",
    listing,
    object({ products: getList(object({ name: text, price: number })) }),
    {
      products: [
        { name: "Lamp 1", price: 1 },
        { name: "Lamp 2", price: 2 },
      ],
    },
  ],
  [
    "breadcrumbs",
    furniture + product,
    object({ name: text, breadcrumbs: getList(text) }),
    { name: "Lamp Aldis", breadcrumbs: ["Home", "Lamps"] },
  ],
  [
    "a list under its heading",
    "<h2>Features</h2><ul><li>Bright</li><li>Small</li></ul>",
    object({ features: getList(text) }),
    { features: ["Bright", "Small"] },
  ],
  [
    "a property that one other thing of the page has",
    furniture + product,
    object({ name: text, telephone: text }),
    { name: "Lamp Aldis", telephone: "+44 1" },
  ],
  [
    "of several products the one that the page is named after",
    `<h1>Lamp 2</h1>${two}`,
    object({ name: text, price: number }),
    { name: "Lamp 2", price: 2 },
  ],
  [
    "the title of a document that declares nothing more",
    "<h1>Lamps and ships</h1>",
    object({ title: text }),
    { title: "Lamps and ships" },
  ],
  [
    "a schema of an older draft",
    product,
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      definitions: { p: { type: "number", minimum: 0, exclusiveMinimum: true } },
      type: "object",
      properties: { price: { $ref: "#/definitions/p" } },
      required: ["price"],
    },
    { price: 1299.5 },
  ],
  [
    "a schema that contains itself",
    jsonLd({ "@type": "Comment", text: "a", comment: { "@type": "Comment", text: "b" } }),
    { type: "object", properties: { text, comment: { $ref: "#" } }, required: ["text"] },
    { text: "a", comment: { text: "b" } },
  ],
];

test.each(fitting)("finds %s", async (_, page, responseFormat, data) => {
  expect(await extractStructured({ declared: declaredBy(page), markdown: "", responseFormat })).toEqual({
    success: true,
    error: null,
    data,
  });
});
