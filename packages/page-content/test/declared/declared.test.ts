import { expect, test } from "vitest";
import { readDeclared } from "../../src/in-page/declared/declared.ts";
import type { DeclaredContent } from "../../src/in-page/declared/declared-data.ts";
import { readJsonLd } from "../../src/in-page/declared/json-ld.ts";
import { tableCases } from "@cloud-browser/testing/table-cases.ts";
import { declaredBy, getDocument, jsonLd } from "../structure/page.ts";

const base = "https://shop.example";

const cases: readonly (readonly [
  sentence: string,
  page: string,
  read: (declared: DeclaredContent) => unknown,
  expected: unknown,
])[] = [
  [
    "dissolves @graph and follows references",
    jsonLd({
      "@graph": [
        { "@id": "#p", "@type": "Product", name: "Lamp", offers: { "@id": "#o" } },
        { "@id": "#o", "@type": "Offer", price: 5 },
      ],
    }),
    ({ jsonLd: items }) => items[0]?.["offers"],
    { "@id": "#o", "@type": "Offer", price: 5 },
  ],
  [
    "reads lists of items",
    jsonLd([{ "@type": "A" }, { "@type": ["B", "https://schema.org/C"] }]),
    ({ jsonLd: items }) => items,
    [{ "@type": "A" }, { "@type": ["B", "C"] }],
  ],
  [
    "loses only the script that is no JSON",
    `<script type="application/ld+json">{"a": </script>${jsonLd({ "@type": "Good" })}`,
    ({ jsonLd: items }) => items,
    [{ "@type": "Good" }],
  ],
  [
    "takes JSON-LD with a line break in a text, in a comment, with a semicolon",
    '<script type="application/ld+json"><!-- {"name": "two\nlines"}; --></script>',
    ({ jsonLd: items }) => items,
    [{ name: "two lines" }],
  ],
  [
    "makes addresses of JSON-LD absolute and leaves texts alone",
    jsonLd({ image: "/a.png", url: "b/c", name: "/not/a/path" }),
    ({ jsonLd: items }) => items,
    [{ image: `${base}/a.png`, url: `${base}/lamps/b/c`, name: "/not/a/path" }],
  ],
  [
    "ends references that lead in a circle",
    jsonLd({
      "@graph": [
        { "@id": "#a", name: "a", knows: { "@id": "#b" } },
        { "@id": "#b", name: "b", knows: { "@id": "#a" } },
      ],
    }),
    ({ jsonLd: [first] }) => first,
    { "@id": "#a", name: "a", knows: { "@id": "#b", name: "b", knows: { "@id": "#a" } } },
  ],
  [
    "reads microdata with values by element",
    `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Brass <b>lamp</b></h1><img itemprop="image" src="/l.png"><a itemprop="url" href="#x">x</a>
      <meta itemprop="sku" content="L-1"><data itemprop="gtin" value="42">forty-two</data><time itemprop="releaseDate" datetime="2024-05-01">May</time>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="129.50">129,50 €</span></div></div>`,
    ({ microdata }) => microdata,
    [
      {
        "@type": "Product",
        name: "Brass lamp",
        image: `${base}/l.png`,
        url: `${base}/lamps/brass#x`,
        sku: "L-1",
        gtin: "42",
        releaseDate: "2024-05-01",
        offers: { "@type": "Offer", price: "129.50" },
      },
    ],
  ],
  [
    "follows itemref and ends where it leads in a circle",
    '<div itemscope itemref="more" id="top"><i itemprop="a">1</i></div><div id="more"><i itemprop="b">2</i><div itemprop="c" itemscope itemref="more"></div></div>',
    ({ microdata }) => microdata[0],
    { a: "1", b: "2", c: { b: "2" } },
  ],
  [
    "ends items that refer to each other in a circle",
    '<div itemscope itemref="a"></div><div id="a"><i itemprop="x" itemscope itemref="b"></i></div><div id="b"><i itemprop="y" itemscope itemref="a"></i></div>',
    ({ microdata }) => microdata,
    [{ x: { y: {} } }],
  ],
  [
    "reads RDFa Lite",
    '<div vocab="https://schema.org/" typeof="Person"><b property="name">Ada</b><div property="address" typeof="PostalAddress"><i property="addressLocality">London</i></div></div>',
    ({ rdfa }) => rdfa,
    [{ "@type": "Person", name: "Ada", address: { "@type": "PostalAddress", addressLocality: "London" } }],
  ],
  [
    "reads a table under its headers, with spans, links and times",
    '<table><caption>Events</caption><thead><tr><th>When<th>Where</thead><tr><td rowspan="2"><time datetime="2024-01-01">New Year</time><td><a href="/rome">Rome</a></tr><tr><td>Oslo</tr></table>',
    ({ tables }) => tables,
    [
      {
        name: "Events",
        columns: ["When", "Where"],
        rows: [
          [
            { text: "New Year", machine: "2024-01-01" },
            { text: "Rome", href: `${base}/rome` },
          ],
          [{ text: "New Year", machine: "2024-01-01" }, { text: "Oslo" }],
        ],
      },
    ],
  ],
  [
    "names a table by the heading before it, and leaves out rows that only part it",
    "<h2>Prices</h2><table><tr><th>Item<th>Price</tr><tr><td colspan=2>Lamps</tr><tr><td>Brass<td>5</tr></table>",
    ({ tables }) => tables,
    [{ name: "Prices", columns: ["Item", "Price"], rows: [[{ text: "Brass" }, { text: "5" }]] }],
  ],
  [
    "takes bold first cells for headers",
    "<table><tr><td><b>A</b><td><strong>B</strong></tr><tr><td>1<td>2</tr></table>",
    ({ tables }) => tables[0]?.columns,
    ["A", "B"],
  ],
  [
    "takes a table of labels for what it is",
    "<table><tr><th>Weight<td>2 kg</tr><tr><th>Colour<td>red</tr></table>",
    ({ pairs }) => pairs,
    [
      {
        by: "table",
        pairs: [
          ["Weight", { text: "2 kg" }],
          ["Colour", { text: "red" }],
        ],
      },
    ],
  ],
  [
    "guesses no headers for a table without any",
    "<table><tr><td>a<td>b<td>c</tr><tr><td>1<td>2<td>3</tr></table>",
    ({ tables, pairs }) => [tables, pairs],
    [[], []],
  ],
  [
    "leaves tables for layout alone",
    "<table><tr><th>x<th>y</tr><tr><td><table><tr><td>1</td></tr></table><td>2</tr></table>",
    ({ tables }) => tables,
    [],
  ],
  [
    "reads a definition list, in groups too",
    "<h3>Data</h3><dl><dt>Weight:<dd>2 kg</dd><div><dt>Made<dt>Built</dt><dd>1999</dd></div></dl>",
    ({ pairs }) => pairs,
    [
      {
        name: "Data",
        by: "definition list",
        pairs: [
          ["Weight", { text: "2 kg" }],
          ["Made", { text: "1999" }],
          ["Built", { text: "1999" }],
        ],
      },
    ],
  ],
  [
    "reads labels in the text",
    '<ul><li><b>Size:</b> 12 cm</li><li><strong>Maker</strong>: <a href="/m">Moss</a></li></ul>',
    ({ pairs }) => pairs,
    [
      {
        by: "label",
        pairs: [
          ["Size", { text: "12 cm" }],
          ["Maker", { text: "Moss", href: `${base}/m` }],
        ],
      },
    ],
  ],
  [
    "takes bold text of a sentence for no label",
    "<p>We say: <b>Note:</b> this</p><p><b>Bold</b> words: more</p>",
    ({ pairs }) => pairs,
    [],
  ],
  [
    "reads lists under their headings, not those within",
    "<h2>Ingredients</h2><ul><li>Flour<ul><li>white</li></ul></li><li>Salt</li></ul>",
    ({ lists }) => lists,
    [{ name: "Ingredients", items: [{ text: "Flour" }, { text: "Salt" }] }, { items: [{ text: "white" }] }],
  ],
];

