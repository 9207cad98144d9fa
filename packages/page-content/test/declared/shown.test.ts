import { expect, test } from "vitest";
import type { DeclaredContent } from "../../src/in-page/declared/declared-data.ts";
import { declaredBy, jsonLd } from "../structure/page.ts";

const base = "https://shop.example/lamps/brass";
/** As the flat document marks what is not shown. */
const gone = 'data-flat-hidden="display"';
const unseen = 'data-flat-hidden="visibility"';
const folded = 'data-flat-hidden="collapsed"';

/** The value in the only cell of a row of a table. */
const cell =
  (content: string, mark = "") =>
  (): unknown => {
    const page = `<table><tr><th>A<th>B</tr><tr><td ${mark}>${content}</td><td>end</td></tr></table>`;
    return declaredBy(page).tables[0]?.rows[0]?.[0];
  };

test.each<readonly [sentence: string, read: () => unknown, value: object | null]>([
  ["raised cents", cell("$19<sup>99</sup>"), { text: "$19^99" }],
  ["cents raised with their sign", cell("$19<sup>.99</sup>"), { text: "$19.99" }],
  ["cents raised with their currency", cell("<span>19</span><sup><small>99 €</small></sup>"), { text: "19^99 €" }],
  ["lowered cents", cell("$19<sub>99</sub>"), { text: "$19_99" }],
  ["a power", cell("10<sup>6</sup>"), { text: "10^6" }],
  ["a negative power", cell("10<sup>−6</sup> m"), { text: "10^−6 m" }],
  ["a power that is a letter", cell("2<sup>n</sup>"), { text: "2^n" }],
  ["a unit", cell("5 m<sup>2</sup>"), { text: "5 m^2" }],
  ["a number after what is raised", cell("<sup>1</sup>78"), { text: "1^78" }],
  ["a fraction", cell("<sup>1</sup>/<sub>2</sub>"), { text: "1/2" }],
  ["an ending of an ordinal", cell("May 1<sup>st</sup>, 2024"), { text: "May 1st, 2024" }],
  ["a formula", cell("H<sub>2</sub>O"), { text: "H2O" }],
  ["a reference to a note", cell('78<sup><a href="#n">3</a></sup>'), { text: "78" }],
  ["one with its address in full", cell(`78<sup><a href="${base}#n">3</a></sup>`), { text: "78" }],
  ["a link to a note that holds what is raised", cell('78<a href="#n"> <sup>3</sup></a>'), { text: "78" }],
  ["one in brackets", cell('Ann<sup class="reference"><a href="#n1">[1]</a></sup>'), { text: "Ann" }],
  ["several in one", cell('Ann<sup>[<a href="#a">1</a>, <a href="#b">2</a>]</sup>'), { text: "Ann" }],
  [
    "one beside a link, which is the only one then",
    cell('<a href="/ann">Ann</a><sup><a href="#n">1</a></sup>'),
    { text: "Ann", href: "https://shop.example/ann" },
  ],
  [
    "a raised link to a page",
    cell('78<sup><a href="/x">3</a></sup>'),
    { text: "78^3", href: "https://shop.example/x" },
  ],
  ["a raised link to nothing", cell('19<sup><a href="#">99</a></sup>'), { text: "19^99", href: `${base}#` }],
  ["what is hidden in a number", cell(`<span ${gone}>7000</span>7`), { text: "7" }],
  ["what is hidden in a text", cell(`<span ${gone}>Zed, </span>Ann`), { text: "Ann" }],
  ["what is invisible, and what is visible in it", cell(`<i ${unseen}>7000<b>1</b></i>7`), { text: "17" }],
  ["what is folded away", cell(`<div ${folded}>more</div>`), { text: "more" }],
  ["nothing but what is hidden", cell(`<b ${gone}>7</b>`), null],
  ["what is in an invisible cell", cell("7", unseen), null],
  [
    "a link, an image and a time that are hidden",
    cell(`7<a href="/x" ${gone}>x</a><span ${gone}><img src="/x.png"><time datetime="2024">x</time></span>`),
    { text: "7" },
  ],
])("a value is read with %s", (_, read, value) => {
  expect(read()).toEqual(value);
});

test.each<readonly [sentence: string, content: string, parts: readonly object[] | undefined]>([
  ["of a list", "<ul><li>USB-C</li><li>HDMI</li></ul>", [{ text: "USB-C" }, { text: "HDMI" }]],
  [
    "of a list in a box, with their links",
    '<div> <ol><li><a href="/a">A</a></li><li>B</li></ol> </div>',
    [{ text: "A", href: "https://shop.example/a" }, { text: "B" }],
  ],
  ["of lines", "Rock<br>\n <b>Jazz</b> <br><br>", [{ text: "Rock" }, { text: "Jazz" }]],
  ["that are shown", `<ul><li>A</li><li ${gone}>B</li><li>C</li></ul>`, [{ text: "A" }, { text: "C" }]],
  ["none of one line", "Rock<br>", undefined],
  ["none of words before a list", "Ports: <ul><li>A</li><li>B</li></ul>", undefined],
  ["none of a list in a list", "<ul><li>A<ul><li>B</li></ul></li><li>C</li></ul>", undefined],
  ["none of lines in a text of blocks", "<p>Rock<br>Jazz</p><p>Folk</p>", undefined],
])("the parts of a value are those %s", (_, content, parts) => {
  const { pairs } = declaredBy(`<dl><dt>A</dt><dd>${content}</dd></dl>`);
  expect(pairs[0]?.pairs[0]?.[1].parts).toEqual(parts);
});

