import { describe, expect, it } from "vitest";
import { Opened, type ScrapeRequest } from "./opened.ts";

const opened = new Opened();

/** A page for selectors. */
const parts = `<h1>Top</h1><div class="a"><p>one</p><p>two <a href="/x">x</a></p></div><div class="b"><p>three</p></div>
  <x-a></x-a><table><tr class="r"><td>1</td><td>2</td></tr><tr class="r"><td>3</td><td>4</td></tr></table>
  <script>document.querySelector("x-a").attachShadow({ mode: "open" }).innerHTML = "<p>shadow</p>"</script>`;

describe("The live page", () => {
  it.each<readonly [sentence: string, html: string, markdown: string]>([
    ["is what scripts made of it", "<p id=p>a</p><script>p.textContent = 'made'</script>", "made"],
    [
      "has open shadow roots with what is assigned to their slots, in the order seen",
      `<x-a>ignored<b slot=s>slotted</b></x-a><script>document.querySelector("x-a").attachShadow({mode:"open"}).innerHTML="<p>before <slot name=s></slot> after</p>"</script>`,
      "before **slotted** after",
    ],
    [
      "has what a slot falls back on",
      `<x-a></x-a><script>document.querySelector("x-a").attachShadow({mode:"open"}).innerHTML="<p><slot>fallback</slot></p>"</script>`,
      "fallback",
    ],
    [
      "has closed shadow roots of custom elements",
      `<x-a></x-a><script>document.querySelector("x-a").attachShadow({mode:"closed"}).innerHTML="<p>closed <x-b></x-b></p>";</script>`,
      "closed",
    ],
    [
      "has shadow roots within shadow roots",
      `<x-a></x-a><script>const r=document.querySelector("x-a").attachShadow({mode:"closed"});r.innerHTML="<p>outer</p><x-b></x-b>";r.querySelector("x-b").attachShadow({mode:"closed"}).innerHTML="<p>inner</p>"</script>`,
      "outer\n\ninner",
    ],
    ["has frames of the same origin where they stand", `a<iframe srcdoc="<p>frame</p>"></iframe>b`, "a\n\nframe\n\nb"],
    [
      "has addresses that are absolute",
      `<base href="http://example.com/d/"><p><a href="x?q#f">x</a> <a href="#y">y</a></p>`,
      "[x](http://example.com/d/x?q#f) [y](http://example.com/d/#y)",
    ],
    [
      "has values as they are now",
      `<label>Name <input id=i value=old></label><textarea id=t>old</textarea><input type=checkbox id=c> box<script>i.value="new";t.value="text";c.checked=true</script>`,
      "Name new text [x] box",
    ],
    ["shows no password", `<input type=password id=i><p>a</p><script>i.value="hunter2"</script>`, "a"],
    [
      "has nothing that is not displayed",
      `<p>a</p><p style="display:none">b</p><p hidden>c</p><style>.d{display:none}</style><p class=d>d</p>`,
      "a",
    ],
    [
      "has nothing invisible, but what is visible within it",
      `<div style="visibility:hidden">a<p style="visibility:visible">b</p></div>`,
      "b",
    ],
    ["has what is hidden from assistive technology only", `<p aria-hidden=true>a</p>`, "a"],
    ["has closed details", "<details><summary>a</summary><p>b</p></details>", "**a**\n\nb"],
    [
      "has the closed panels of tabs and accordions",
      `<div role=tabpanel style="display:none">a</div><button aria-expanded=false aria-controls=c>more</button><div id=c hidden>b</div>`,
      "a\n\nmore\n\nb",
    ],
    [
      "has no closed menu",
      `<header><button aria-expanded=false aria-controls=m>menu</button><ul id=m hidden><li>b</ul></header>`,
      "menu",
    ],
    [
      "has blocks by style apart",
      `<span style="display:block">a</span><span style="display:block">b</span><div style="display:flex"><span>c</span><span>d</span></div>`,
      "a\n\nb\n\nc\n\nd",
    ],
    [
      "has no hidden cells of a long table, nor what is in them",
      `<style>.h, td:nth-child(3) { display: none }</style><table><tr><th>a<th>b<th>c</tr>${"<tr><td>1<td>2<td>3</tr>".repeat(20)}<tr class=h><td>4<td>5<td>6</tr></table>`,
      `| a | b | c |\n| --- | --- | --- |${"\n| 1 | 2 |".repeat(20)}`,
    ],
    [
      "has no link without words in a hidden cell of a long table",
      `<table><tr><th>a<th>b</tr>${"<tr><td>1<td>2</tr>".repeat(20)}</table><style>td.h{display:none}</style><script>document.querySelector("tr:last-child").insertAdjacentHTML("beforeend", "<td class=h><a href=/x title=x></a></td>")</script>`,
      `| a | b |\n| --- | --- |${"\n| 1 | 2 |".repeat(20)}`,
    ],
    [
      "has what style puts on a line of its own in a cell of a long table apart, and addresses in all of it absolute",
      `<style>.b{display:block} .h{display:none}</style><table><tr><th>a<th>b</tr>${"<tr><td>1<td><a href=x>2</a></tr>".repeat(20)}<tr class=h><td><td></tr><tr><td>3<td>4<a href=y class=b>5</a></tr></table>`,
      `| a | b |\n| --- | --- |${"\n| 1 | [2](URL/x) |".repeat(20)}\n| 3 | 4<br>[5](URL/y) |`,
    ],
    [
      "has no hidden parts of a long list or paragraph, and blocks in them apart",
      `<style>li:nth-child(3), a:nth-child(3) { display: none } b:nth-of-type(3) { visibility: hidden } b:nth-of-type(7) { display: block }</style>
      <ul>${"<li>1</li>".repeat(20)}</ul><p>${"<a href=/x>2</a> ".repeat(20)}</p><p>${"<b>3</b> ".repeat(20)}</p>`,
      `${Array(19).fill("- 1").join("\n")}\n\n${Array(19).fill("[2](URL/x)").join(" ")}\n\n${[5, 1, 13].map((count) => Array(count).fill("**3**").join(" ")).join("\n\n")}`,
    ],
    [
      "has what is in a shadow root in a long list",
      `<ul>${"<li>1</li>".repeat(20)}<li><p></p></ul><script>document.querySelector("p").attachShadow({ mode: "open" }).innerHTML = "2"</script>`,
      `${"- 1\n".repeat(20)}- 2`,
    ],
    [
      "has line ends that style keeps in a long list",
      `<ul>${"<li>1</li>".repeat(20)}<li style="white-space:pre-line">2\n3</ul>`,
      `${"- 1\n".repeat(20)}- 2  \n  3`,
    ],
    [
      "is what there is, whatever a script puts in a comment",
      `<p>a</p><script>document.querySelector("p").append(document.createComment("--><b>b</b>"), "c")</script>`,
      "ac",
    ],
    ["has line ends that style keeps", `<div style="white-space:pre-wrap">a\nb</div>`, "a  \nb"],
    ["keeps TeX of scripts", `<p>a <script type="math/tex">x^2</script></p>`, "a $x^2$"],
    [
      "has none of its scripts, styles and data",
      `<p>a</p><script>var b</script><style>p{}</style><script type="application/ld+json">{"c":1}</script><noscript>d</noscript>`,
      "a",
    ],
    [
      "is read even when names of its elements hide what nodes have",
      `<form><input name=nextSibling><input name=firstChild><input name=localName><input name=nodeType><p>a</p></form><img name=body><img name=implementation><img name=querySelector><img name=title><p>b</p>`,
      "a\n\nb",
    ],
    [
      "is read even when it has changed the language",
      `<p>a <b>b</b></p><script>for (const p of [Array, Element, Node, Document, EventTarget, String, Map, RegExp, Promise]) for (const n of Object.getOwnPropertyNames(p.prototype)) try { p.prototype[n] = () => { throw new Error("no") } } catch {}; JSON.stringify = Object.keys = window.getComputedStyle = null</script>`,
      "a **b**",
    ],
  ])("%s", async (_, html, markdown) => {
    expect((await opened.scrape(html)).markdown).toBe(markdown.replaceAll("URL", opened.site.url));
  });

  it("can't see that it is read", async () => {
    await opened.scrape(
      `<p>a</p><script>window.seen = []; new MutationObserver((all) => seen.push(...all)).observe(document, {subtree:true,childList:true,attributes:true}); window.names = Object.getOwnPropertyNames(window).length</script>`,
      { selector: "p" },
    );
    expect(await opened.page.evaluate("[seen.length, Object.getOwnPropertyNames(window).length - names - 1]")).toEqual([
      0, 0,
    ]);
  });

  it("has frames of other origins, and frames within them", async () => {
    opened.site.put("/outer", `<p>outer</p><iframe src="${opened.site.url}/inner"></iframe>`);
    opened.site.put("/inner", "<p>inner <a href=/x>x</a></p>");
    const { markdown } = await opened.scrape(`<p>a</p><iframe src="${opened.site.otherUrl}/outer"></iframe><p>b</p>`);
    expect(markdown).toBe(`a\n\nouter\n\ninner [x](${opened.site.url}/x)\n\nb`);
  });

  it("gives its address and title", async () => {
    expect(await opened.scrape("<p>a</p>")).toMatchObject({
      url: `${opened.site.url}/page`,
      title: "Title",
      images: null,
      placeholders: {},
    });
  });
});

