import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";

import { findMainContent } from "../../src/in-page/main-content/main-content.ts";
import { contentCases } from "./pages.ts";
import { around, aroundMarks, pageAround, paragraphs, paragraphText } from "./surroundings.ts";

function getDocument(html: string): Document {
  const { document }: { document: Document } = parseHTML(html);
  return document;
}

function getText(element: Element): string {
  return (element.textContent ?? "").replace(/\s+/g, " ");
}

describe("the main content", () => {
  test.each(contentCases)("of $name", ({ html, must, mustNot = [], structure = [] }) => {
    const content = findMainContent(getDocument(html));
    const text = getText(content);
    for (const mark of must) expect(text).toContain(mark.replace(/\s+/g, " "));
    for (const mark of [...mustNot, ...aroundMarks]) expect(text).not.toContain(mark);
    for (const selector of structure) expect([selector, content.querySelector(selector)]).not.toContain(null);
  });

  test("of a page with images only is the images", () => {
    const content = findMainContent(
      getDocument(
        '<html><body><div><img src="https://a.test/1.png"><img src="https://a.test/2.png"></div></body></html>',
      ),
    );
    expect(content.querySelectorAll("img")).toHaveLength(2);
  });

  test.each([
    "",
    "<html></html>",
    "<!doctype html><html><head></head><body></body></html>",
    "<html><body><script>let a;</script></body></html>",
  ])("of an empty page is empty: %j", (html) => {
    const content = findMainContent(getDocument(html === "" ? "<html></html>" : html));
    expect(getText(content).trim()).toBe("");
  });

  test("of a page that shows nothing without scripts is its noscript content", () => {
    const content = findMainContent(
      getDocument(
        `<html><body><div id="app"></div><noscript><main><h1>The fog</h1>${paragraphs(4)}</main></noscript></body></html>`,
      ),
    );
    expect(getText(content)).toContain(paragraphText(2));
  });

  test("has no script, style or form control in it", () => {
    const html = pageAround(
      "The fog",
      `<article><h1>The fog</h1><style>p { color: red }</style>${paragraphs(5)}<select><option>Choose me</option></select><textarea>Write here</textarea></article>`,
    );
    const content = findMainContent(getDocument(html.replace("</article>", "<script>alert(1)</script></article>")));
    expect(content.querySelector("script, style, select, textarea")).toBeNull();
    expect(getText(content)).not.toMatch(/alert|color: red|Choose me|Write here/);
  });

  test("keeps attributes that say how the page showed an element", () => {
    const html = pageAround(
      "The fog",
      `<article><h1>The fog</h1>${paragraphs(5).replace("<p>", '<p data-flat-space="pre">')}</article>`,
    );
    expect(findMainContent(getDocument(html)).querySelector("p[data-flat-space=pre]")).not.toBeNull();
  });

  test("is taken from data that the page declares where that is unclear otherwise, and not from it alone", () => {
    const article = `<script type="application/ld+json">${JSON.stringify({ "@type": "NewsArticle", articleBody: paragraphText(30) })}</script><script type="application/ld+json">{ broken</script>`;
    const text = getText(
      findMainContent(getDocument(pageAround("The fog", `<article>${paragraphs(4)}</article>`, article))),
    );
    expect(text).toContain(paragraphText(0));
    expect(text).not.toContain(paragraphText(30));
    expect(text).not.toContain("Get the best stories");
  });

  test("is the same each time, and the document stays as it was", () => {
    const html = pageAround(
      "The fog",
      `<main><article><h1>The fog</h1>${paragraphs(6)}</article>${around.comments}</main>`,
    );
    const document = getDocument(html);
    const before = document.documentElement.outerHTML;
    const first = findMainContent(document).outerHTML;
    expect(document.documentElement.outerHTML).toBe(before);
    expect(findMainContent(document).outerHTML).toBe(first);
    expect(findMainContent(getDocument(html)).outerHTML).toBe(first);
  });
});
