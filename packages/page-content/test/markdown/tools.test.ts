import { describe, expect, it } from "vitest";
import { codeCases } from "./code-cases.ts";
import { formulaCases, symbolCases } from "./formula-cases.ts";
import { convert } from "./markdown-case.ts";

describe.each([
  ["code of highlighters", codeCases],
  ["formulas of MathJax 2", formulaCases],
  ["formulas of MathML", symbolCases],
])("Markdown of %s", (_, cases) => {
  const rows = cases.map(([sentence, html, markdown]) => ({ sentence, html, markdown }));
  it.each(rows)("$sentence", ({ html, markdown }) => {
    expect(convert(html)).toBe(markdown);
  });
});
