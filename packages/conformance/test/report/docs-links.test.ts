import { describe, expect, test } from "vitest";
import { checkConfiguration } from "../../src/configuration/configuration-file.ts";
import { renderCtrf } from "../../src/report/ctrf.ts";
import { renderHtml } from "../../src/report/html/html.ts";
import { renderJunit } from "../../src/report/junit.ts";
import { renderMarkdown } from "../../src/report/markdown.ts";
import type { Report } from "../../src/report/report.ts";
import { renderSarif } from "../../src/report/sarif.ts";
import { renderTerminal } from "../../src/report/terminal.ts";
import { failing } from "./reports.ts";
import { schemaProblems } from "./schema.ts";

/** Everything that renders a failure, and the place that it links to. */
const ofCheck = "checks/scrape/markdown-present/";
const writers: readonly [name: string, render: (report: Report) => string, page: string][] = [
  ["terminal", renderTerminal, ofCheck],
  ["HTML", renderHtml, ofCheck],
  ["Markdown", renderMarkdown, ofCheck],
  ["JUnit", renderJunit, ofCheck],
  ["CTRF", renderCtrf, ofCheck],
  ["SARIF", (report) => renderSarif(report), "requirements/#scrape.response.markdown.required"],
];

function documented(docsUrl?: string): Report {
  const report = failing();
  return docsUrl === undefined ? report : { ...report, run: { ...report.run, docsUrl } };
}

describe("a failure", () => {
  test.for(writers)("leads to its page: %s", ([, render, page]) => {
    for (const url of ["https://docs.example/cb", "https://docs.example/cb/"]) {
      expect(render(documented(url)).replaceAll("&#58;", ":")).toContain(`https://docs.example/cb/${page}`);
    }
  });

  test.for(writers)("leads nowhere without an address: %s", ([, render, page]) => {
    expect(render(documented())).not.toContain(page);
  });
});

test("the address is a field of the published report", () => {
  expect(schemaProblems(documented("https://docs.example/cb"))).toBeNull();
});

test.for([
  "docs.example",
  "ftp://docs.example",
  "javascript:alert(1)",
  "https://",
  "https://docs.example/?a=hunter2",
  "https://docs.example/#a",
  "https://me:hunter2@docs.example",
])("is refused as an address, and a secret of it is not shown: %s", (docsUrl) => {
  const check = (): unknown => checkConfiguration({ docsUrl }, "the options of the run");
  expect(check).toThrow('"docsUrl" must be an http or https address without credentials, query and fragment');
  expect(check).not.toThrow("hunter2");
});