test.each(cases)("%s", (_, page, read, expected) => {
  expect(read(declaredBy(page))).toEqual(expected);
});

test("reads what the head says, with absolute addresses", () => {
  const head =
    '<title> A  lamp </title><link rel="canonical" href="/c"><meta property="og:image" content="/o.png"><meta name="Description" content="Bright."><meta property="og:image" content="/p.png">';
  expect(declaredBy("<h1>Lamp</h1>", head)).toMatchObject({
    title: "A lamp",
    canonical: `${base}/c`,
    lang: "en",
    meta: { "og:image": [`${base}/o.png`, `${base}/p.png`], description: ["Bright."] },
    headings: [{ level: 1, text: "Lamp" }],
  });
});

test("changes nothing, and the JSON-LD of the live document can be given along with a copy that has none", () => {
  const live = getDocument(`<p>text</p>${jsonLd({ "@type": "Product", name: "Lamp" })}`);
  const before = live.documentElement.outerHTML;
  const fromLive = readJsonLd(live);
  expect(readDeclared(getDocument("<p>text</p>"), fromLive).jsonLd).toEqual([{ "@type": "Product", name: "Lamp" }]);
  readDeclared(live);
  expect(live.documentElement.outerHTML).toBe(before);
});

test.each(tableCases)("reads $about", ({ html, headers, rows }) => {
  const [table] = declaredBy(html).tables;
  expect(table?.columns).toEqual(headers);
  expect(table?.rows.map((row) => row.map((value) => value?.text ?? ""))).toEqual(rows);
});