/** Scrapes elements of the page for selectors, which stays open. */
const scrapeParts = async (selector: string) => {
  if (!(await opened.page.content()).includes("<x-a>")) await opened.scrape(parts);
  return opened.scraper.scrape(opened.page, { selector }, { timeoutMs: 30_000 });
};

describe("A selector", () => {
  it.each<readonly [selector: string, markdown: string]>([
    [".a", "one\n\ntwo [x](URL/x)"],
    ["css=.b >> p", "three"],
    ["text=three", "three"],
    ["role=heading", "# Top"],
    ["xpath=//div[@class='b']", "three"],
    ["p", "one\n\ntwo [x](URL/x)\n\nthree\n\nshadow"],
    ["div, p", "one\n\ntwo [x](URL/x)\n\nthree\n\nshadow"],
    ["x-a p", "shadow"],
    ["*css=div >> text=three", "three"],
    ["tr.r", "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"],
    ["p >> nth=1", "two [x](URL/x)"],
    [".none", ""],
  ])("%s", async (selector, markdown) => {
    expect((await scrapeParts(selector)).markdown).toBe(markdown.replaceAll("URL", opened.site.url));
  });

  it("finds its elements in a page that has changed how events are sent", async () => {
    const html = `<p>a</p><script>EventTarget.prototype.dispatchEvent = EventTarget.prototype.addEventListener = Event = Array.prototype.map = null</script>`;
    expect((await opened.scrape(html, { selector: "p" })).markdown).toBe("a");
  });

  it.each(["p[", "", "nope=a", "xpath=//[", "role=x[", ">>"])("that is malformed is refused: %s", async (selector) => {
    await expect(scrapeParts(selector)).rejects.toMatchObject({
      name: "PageContentError",
      code: "bad-selector",
    });
  });
});

