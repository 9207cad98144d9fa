import { describe, expect, it } from "vitest";
import { Opened } from "./opened.ts";

const opened = new Opened();
const unseen = "position:absolute;width:1px;height:1px;clip-path:inset(50%);overflow:hidden";

describe("A part of a line", () => {
  it.each<readonly [sentence: string, html: string, markdown: string]>([
    [
      "stays in its line and in its link when only readers of screens get it",
      `<p>Read <a href="http://x.test/d">the docs<span style="${unseen}"> (new tab)</span></a> before.</p>`,
      "Read [the docs (new tab)](http://x.test/d) before.",
    ],
    [
      "stays in its cell when only readers of screens get it",
      `<table><tr><th>a<th>b</tr><tr><td><span style="${unseen}">Value: </span>5<td>6</tr></table>`,
      "| a | b |\n| --- | --- |\n| Value: 5 | 6 |",
    ],
    ["is apart when it is placed by itself", `<p>$5<span style="${unseen}">each</span></p>`, "$5 each"],
    ["is the first letter of its word when that floats", `<p><span style="float:left">T</span>he fox.</p>`, "The fox."],
    ["is apart when it floats", `<p>Item<span style="float:right">$5</span></p>`, "Item $5"],
    ["stays in its word when it is lowered by its place", `<p>H<sub style="position:absolute">2</sub>O</p>`, "H2O"],
    [
      "is apart from the next one by the room between them",
      `<p><span style="display:inline-block;margin-right:8px">New</span><span style="display:inline-block">Hot</span></p>`,
      "New Hot",
    ],
    ["is apart by its margin", `<p>Price<span style="margin-left:4px">5</span></p>`, "Price 5"],
    [
      "is not apart from what is no word",
      `<p>(<span style="display:inline-block;padding:4px">New</span>), <span style="margin:0 4px">a</span>.</p>`,
      "(New), a.",
    ],
    [
      "is not apart without room",
      `<p>${"word"
        .split("")
        .map((letter) => `<span style="display:inline-block">${letter}</span>`)
        .join("")}</p>`,
      "word",
    ],
    ["stays in its word when it is code", `<p><code style="padding:2px 4px;margin:0 4px">int</code>s</p>`, "`int`s"],
    ["is a block when its style says so", `<p>a<span style="display:block">b</span>c</p>`, "a\n\nb\n\nc"],
  ])("%s", async (_, html, markdown) => {
    expect((await opened.scrape(html)).markdown).toBe(markdown);
  });
});

const areas = (path: string): string =>
  `<area href="http://x.test/${path}1" alt="One" shape=default><area href="http://x.test/${path}2" alt="Two">`;

describe("The links of a map", () => {
  it("are there, and nothing of one that is hidden", async () => {
    const html = `<p>Map</p><img usemap="#m" src="/a.png"><map name=m>${areas("a")}</map><map hidden>${areas("b")}</map>`;
    expect((await opened.scrape(html)).markdown).toBe("Map\n\n[One](http://x.test/a1) [Two](http://x.test/a2)");
  });
});

describe("A line end that style keeps", () => {
  it.each<readonly [sentence: string, html: string, markdown: string]>([
    [
      "is there between parts of lines",
      `<div style="white-space:pre-wrap"><span>a</span>\n<b>b</b>\nc</div>`,
      "a  \n**b**  \nc",
    ],
    [
      "is there in a part of its own, and at the start of one",
      `<div style="white-space:pre-wrap"><span>a</span><span>\n</span><a href="http://x.test/">b</a><span>\nc</span></div>`,
      "a  \n[b](http://x.test/)  \nc",
    ],
    ["is the end of a paragraph before an empty line", `<p style="white-space:pre-line">a\n\nb\nc</p>`, "a\n\nb  \nc"],
    [
      "is there between the parts of code that is a block",
      `<code style="display:block;white-space:pre"><span>a {</span>\n<span>  b</span>\n<span>}</span></code>`,
      "```\na {\n  b\n}\n```",
    ],
    ["is none between other parts", `<div><span>a</span>\n<b>b</b><span>\nc</span></div>`, "a **b** c"],
  ])("%s", async (_, html, markdown) => {
    expect((await opened.scrape(html)).markdown).toBe(markdown);
  });
});

