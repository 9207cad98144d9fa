import { parseHTML } from "linkedom";
import { expect, test } from "vitest";

import { findMainContent } from "../../src/in-page/main-content/main-content.ts";
import { paragraphText } from "./surroundings.ts";

/** CPU of this process that one page may cost, generous for a busy machine. */
const mostCpuMs = 6000;

function getDocument(html: string): Document {
  const { document }: { document: Document } = parseHTML(html);
  return document;
}

/** Nested elements, made without the parser, which would recurse. */
function nested(depth: number, tag: string): Document {
  const document = getDocument(`<html><body></body></html>`);
  let inner: Element = document.createElement("p");
  inner.textContent = paragraphText(1);
  for (let level = 0; level < depth; level += 1) {
    const outer = document.createElement(tag);
    outer.append(inner);
    inner = outer;
  }
  document.body.append(inner);
  return document;
}

const repeated = (count: number, html: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => html(at)).join("");
const pages: [name: string, document: () => Document, mark: string][] = [
  [
    "100,000 nodes of paragraphs",
    () =>
      getDocument(
        `<html><body><main>${repeated(50_000, (at) => `<p>Line ${at} of a very long page.</p>`)}</main></body></html>`,
      ),
    "Line 7 ",
  ],
  [
    "a table of 8,000 rows",
    () =>
      getDocument(
        `<html><body><table>${repeated(8000, (at) => `<tr><td>${at}</td><td>Name of row ${at}</td><td>${at * 3}</td></tr>`)}</table></body></html>`,
      ),
    "Name of row 7999",
  ],
  ["elements 3,000 deep", () => nested(3000, "div"), "captain"],
  ["links 3,000 deep", () => nested(3000, "span"), "captain"],
  [
    "a class of a million characters",
    () =>
      getDocument(
        `<html><body><div class="${"nav-comment ".repeat(90_000)}"><p>${paragraphText(1)}</p></div></body></html>`,
      ),
    "captain",
  ],
  [
    "20,000 empty elements",
    () =>
      getDocument(
        `<html><body>${repeated(20_000, () => "<div><span></span></div>")}<p>${paragraphText(1)}</p></body></html>`,
      ),
    "captain",
  ],
  [
    "one text of two million characters",
    () => getDocument(`<html><body><p>${"word, ".repeat(330_000)}</p></body></html>`),
    "word, word",
  ],
  [
    "spaces and punctuation that patterns might retry on",
    () =>
      getDocument(
        `<html><body><p>${" ".repeat(300_000)}x${".".repeat(300_000)}</p><p>${paragraphText(1)}</p></body></html>`,
      ),
    "captain",
  ],
  [
    "10,000 links that all differ",
    () =>
      getDocument(
        `<html><body>${repeated(10_000, (at) => `<a class="c${at.toString(36)}x" href="#${at}">Link ${at}</a> `)}<p>${paragraphText(1)}</p></body></html>`,
      ),
    "",
  ],
];

test.each(pages)("%s is read in bounded time", (_, make, mark) => {
  const document = make();
  const before = process.cpuUsage();
  const content = findMainContent(document);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(mostCpuMs);
  expect(content.textContent).toContain(mark);
});

test("a document that fails at every look still gives an element", () => {
  const document = getDocument("<html><body><p>Text</p></body></html>");
  const hostile = new Proxy(document, {
    get: (target, name) => {
      if (name !== "createElement") throw new Error("No.");
      return target.createElement.bind(target);
    },
  });
  expect(findMainContent(hostile).tagName).toBe("DIV");
});

test("a document whose text can't be read gives its body without the surroundings", () => {
  const document = getDocument("<html><body><nav>Menu</nav><main><p>Text that matters</p></main></body></html>");
  Object.defineProperty(document, "documentElement", {
    get: () => {
      throw new Error("No.");
    },
  });
  const content = findMainContent(document);
  expect(content.textContent).toContain("Text that matters");
  expect(content.textContent).not.toContain("Menu");
});
