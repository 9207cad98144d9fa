import { expect, test } from "vitest";
import { extractStructured } from "../../src/structure/extract-structured.ts";
import { declaredBy, jsonLd } from "./page.ts";
import { getList, number, object, product, text } from "./pages.ts";

const section = (name: string, ...steps: readonly string[]): object => ({
  "@type": "HowToSection",
  name,
  itemListElement: steps.map((step) => ({ "@type": "HowToStep", text: step })),
});
const recipe = (...recipeInstructions: readonly object[]): string =>
  jsonLd({ "@context": "https://schema.org", "@type": "Recipe", name: "Soup", recipeInstructions });
const cooking = recipe(section("Before", "Peel.", "Cut."), section("Then", "Boil."), {
  "@type": "HowToStep",
  text: "Serve.",
});
const variant = (sku: string, price: number): object => ({ "@type": "Product", sku, offers: { price } });
const group = jsonLd({
  "@context": "https://schema.org",
  "@type": "ProductGroup",
  name: "Mug",
  hasVariant: [variant("m-1", 5), variant("m-2", 6)],
});
const stock = (availability: string): string =>
  jsonLd({ "@type": "Product", name: "Mug", offers: { availability: `https://schema.org/${availability}` } });
const offer = { "@type": "Offer", "@id": "#offer", price: 5, priceCurrency: "EUR" };
const offered = { "@type": "Product", "@id": "#mug", name: "Mug", offers: { "@id": "#offer" } };
const rated = { ratingValue: 4, reviewCount: 12, ratingCount: 99 };
const script = (json: string): string => jsonLd("").replace('""', () => json);
const inStock = { enum: ["instock", "outofstock", "preorder"] };

/** What standards of markup say in more than one way. */
test.each<readonly [sentence: string, page: string, schema: object, data: unknown]>([
  [
    "the steps of a recipe, whatever sections they are in",
    cooking,
    object({ steps: getList(text) }),
    { steps: ["Peel.", "Cut.", "Boil.", "Serve."] },
  ],
  [
    "steps as objects",
    cooking,
    object({ instructions: getList(object({ text })) }),
    { instructions: ["Peel.", "Cut.", "Boil.", "Serve."].map((step) => ({ text: step })) },
  ],
  [
    "the sections when they are what is asked for",
    recipe(section("Before", "Peel.", "Cut."), section("Then", "Boil.")),
    object({ instructions: getList(object({ name: text, itemListElement: getList(text) })) }),
    {
      instructions: [
        { name: "Before", itemListElement: ["Peel.", "Cut."] },
        { name: "Then", itemListElement: ["Boil."] },
      ],
    },
  ],
  [
    "the variants of a product with their prices",
    group,
    object({ name: text, variants: getList(object({ sku: text, price: number })) }),
    {
      name: "Mug",
      variants: [
        { sku: "m-1", price: 5 },
        { sku: "m-2", price: 6 },
      ],
    },
  ],
  [
    "a choice that is written as one word",
    stock("OutOfStock"),
    object({ availability: inStock }),
    { availability: "outofstock" },
  ],
  [
    "a choice that the page writes as two",
    stock("PreOrder"),
    object({ availability: inStock }),
    { availability: "preorder" },
  ],
  [
    "the second of two forms, whose properties say little by themselves",
    product,
    { oneOf: [object({ error: text }), { ...object({ name: text }), additionalProperties: false }] },
    { name: "Lamp Aldis" },
  ],
  [
    "what a reference to another script stands for",
    jsonLd(offered) + jsonLd(offer),
    object({ name: text, price: number, currency: text }),
    { name: "Mug", price: 5, currency: "EUR" },
  ],
  [
    "of several things with the name that is referred to, the one in the same script",
    jsonLd([offered, { ...offer, price: 6 }]) + jsonLd(offer),
    object({ name: text, price: number }),
    { name: "Mug", price: 6 },
  ],
  [
    "things in a script with commas too many",
    script('{"@type": "Product", "name": "Mug, large,]", "offers": {"price": 5,}, "color": ["a", "b\\"",\n],}'),
    object({ name: text, price: number, color: getList(text) }),
    { name: "Mug, large,]", price: 5, color: ["a", 'b"'] },
  ],
  [
    "of two counts the one that is asked for",
    jsonLd({ "@type": "Product", name: "Mug", aggregateRating: rated }),
    object({ rating_count: number, review_count: number }),
    { rating_count: 99, review_count: 12 },
  ],
])("finds %s", async (_, page, responseFormat, data) => {
  const result = await extractStructured({ declared: declaredBy(page), markdown: "", responseFormat });
  expect(result).toEqual({ success: true, error: null, data });
});

test("a number with a point is no choice without one", async () => {
  const declared = declaredBy("<dl><dt>Version</dt><dd>1.0</dd></dl>");
  const responseFormat = object({ version: { type: "string", enum: ["10", "11"] } });
  expect(await extractStructured({ declared, markdown: "", responseFormat })).toMatchObject({ success: false });
});

test("a reference to what several scripts name stands for none of them", async () => {
  const declared = declaredBy(jsonLd(offered) + jsonLd(offer) + jsonLd({ ...offer, price: 6 }));
  const responseFormat = object({ name: text, price: number });
  expect(await extractStructured({ declared, markdown: "", responseFormat })).toMatchObject({ success: false });
});
