import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { findMainContent } from "../../src/in-page/main-content/main-content.ts";
import { around, pageAround, paragraphs, paragraphText } from "./surroundings.ts";

function mainText(html: string): string {
  const { document }: { document: Document } = parseHTML(html);
  return (findMainContent(document).textContent ?? "").replace(/\s+/g, " ");
}

const head = "Tides turn";
const prose = paragraphs(4);

describe("the headline of the main content stays", () => {
  test.each<readonly [where: string, content: string]>([
    ["in the article", `<main><article><h1>${head}</h1>${prose}</article></main>`],
    ["before the main part", `<h1>${head}</h1><main>${prose}</main>`],
    [
      "in a header before the article",
      `<header class="article-header"><h1>${head}</h1></header><article>${prose}</article>`,
    ],
    [
      "in a hero",
      `<section class="hero"><div class="hero-inner"><h1>${head}</h1></div></section><main>${prose}</main>`,
    ],
    [
      "in a row of its own",
      `<div class="page-title"><div><h1>${head}</h1></div></div><div class="content">${prose}</div>`,
    ],
    [
      "under breadcrumbs",
      `<div class="breadcrumb"><a href="/a">Boats</a> <a href="/b">Sea</a></div><h1>${head}</h1><div>${prose}</div>`,
    ],
    [
      "beside a picture",
      `<figure><img src="a.png"></figure><div><h1><span>${head}</span></h1></div><article>${prose}</article>`,
    ],
    ["with a link to the page itself", `<article><h1><a href="/tides-turn">${head}</a></h1>${prose}</article>`],
    ["as a role", `<div role="heading" aria-level="1">${head}</div><article>${prose}</article>`],
    ["as a property", `<div itemprop="headline">${head}</div><article>${prose}</article>`],
    ["of level two, as the title says", `<div class="top"><h2>${head}</h2></div><article>${prose}</article>`],
    ["after a picture and a date", `<article><img src="a.png"><time>1 May</time><h1>${head}</h1>${prose}</article>`],
    ["of short text", `<header><h1>${head}</h1></header><main><p>${paragraphText(0)}</p></main>`],
  ])("%s", (_, content) => {
    expect(mainText(pageAround(`${head} | Harbour Post`, content))).toContain(head);
  });

  test.each<readonly [what: string, content: string]>([
    [
      "the name of the site",
      `<header><h1><a href="/">Daily Sea</a></h1><nav><a href="/a">All</a></nav></header><article><h2>${head}</h2>${prose}</article>`,
    ],
    [
      "the name of the site without a link",
      `<header><h1>Daily Sea</h1><ul><li><a href="/a">All</a></ul></header><article><h2>${head}</h2>${prose}</article>`,
    ],
    ["a heading of a sidebar", `<article>${prose}</article><aside><h1>Daily Sea</h1><p>Buy it.</p></aside>`],
    ["a heading of a dialog", `<div role="dialog"><h1>Daily Sea</h1></div><article>${prose}</article>`],
    ["a heading that is hidden", `<h1 hidden>Daily Sea</h1><article>${prose}</article>`],
  ])("and %s does not come with it", (_, content) => {
    const text = mainText(pageAround(`${head} | Harbour Post`, content));
    expect(text).toContain(paragraphText(0));
    expect(text).not.toContain("Daily Sea");
  });
});

const link = (text: string, tags = ""): string => `<p${tags}><a href="/old">${text}</a></p>`;
const [first = "", second = "", ...rest] = Array.from({ length: 5 }, (_, at) => `<p>${paragraphText(at)}</p>`);

describe("a paragraph that is one link stays", () => {
  test.each<readonly [where: string, content: string]>([
    ["after the first", first + link("See how it began.") + second + rest.join("")],
    ["in the middle", first + second + link("See how it began.") + rest.join("")],
    ["at the end", first + second + rest.join("") + link("See how it began.")],
    ["in bold", first + `<p><b><a href="/old">See how it began.</a></b></p>` + second + rest.join("")],
    ["in a wrapper", first + `<div class="x">${link("See how it began.")}</div>` + second + rest.join("")],
    ["twice in a row", first + link("See how it began.") + link("And how it ended.") + second + rest.join("")],
    ["as a question", first + second + link("Who found the boat?") + rest.join("")],
  ])("%s", (_, content) => {
    const text = mainText(
      pageAround(head, `<main><article><h1>${head}</h1>${content}</article>${around.related}</main>`),
    );
    for (const [, words = ""] of content.matchAll(/<a href="\/old">([^<]*)/g)) expect(text).toContain(words);
  });

  test.each<readonly [what: string, content: string]>([
    ["a button to share", link("Ten ropes", ' class="share-button"')],
    ["what is related", `<div class="related">${link("Ten ropes")}</div>`],
    ["a link in a sidebar", `<aside>${link("Ten ropes")}</aside>`],
  ])("and %s after the text does not", (_, content) => {
    const text = mainText(pageAround(head, `<main><article><h1>${head}</h1>${prose}${content}</article></main>`));
    expect(text).toContain(paragraphText(3));
    expect(text).not.toContain("Ten ropes");
  });
});
