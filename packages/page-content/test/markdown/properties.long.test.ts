import { describe, expect, it } from "vitest";
import { bodyWith, convert } from "./markdown-case.ts";
import { writeMarkdown } from "../../src/in-page/markdown/markdown.ts";
import { randomHtml } from "./random-html.ts";

/** Words as the generator makes them, in their order. */
function listWords(text: string): string[] {
  return text.match(/w\d+q/g) ?? [];
}

/** Writes the Markdown of a document, and measures the time that it takes. */
function measureMarkdown(html: string): { markdown: string; ms: number } {
  const body = bodyWith(html);
  const start = process.cpuUsage();
  const settings = { links: true, images: true, placeholders: false, collapsed: true, maxCharacters: 20_000_000 };
  const { markdown } = writeMarkdown(body, settings);
  const { user, system } = process.cpuUsage(start);
  return { markdown, ms: (user + system) / 1_000 };
}

describe("Markdown of 1,000 random documents", () => {
  const documents = Array.from({ length: 1_000 }, (_, seed) => randomHtml(seed + 1));

  it("has every word, in its order", () => {
    for (const html of documents) {
      const words = listWords(bodyWith(html).textContent ?? "");
      expect({ html, words: listWords(convert(html)) }).toEqual({ html, words });
    }
  });

  it("has the same words, whatever is asked for", () => {
    for (const html of documents.slice(0, 300)) {
      const words = listWords(convert(html));
      for (const settings of [{ links: false, images: false }, { placeholders: true }]) {
        expect({ html, words: listWords(convert(html, settings)) }).toEqual({ html, words });
      }
    }
  });

  it("is neat: no line of white space, never two empty lines, none at its ends", () => {
    for (const html of documents) {
      const markdown = convert(html).replace(/(`{3,})[^]*?\1/g, "code");
      const faults = [/^[ \t]+$/m, /\n\n\n/, /^\n/, /\n$/].filter((fault) => fault.test(markdown));
      expect({ html, faults }).toEqual({ html, faults: [] });
    }
  });

  it("has tables whose rows are no wider than their heads", () => {
    const widths = documents.flatMap((html) => tableWidths(convert(html)));
    expect(widths.length).toBeGreaterThan(50);
    expect(widths.filter(([head, ...rows]) => rows.some((row) => row > (head ?? 0)))).toEqual([]);
  });
});

/** How many cells the lines of each table have. */
function tableWidths(markdown: string): number[][] {
  const tables: number[][] = [];
  let table: number[] | undefined;
  for (const line of markdown.split("\n")) {
    const cells = /^[\s>*-]*(\|.*\|)$/.exec(line)?.[1];
    if (cells === undefined) table = undefined;
    else {
      if (/^[\s>]*[-*] /.test(line)) table = undefined; // the item of a list begins with it
      if (table === undefined) tables.push((table = []));
      table.push(cells.replaceAll(String.raw`\|`, "").split("|").length - 2);
    }
  }
  return tables;
}

describe("Markdown takes time in proportion to what there is", () => {
  const row = "<tr><td>a<td>b<b>c</b><td><a href=http://x/>d</a><td>e</tr>";

  it.each([
    ["a long table", (size: number) => `<table><tr><th>1<th>2<th>3<th>4</tr>${row.repeat(8 * size)}</table>`],
    ["many paragraphs", (size: number) => "<p>a <b>b</b> c</p>".repeat(15 * size)],
    ["a paragraph of many marks", (size: number) => `<p>${"a<b>b</b><i>.</i>".repeat(10 * size)}</p>`],
    ["a paragraph of many links", (size: number) => `<p>${"<a href=http://x/>link</a> ".repeat(60 * size)}</p>`],
    ["a long list", (size: number) => `<ul>${"<li>a</li>".repeat(20 * size)}</ul>`],
    [
      "signs without end",
      (size: number) => `<p><b>${"*-_.[".repeat(30 * size)}</b>x</p><p>${"-".repeat(100 * size)}x</p>`,
    ],
    [
      "cells that claim thousands of others",
      (size: number) => `<table>${'<tr><td colspan="1000" rowspan="60000">a<td>b</tr>'.repeat(4 * size)}</table>`,
    ],
    ["lists within lists within lists", (size: number) => "<ul><li>a".repeat(size)],
    ["tables within tables", (size: number) => "<table><tr><td>a<td>".repeat(size / 2)],
    ["marks within marks", (size: number) => "<b><i>a".repeat(size)],
  ])("%s", (_, make) => {
    measureMarkdown(make(50));
    // The best of three: other programs on the machine cost time as well.
    const best = (size: number): number => Math.min(...Array.from({ length: 3 }, () => measureMarkdown(make(size)).ms));
    const small = Math.max(5, best(75));
    const large = best(300);
    // Four times as much in at most twelve times as long: something quadratic takes sixteen, and a busy machine a little more.
    expect(large).toBeLessThan(12 * small + 100);
  });

  it("survives a nesting of 10,000 elements, with its text", () => {
    const { markdown } = measureMarkdown(`${"<div>".repeat(10_000)}deep`);
    expect(markdown).toBe("deep");
  });
});
