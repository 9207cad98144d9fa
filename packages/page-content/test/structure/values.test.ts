import { expect, test } from "vitest";
import type { Json } from "../../src/in-page/declared/declared-data.ts";
import { coerce } from "../../src/structure/values/coercion.ts";
import { foldName, nameFit, partUnit } from "../../src/structure/values/names.ts";
import type { Leaf } from "../../src/structure/values/things.ts";

/** What a text is for a type and a property; undefined: it is not plainly that. */
const values: readonly (readonly [said: Leaf["value"], type: string, property: string, value: Json | undefined])[] = [
  ["1299", "number", "price", 1299],
  ["-3.50", "number", "price", -3.5],
  ["1e3", "number", "price", 1000],
  ["$1,299.00", "number", "price", 1299],
  ["1.299,00 €", "number", "price", 1299],
  ["1 299,5 kr", "number", "price", undefined],
  ["1 299,5", "number", "price", 1299.5],
  ["CHF 1'299.50", "number", "price", 1299.5],
  ["￥1,980", "number", "price", 1980],
  ["1980円", "number", "price", 1980],
  ["1980円（税込）", "number", "price", undefined],
  ["1,299", "number", "price", 1299],
  ["12,50 EUR", "number", "price", 12.5],
  ["1.299", "number", "price", 1.299],
  ["1.299 €", "number", "price", undefined],
  ["\u22125 USD", "number", "balance", -5],
  ["Price: 5", "number", "price", 5],
  ["12 kg", "number", "weight_kg", 12],
  ["12 kg", "number", "weight", undefined],
  ["12 lb", "number", "weight_kg", undefined],
  ["87 reviews", "integer", "review_count", 87],
  ["4.5 out of 5", "number", "rating", undefined],
  ["4.5/5", "number", "rating", undefined],
  ["20%", "number", "discount", undefined],
  ["from 5", "number", "price", undefined],
  ["5 - 7", "number", "price", undefined],
  ["0,125", "number", "price", 0.125],
  ["-0,125 €", "number", "price", -0.125],
  ["0,750 m", "number", "length_m", 0.75],
  ["0.750 m", "number", "length_m", 0.75],
  ["0.123.456", "number", "price", undefined],
  ["012,345", "number", "price", undefined],
  ["(1,234)", "number", "income", undefined],
  ["($1,234.50)", "number", "income", undefined],
  ["$(5)", "number", "income", undefined],
  ["Income: (5)", "number", "income", undefined],
  ["(87 reviews)", "integer", "review_count", 87],
  ["2024-05-01", "number", "price", undefined],
  ["", "number", "price", undefined],
  ["9".repeat(400), "number", "price", undefined],
  ["4.0", "integer", "count", 4],
  ["4.5", "integer", "count", undefined],
  [true, "number", "count", undefined],
  [4.5, "string", "rating", "4.5"],
  ["yes", "boolean", "dimmable", true],
  ["False", "boolean", "dimmable", false],
  ["1", "boolean", "dimmable", undefined],
  ["https://schema.org/InStock", "boolean", "in_stock", true],
  ["https://schema.org/OutOfStock", "boolean", "available", false],
  ["https://schema.org/PreOrder", "boolean", "in_stock", undefined],
  ["InStock", "boolean", "dimmable", undefined],
  ["https://schema.org/InStock", "string", "availability", "InStock"],
  ["May 1, 2024", "date", "day", "2024-05-01"],
  ["Wed, 1st Sept 2024", "date", "day", "2024-09-01"],
  ["1 May 2024", "date", "day", "2024-05-01"],
  ["2024-05-01T23:00:00Z", "date", "day", "2024-05-01"],
  ["01/05/2024", "date", "day", undefined],
  ["February 30, 2024", "date", "day", undefined],
  ["2024-05-01T10:00+0200", "date-time", "at", "2024-05-01T10:00:00+02:00"],
  ["2024-05-01T10:00:00", "date-time", "at", undefined],
  ["2024-05-01", "date-time", "at", undefined],
  ["see below", "uri", "url", undefined],
  ["https://a.example/x", "uri", "url", "https://a.example/x"],
];

test.each(values)("%o as %s for %s is %o", (value, type, property, expected) => {
  const schema = ["date", "date-time", "uri"].includes(type) ? { type: "string", format: type } : { type };
  expect(coerce({ value }, schema, foldName(property))).toEqual(expected);
});

test.each([
  ["datePublished", "date published"],
  ["Dates published:", "date published"],
  ["review_count", "review count"],
  ["imageURLs", "image ur ls"],
  ["HTMLTitle", "html title"],
  ["categories", "category"],
  ["addresses", "address"],
  ["boxes", "box"],
  ["status", "status"],
  ["Größe", "größe"],
  ["Area (km^2)", "area km2"],
  ["Area (km²)", "area km2"],
  ["Volume in m³", "volume in m3"],
  ["R²", "r2"],
  ["***", ""],
])("the key of %s is %o", (name, key) => {
  expect(foldName(name)).toBe(key);
});

test.each([
  ["event", "Events", 3],
  ["event", "Upcoming events", 2],
  ["event", "Eventually", 0],
  ["", "Events", 0],
  ["event", "", 0],
])("%o fits %o by %i", (property, name, fit) => {
  expect(nameFit(property, name)).toBe(fit);
});

test("a unit at the end of a name is split from the name", () => {
  expect(partUnit("weight kg")).toEqual({ key: "weight", unit: "kg" });
  expect(partUnit("kg")).toBeUndefined();
  expect(partUnit("price usd")).toBeUndefined();
});
