import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { renderBadge, renderBadgeJson } from "../../src/report/badge.ts";
import type { Report } from "../../src/report/report.ts";
import {
  check,
  failedCheck,
  hostile,
  hostileReport,
  knownCheck,
  makeReport,
  staleEntry,
  warnedCheck,
} from "./reports.ts";

const mock = { ...makeReport().target, kind: "mock" as const };

const verdict = "not-conforming" as const;
const interrupted = { ...makeReport().run, interrupted: true };

const cases: readonly (readonly [when: string, parts: Partial<Report>, message: string, color: string])[] = [
  ["conforming", { checks: [check("a"), check("b")] }, "conforming, 2 checks", "brightgreen"],
  ["conforming with a known failure", { checks: [check("a"), knownCheck("b")] }, "conforming but for 1", "brightgreen"],
  ["not conforming", { checks: [check("a"), failedCheck("b")], verdict }, "1 failed, 1 passed", "red"],
  ["an entry needs attention", { expectationProblems: [staleEntry], verdict }, "1 needs attention", "red"],
  ["unfinished", { verdict: "unfinished" }, "unfinished", "orange"],
  ["interrupted", { verdict: "unfinished", run: interrupted }, "interrupted", "orange"],
  ["nothing was checked", { verdict: "nothing-checked", checks: [] }, "nothing checked", "lightgrey"],
];

/** The fields are those of the shields.io endpoint, by its documentation. */
test.for(cases)("says in both forms when a target is %s", ([, parts, message, color]) => {
  const report = makeReport(parts);
  const isError = color !== "brightgreen";
  const json: unknown = JSON.parse(renderBadgeJson(report));
  expect(json).toEqual({ schemaVersion: 1, label: "conformance", message, color, isError });
  expect(renderBadge(report)).toContain(`<title>conformance: ${message}</title>`);
});

test("warns of what is assumed in no way", () => {
  expect(renderBadgeJson(makeReport({ checks: [check("a"), warnedCheck("b")] }))).toContain('"conforming, 1 check"');
});

test("says of a mock that it is one", () => {
  expect(renderBadgeJson(makeReport({ target: mock }))).toContain('"label": "conformance of a mock"');
});

test.for(cases)("draws parts that are as wide as their texts, when %s", ([, parts]) => {
  const svg = parseHTML(renderBadge(makeReport(parts))).document.querySelector("svg");
  const numbers = (selector: string, name: string): number[] =>
    [...(svg?.querySelectorAll(selector) ?? [])].map((element) => Number(element.getAttribute(name) ?? 0));
  const [labelWidth = 0, messageWidth = 0] = numbers("text", "textLength");
  const [labelAt = 0, messageAt = 0] = numbers("text", "x");
  const left = labelAt + labelWidth + labelAt;
  expect(svg?.querySelector("path")?.getAttribute("d")).toContain(`M3 0h${left - 3}v20`);
  expect(messageAt).toBe(left + labelAt);
  expect(numbers("rect", "width")).toEqual([left + messageWidth + 2 * labelAt]);
  expect(numbers("rect", "width")).toEqual([Number(svg?.getAttribute("width"))]);
  expect(svg?.getAttribute("role")).toBe("img");
  expect(svg?.getAttribute("aria-label")).toBe(svg?.querySelector("title")?.textContent);
});

test("holds nothing that a target sent, and loads nothing", () => {
  const svg = renderBadge(hostileReport());
  expect(svg).not.toContain(hostile.slice(0, 10));
  expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<script|href|<image| id=/);
});
