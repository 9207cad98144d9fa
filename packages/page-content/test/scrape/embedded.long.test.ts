import { describe, expect, it } from "vitest";
import { Opened } from "./opened.ts";

const opened = new Opened();
const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("An image in the list", () => {
  const cat = { url: "URL/photos/cat-1200x800.jpg", category: "content_image", description: "A cat on a sofa" };
  const lazy = `<img src="${pixel}" data-src="/photos/cat-1200x800.jpg" alt="A cat on a sofa"`;

  it.each<readonly [sentence: string, html: string, image: object]>([
    ["has not the size of what stands in for it", `${lazy}>`, cat],
    ["nor one of its sides", `<style>.lazy { width: 600px; height: 1px }</style>${lazy} class=lazy>`, cat],
    ["has the size that the page says", `${lazy} width=32 height=32>`, { ...cat, category: "icon" }],
    ["has the size of its place", `<style>img { width: 24px }</style>${lazy}>`, { ...cat, category: "icon" }],
    ["that is a speck itself is one", `<img src="${pixel}" alt="a">`, { url: pixel, category: "decorative" }],
    ["on a button has an absolute address", `<input type=image src="/go.png" alt="Go">`, { url: "URL/go.png" }],
    [
      "is the largest of a set without spaces",
      `<img data-srcset="/l1.png 400w,/l2.png 800w" alt="a">`,
      { url: "URL/l2.png" },
    ],
    [
      "is the largest of a set with a comma in an address",
      `<img data-srcset="/a,b.png 2x,/c.png" alt="a">`,
      { url: "URL/a,b.png" },
    ],
    ["is the one of a set that ends with a comma", `<img data-srcset=" , /a.png, " alt="a">`, { url: "URL/a.png" }],
    [
      "is not cut at a comma in parentheses",
      `<img data-srcset="/a.png 1x (x,y 9x), /b.png 2x" alt="a">`,
      { url: "URL/b.png" },
    ],
  ])("%s", async (_, html, image) => {
    const { images } = await opened.scrape(html, { only_images: true });
    expect(JSON.parse(JSON.stringify(images).replaceAll(opened.site.url, "URL"))).toEqual([
      expect.objectContaining(image),
    ]);
  });
});

describe("An object", () => {
  const fallback = `<p>Element fallback <a href="/x">x</a></p>`;

  it.each<readonly [sentence: string, html: string, markdown: string]>([
    ["that shows a document has no fallback of text", `<object data="/inner">text</object>`, ""],
    ["nor one of elements", `<object data="/inner" type="text/html">text${fallback}</object>`, ""],
    ["that shows a document of another origin has none", `<object data="OTHER/inner">${fallback}</object>`, ""],
    ["that shows an image has none", `<object data="/a.png" type="image/png">text${fallback}</object>`, ""],
    ["that finds nothing has its fallback", `<object data="/no.bin">text</object>`, "text"],
    [
      "that finds nothing has its elements",
      `<object data="/no.bin">${fallback}</object>`,
      "Element fallback [x](URL/x)",
    ],
    ["that can't show what it has, too", `<object data="/a.swf" type="application/x-flash">text</object>`, "text"],
    [
      "has the one within it",
      `<object data="/no.bin"><object data="/no">${fallback}</object></object>`,
      "Element fallback [x](URL/x)",
    ],
    [
      "that is a block has its text",
      `<p>a</p><object data="/no.bin" style="display:block"><param name=a>text</object><p>b</p>`,
      "a\n\ntext\n\nb",
    ],
    ["in a line stays in it", `<p>a <object data="/no.bin">text</object> b</p>`, "a text b"],
    ["that is not shown has none", `<object data="/no.bin" hidden>text</object><p>b</p>`, "b"],
  ])("%s", async (_, html, markdown) => {
    opened.site.put("/inner", "<p>inner</p>");
    opened.site.put("/a.png", (response) => {
      response.setHeader("content-type", "image/png").end(png);
    });
    const scraped = await opened.scrape(html.replaceAll("OTHER", opened.site.otherUrl));
    expect(scraped.markdown).toBe(markdown.replaceAll("URL", opened.site.url));
  });
});

it("Objects that are asked for one after the other have what the last of them has", async () => {
  const nested = `<object data="/no.bin"><object data="/no"><object data="/no"><object data="/no"><p>text</p></object></object></object></object>`;
  expect((await opened.scrape(nested.repeat(5))).markdown).toBe(Array(5).fill("text").join("\n\n"));
});

it("A page of XHTML has the text of its CDATA sections", async () => {
  const url = opened.site.put("/xhtml", (response) => {
    const body = `<p>one <![CDATA[two < three]]> four</p><pre><![CDATA[a && <b>]]></pre>`;
    response.setHeader("content-type", "application/xhtml+xml");
    response.end(`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${body}</body></html>`);
  });
  await opened.page.goto(url);
  const { markdown } = await opened.scraper.scrape(opened.page, {}, { timeoutMs: 30_000 });
  expect(markdown).toBe("one two < three four\n\n```\na && <b>\n```");
});

it("A formula that MathJax 2 has drawn is there once", async () => {
  const html = `<p>a <span class="MathJax_Preview"></span><span class="MathJax"><nobr aria-hidden=true>r</nobr><span class="MJX_Assistive_MathML"><math><mi>r</mi></math></span></span><script type="math/tex">r</script> b</p>
    <div class="MathJax_Display"><span class="MathJax"><nobr aria-hidden=true>u</nobr></span></div><script type="math/tex; mode=display">u</script>`;
  expect((await opened.scrape(html)).markdown).toBe("a $r$ b\n\n$$\nu\n$$");
});