const many = (count: number, part: string): string => Array.from({ length: count }, () => part).join("");
const hostile: readonly (readonly [sentence: string, page: () => string])[] = [
  ["a table of 8,000 rows", () => `<table><tr><th>A<th>B</tr>${many(8_000, "<tr><td>1</td><td>2</td></tr>")}</table>`],
  [
    "spans of a billion",
    () => `<table><tr><th>A<th>B</tr>${many(200, "<tr><td colspan=1000000000 rowspan=1000000000>x</td></tr>")}</table>`,
  ],
  ["5,000 nested elements of lists", () => many(1_000, "<ul><li><dl><dt>a<dd><b>x:</b>")],
  [
    "items that refer to each other many times",
    () =>
      Array.from(
        { length: 30 },
        (_, at) =>
          `<div id="i${at}"><i itemprop="x" itemscope itemref="i${at + 1}"></i><i itemprop="x" itemscope itemref="i${at + 1}"></i></div>`,
      ).join("") + '<div itemscope itemref="i0"></div>',
  ],
  [
    "references of JSON-LD that multiply",
    () =>
      jsonLd({
        "@graph": Array.from({ length: 40 }, (_, at) => ({
          "@id": `#${at}`,
          name: "x",
          a: { "@id": `#${at + 1}` },
          b: { "@id": `#${at + 1}` },
        })),
      }),
  ],
  ["20,000 labels", () => many(20_000, "<p><b>a:</b> b</p>")],
  [
    "JSON-LD nested 5,000 times",
    () => `<script type="application/ld+json">${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}</script>`,
  ],
];

test.each(hostile)("reads %s in bounded time and size", (_, page) => {
  const document = getDocument(page());
  const begin = process.cpuUsage();
  const declared = readDeclared(document);
  const { user } = process.cpuUsage(begin);
  expect(JSON.stringify(declared).length).toBeLessThan(3_000_000);
  expect(user / 1_000).toBeLessThan(4_000);
});
