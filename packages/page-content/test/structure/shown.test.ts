import { expect, test } from "vitest";
import { readDeclared } from "../../src/in-page/declared/declared.ts";
import { extractStructured } from "../../src/structure/extract-structured.ts";
import { getDocument, jsonLd } from "./page.ts";
import { getList, number, object, text } from "./pages.ts";

const failure = { success: false, data: null };
const definition = (value: string): string => `<dl><dt>Value</dt><dd>${value}</dd></dl>`;

async function extract(page: string, schema: object, lang?: string): Promise<object> {
  const document = getDocument(page);
  if (lang === undefined) document.documentElement.removeAttribute("lang");
  else document.documentElement.setAttribute("lang", lang);
  const responseFormat = object({ value: schema });
  return extractStructured({ declared: readDeclared(document), markdown: "", responseFormat });
}

/** What a number in a text is on a page of a language; undefined: it may be two. */
test.each<readonly [lang: string | undefined, said: string, value: number | undefined]>([
  ["de", "1.234", undefined],
  ["de-AT", "579.432", undefined],
  ["pl", "-1.234", undefined],
  ["de", "1.234.567", 1_234_567],
  ["de", "1.234,5", 1234.5],
  ["de", "1,125", 1.125],
  ["fr", "-1,2345", -1.2345],
  ["de", "1,234,567", 1_234_567],
  ["de", "0.125", 0.125],
  ["de", "48.1371", 48.1371],
  ["de", "1234.567", 1234.567],
  ["de-CH", "1.234", 1.234],
  ["es-MX", "1,125", 1125],
  ["en", "1,125", 1125],
  ["en", "48.137", 48.137],
  ["no_such language", "48.137", 48.137],
  [undefined, "48.137", 48.137],
  [undefined, "0,750", 0.75],
])("in %s, %s is %s", async (lang, words, value) => {
  const expected = value === undefined ? failure : { success: true, data: { value } };
  expect(await extract(definition(words), number, lang)).toMatchObject(expected);
  const table = `<table><tr><th>Value<th>Other</tr><tr><td>${words}<td>x</tr></table>`;
  const rows = await extract(table, getList(object({ value: number })), lang);
  expect(rows).toMatchObject(value === undefined ? failure : { success: true, data: { value: [{ value }] } });
});

test.each<readonly [sentence: string, page: string, expected: object]>([
  [
    "a number for machines is one in every language",
    jsonLd({ value: "48.137" }),
    { success: true, data: { value: 48.137 } },
  ],
  [
    "an attribute is one for machines",
    '<div itemscope><b itemprop="value" content="48.137">48,137</b></div>',
    { success: true, data: { value: 48.137 } },
  ],
  ["a shown property is in the language of the page", '<div itemscope><b itemprop="value">1.299</b></div>', failure],
  [
    "a shown property with a comma, too",
    '<div typeof="A"><b property="value">1,125</b></div>',
    { success: true, data: { value: 1.125 } },
  ],
])("on a page in German, %s", async (_, page, expected) => {
  expect(await extract(page, number, "de")).toMatchObject(expected);
});

test.each<readonly [sentence: string, content: string, schema: object, value: unknown]>([
  ["items of a list in a value", "<ul><li>USB-C</li><li>HDMI</li></ul>", getList(text), ["USB-C", "HDMI"]],
  ["lines of a value", "Rock<br>Jazz", getList(text), ["Rock", "Jazz"]],
  ["lines that are numbers", "3<br>5", getList(number), [3, 5]],
  ["items for one text", "<ul><li>USB-C</li><li>HDMI</li></ul>", text, "USB-C HDMI"],
  ["lines for one text", "Rock<br>Jazz", text, "Rock Jazz"],
  ["words above a number", "Value:<br>5", number, 5],
  ["lines that are no one number", "1<br>234", number, undefined],
  ["items that are no one number", "<ul><li>1</li><li>234</li></ul>", number, undefined],
  ["lines that are no one choice", "1<br>234", { enum: [1234] }, undefined],
  ["cents that are raised", "$19<sup>99</sup>", number, undefined],
  ["a number with a note", '78<sup><a href="#n">3</a></sup>', number, 78],
])("%s are taken for what they are", async (_, content, schema, value) => {
  const expected = value === undefined ? failure : { success: true, data: { value } };
  expect(await extract(definition(content), schema)).toMatchObject(expected);
});

test("a list of one item in two lines has one item", async () => {
  const page = "<h2>Value</h2><ul><li>Rock<br>Jazz</li></ul>";
  expect(await extract(page, getList(text))).toMatchObject({ success: true, data: { value: ["Rock Jazz"] } });
});

const cities = (counts: readonly string[]): string =>
  `<table><caption>Value</caption><tr><th>City<th>People</tr>${counts.map((count) => `<tr><td>A<td>${count}</tr>`).join("")}</table>`;

test.each<
  readonly [sentence: string, lang: string, counts: readonly string[], people: readonly (number | undefined)[]]
>([
  ["in German, where one has two", "de", ["1.512.491", "331.885", "9"], [1_512_491, 331_885, 9]],
  ["in no known language, where one has two", "", ["1.234.567", "579.432", "1.299,5"], [1_234_567, 579_432, 1299.5]],
  ["that may be either in German", "de", ["331.885", "9"], [undefined, 9]],
  ["that part decimals elsewhere in it", "", ["1.234.567", "579.432", "0.5"], [1_234_567, 579.432, 0.5]],
])("points of a column %s", async (_, lang, counts, people) => {
  const schema = getList(object({ city: text, people: number }, ["city"]));
  const value = people.map((count) => (count === undefined ? { city: "A" } : { city: "A", people: count }));
  expect(await extract(cities(counts), schema, lang)).toMatchObject({ success: true, data: { value } });
});

test("a table whose corner is empty has the names of its columns", async () => {
  const page =
    "<table><caption>Value</caption><tr><td></td><th>2023<th>2024<tr><th>Sales<td>10<td>12<tr><th>Cost<td>5<td>6</table>";
  const value = [
    { 2023: 10, 2024: 12 },
    { 2023: 5, 2024: 6 },
  ];
  expect(await extract(page, getList(object({ 2023: number, 2024: number })))).toMatchObject({ data: { value } });
});