describe("A number that is raised behind another by style alone", () => {
  const rows = Array.from({ length: 30 }, (_, row) => `<tr><td>a${row}<td>$5<small class=up>49</small>`).join("");
  it.each<readonly [sentence: string, html: string, markdown: string]>([
    ["is the cents of a price", "<p>Now $19<span class=up>99</span></p>", "Now $19.99"],
    [
      "is that behind a number in a part of its own",
      "<p><span class=lift>$</span><span class=big>1,299<span hidden>.</span></span><span class=lift>00</span></p>",
      "$1,299.00",
    ],
    [
      "is that before the sign of the money, too",
      "<p><b class=big>5</b><span class=lift>49</span> <span>€</span></p>",
      "**5**.49 €",
    ],
    [
      "is a power or a note elsewhere",
      "<p>In 1998<span class=up>3</span> or 10<!-- --><i class=up>6</i></p>",
      "In 1998^3 or 10^6",
    ],
    ["is itself when it stands as high", "<p>19<span>99</span>, 19<small>99</small></p>", "1999, 1999"],
    [
      "is itself when it is as large: digits that roll",
      `<p>${"1999".replace(/./g, "<span class=roll>$&</span>")}</p>`,
      "1999",
    ],
  ])("%s", async (_, html, markdown) => {
    const style = `<style>.up{vertical-align:super;font-size:.5em} .lift{position:relative;top:-.75em;font-size:12px}
      .big{font-size:28px} .roll{display:inline-block;vertical-align:top;position:relative;top:-3px}</style>`;
    expect((await opened.scrape(style + html)).markdown).toBe(markdown);
  });

  it("is that in a long table, too", async () => {
    const { markdown, declared } = await opened.scrape(
      `<style>.up{vertical-align:super;font-size:.5em}</style><table><tr><th>Name<th>Price${rows}</table>`,
      {},
      { declared: true },
    );
    expect(markdown).toContain("| a29 | $5.49 |");
    expect(declared?.tables[0]?.rows[29]?.[1]).toEqual({ text: "$5^49" });
  });
});

const two = (open: string, close: string, between = "\n"): string =>
  ["a();", "  b();", "c();"].map((line) => `${open}${line}${close}`).join(between);

describe("Lines of code are those that the browser draws, where they are", () => {
  it.each<readonly [sentence: string, html: string, code?: string | undefined]>([
    ["in a grid", `<pre><code style="display:grid">${two("<span>", "</span>")}</code></pre>`],
    ["in an inline grid", `<pre><code style="display:inline-grid">${two("<span>", "</span>")}</code></pre>`],
    ["in a column", `<pre style="display:flex;flex-direction:column">${two("<span>", "</span>")}</pre>`],
    ["in a column of blocks", `<pre style="display:flex;flex-direction:column">${two("<div>", "</div>")}</pre>`],
    [
      "in a column that is turned",
      `<pre style="display:flex;flex-flow:column nowrap">${two("<code>", "</code>")}</pre>`,
    ],
    ["without anything between them", `<pre style="display:grid">${two("<span>", "</span>", "")}</pre>`],
    ["with empty lines between them", `<pre style="display:grid">${two("<span>", "</span>", "\n\n")}</pre>`],
    [
      "rows of a table",
      `<code style="display:table;white-space:pre">${two('<span style="display:table-row">', "</span>")}</code>`,
    ],
    ["in normal lines", `<pre><code>${two("<span>", "</span>")}</code></pre>`],
    ["in blocks", `<pre><code>${two('<span style="display:block">', "</span>", "")}</code></pre>`],
    ["parts of one line", `<pre style="display:flex"><span>a();</span>\n<span>  b();</span></pre>`, "a();  b();"],
    [
      "in two columns",
      `<pre style="display:grid;grid-template-columns:auto 1fr"><i>1 </i><b>a();</b>\n<i>2 </i><b>b();</b></pre>`,
      "1 a();\n2 b();",
    ],
    [
      "with a line of a space",
      `<pre><code style="display:grid"><span>a();</span>\n<span> </span>\n<span>b();</span></code></pre>`,
      "a();\n\nb();",
    ],
  ])("%s", async (...[, html, code = "a();\n  b();\nc();"]) => {
    expect((await opened.scrape(html ?? "")).markdown).toBe(`\`\`\`\n${code}\n\`\`\``);
  });
});