const two = (rows: string): string => `<table><tr><th>A<th>B</tr>${rows}</table>`;
const texts = ({ tables }: DeclaredContent): unknown =>
  tables[0]?.rows.map((row) => row.map((value) => value?.text ?? null));

test.each<readonly [sentence: string, page: string, read: (declared: DeclaredContent) => unknown, expected: unknown]>([
  ["a row", two(`<tr ${gone}><td>1<td>2</tr><tr><td>3<td>4</tr>`), texts, [["3", "4"]]],
  [
    "an invisible row",
    two(`<tr ${unseen}><td ${unseen}>1</td><td ${unseen}>2</td></tr><tr><td>3</td><td>4</td></tr>`),
    texts,
    [["3", "4"]],
  ],
  [
    "a group of rows",
    two(`<tbody ${gone}><tr><td>1<td>2</tr></tbody><tbody><tr><td>3<td>4</tr></tbody>`),
    texts,
    [["3", "4"]],
  ],
  ["a cell", two(`<tr><td ${gone}>0</td><td>3</td><td>4</td></tr>`), texts, [["3", "4"]]],
  ["a table", `<div ${gone}>${two("<tr><td>1<td>2</tr>")}</div>`, ({ tables }) => tables, []],
  ["a heading", `<h1 ${gone}>Old</h1><h2>New</h2>`, ({ headings }) => headings, [{ level: 2, text: "New" }]],
  ["an item of a list", `<ul><li ${gone}>A</li><li>B</li></ul>`, ({ lists }) => lists[0]?.items, [{ text: "B" }]],
  [
    "a value of a label",
    `<dl><dt>A</dt><dd ${gone}>1</dd><dd>2</dd></dl>`,
    ({ pairs }) => pairs[0]?.pairs,
    [["A", { text: "2" }]],
  ],
  [
    "a label, with its value",
    `<dl><dt>A</dt><dd>1</dd><dt ${gone}>B</dt><dd>2</dd><div ${gone}><dt>C</dt><dd>3</dd></div></dl>`,
    ({ pairs }) => pairs[0]?.pairs,
    [["A", { text: "1" }]],
  ],
  ["a label in the text", `<p ${gone}><b>A:</b> 1</p><div ${gone}><p><b>B:</b> 2</p></div>`, ({ pairs }) => pairs, []],
])("%s that is hidden is no data", (_, page, read, expected) => {
  expect(read(declaredBy(page))).toEqual(expected);
});

test("a hidden property of an item is read; hidden text in a visible one is not", () => {
  const page = `<div itemscope><b itemprop="name">Lamp <i ${gone}>old</i></b><b itemprop="sku" ${gone}>L-<i>1</i></b>
    <b itemprop="colour" ${unseen}>re<i ${unseen}>d</i></b><div ${gone}><i itemprop="size">5</i><meta itemprop="price" content="7"></div></div>
    <div typeof="A"><b property="name" ${gone}>Ada</b></div>${jsonLd({ name: "Bo" })}`;
  const { microdata, rdfa, jsonLd: items } = declaredBy(page);
  expect(microdata).toEqual([{ name: "Lamp", sku: "L-1", colour: "red", size: "5", price: "7" }]);
  expect(rdfa).toEqual([{ "@type": "A", name: "Ada" }]);
  expect(items).toEqual([{ name: "Bo" }]);
});

test.each([
  ["0 spans the rest of its group of rows", "<tr><td rowspan=0>1<td>2</tr><tr><td>3</tr>", ["1", "3"]],
  ["more than there are spans no other group", "<tr><td rowspan=9>1<td>2</tr><tr><td>3</tr>", ["1", "3"]],
  ["no number is 1", "<tr><td rowspan=x>1<td>2</tr><tr><td>3<td>4</tr>", ["3", "4"]],
])("a rowspan of %s", (_, rows, second) => {
  const page = two(`<tbody>${rows}</tbody><tbody><tr><td>5<td>6</tr></tbody>`);
  expect(texts(declaredBy(page))).toEqual([["1", "2"], second, ["5", "6"]]);
});

test("entities in texts of JSON-LD are read once", () => {
  const item = {
    name: "Tom &amp; Jerry&#39;s &#x201C;Pie&#X201d;",
    code: "&amp;lt; &copy; &#0; &#xD800; &#9999999; &amp",
    url: "/a?b=1&amp;c=2",
    "a&amp;b": 1,
  };
  expect(declaredBy(jsonLd(item)).jsonLd).toEqual([
    {
      name: "Tom & Jerry's “Pie”",
      code: "&lt; &copy; &#0; &#xD800; &#9999999; &amp",
      url: "https://shop.example/a?b=1&c=2",
      "a&amp;b": 1,
    },
  ]);
});
