import { describe, expect, it } from "vitest";
import { writeMarkdown } from "../../src/in-page/markdown/markdown.ts";
import { blockCases } from "./block-cases.ts";
import { linkCases } from "./link-cases.ts";
import { bodyWith, convert } from "./markdown-case.ts";
import { tableCases } from "./table-cases.ts";
import { textCases } from "./text-cases.ts";

describe.each([
  ["text", textCases],
  ["blocks", blockCases],
  ["links and images", linkCases],
  ["tables", tableCases],
])("Markdown of %s", (_, cases) => {
  const rows = cases.map(([sentence, html, markdown, settings]) => ({ sentence, html, markdown, settings }));
  it.each(rows)("$sentence", ({ html, markdown, settings }) => {
    expect(convert(html, settings)).toBe(markdown);
  });
});

it("returns the URL of each placeholder", () => {
  const body = bodyWith('<a href="http://x/">a</a><img src="http://x/i.png" alt="b"><a href="http://x/">c</a>');
  const settings = { links: true, images: true, placeholders: true, collapsed: true, maxCharacters: 1_000 };
  expect(writeMarkdown(body, settings).placeholders).toEqual({ link1: "http://x/", img1: "http://x/i.png" });
});