describe("What is asked for", () => {
  it.each<readonly [sentence: string, request: ScrapeRequest, markdown: string]>([
    ["links can stay out", { scrape_links: false }, "# Top\n\na x"],
    ["tags can be ignored, in any case, and unknown ones are", { ignored_tags: ["H1", "nope", " A "] }, "a"],
    ["images come along", { scrape_images: true }, "# Top\n\na [x](URL/x) ![i](URL/i.png)"],
    ["placeholders", { scrape_images: true, use_link_placeholders: true }, "# Top\n\na [x][link1] ![i][img0]"],
    ["only images leave the text out", { only_images: true }, ""],
  ])("%s", async (_, request, markdown) => {
    const html = `<h1>Top</h1><p>a <a href="/x">x</a> <img src="/i.png" alt="i" width=200 height=200></p>`;
    const scraped = await opened.scrape(html, request);
    expect(scraped.markdown).toBe(markdown.replaceAll("URL", opened.site.url));
    const listed = request.scrape_images === true || request.only_images === true;
    expect(scraped.images).toEqual(
      listed ? [{ url: `${opened.site.url}/i.png`, category: "content_image", description: "i" }] : null,
    );
    const replaced = request.use_link_placeholders === true;
    expect(scraped.placeholders).toEqual(
      replaced ? { link1: `${opened.site.url}/x`, img0: `${opened.site.url}/i.png` } : {},
    );
  });

  it("only what is visible", async () => {
    const { markdown } = await opened.scrape('<p>a</p><p style="opacity:0">b</p>', {}, { visibleOnly: true });
    expect(markdown.trim()).toBe("a");
  });

  it("only the main content, again and again", async () => {
    const story =
      "The keeper of the lighthouse wrote down each night how far the lamp could be seen, and by whom. ".repeat(4);
    const html = `<nav><ul><li><a href="/a">Home</a><li><a href="/b">About</a></ul></nav><main><article><h1>The lamp</h1><p>${story}</p><p>${story}</p></article></main><footer><p>Imprint</p></footer>`;
    const whole = await opened.scrape(html);
    expect(whole.markdown).toContain("Imprint");
    for (const attempt of [1, 2]) {
      const { markdown } = await opened.scrape(html, { only_main_content: true });
      expect({ attempt, markdown }).toEqual({
        attempt,
        markdown: expect.stringContaining("The keeper of the lighthouse"),
      });
      expect(markdown).not.toMatch(/About|Imprint/);
    }
  });

  it.each<readonly [sentence: string, html: string, image: object]>([
    [
      "a favicon is one",
      '<link rel="shortcut icon" href="/f.ico">',
      { url: "URL/f.ico", category: "favicon", description: null },
    ],
    [
      "a small image is an icon",
      '<img src="/a.png" alt="a" width=32 height=32>',
      { url: "URL/a.png", category: "icon", description: "a" },
    ],
    [
      "an image without words is decorative",
      '<img src="/a.png" alt="" width=300 height=300>',
      { url: "URL/a.png", category: "decorative", description: null },
    ],
    [
      "a speck is decorative",
      '<img src="/a.png" width=1 height=1>',
      { url: "URL/a.png", category: "decorative", description: null },
    ],
    [
      "an image in a figure takes its caption",
      '<figure><img src="/a.png" width=300 height=300><figcaption>cap</figcaption></figure>',
      { url: "URL/a.png", category: "content_image", description: "cap" },
    ],
    [
      "an image that is not loaded yet has its later address",
      '<img data-src="/a.png" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="a" width=300 height=300>',
      { url: "URL/a.png", category: "content_image", description: "a" },
    ],
    [
      "the best of a set is taken",
      '<img srcset="/s.png 100w, /l.png 900w" loading=lazy alt="a" width=900 height=300>',
      { url: "URL/l.png", category: "content_image", description: "a" },
    ],
    [
      "a large drawing is content",
      '<svg width=300 height=200 xmlns="http://www.w3.org/2000/svg"><title>t</title></svg>',
      { category: "svg_content", description: "t" },
    ],
    [
      "a small drawing is an icon",
      '<svg width=16 height=16 aria-label="i"><path d=""/></svg>',
      { category: "svg_icon", description: "i" },
    ],
    [
      "a background is an image, too",
      '<div style="background:url(/b.png);width:300px;height:300px"></div>',
      { url: "URL/b.png", category: "content_image", description: null },
    ],
  ])("images: %s", async (_, html, image) => {
    const { images } = await opened.scrape(html, { scrape_images: true });
    expect(JSON.parse(JSON.stringify(images).replaceAll(opened.site.url, "URL"))).toEqual([
      expect.objectContaining(image),
    ]);
  });

  it("the same image is listed once", async () => {
    const html = '<img src="/a.png" width=300 height=300><img src="/a.png" alt="a" width=300 height=300>';
    expect((await opened.scrape(html, { only_images: true })).images).toEqual([
      { url: `${opened.site.url}/a.png`, category: "content_image", description: "a" },
    ]);
  });
});
