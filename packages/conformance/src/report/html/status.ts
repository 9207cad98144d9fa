import type { Operation } from "../../contract/contract.ts";
import { groupByMark, type JudgedCheck, type StatusMark } from "../verdict.ts";
import { markup, type Markup } from "./markup.ts";

/** All marks, in the order of legends and tables. */
export const marks = ["fail", "error", "warning", "expected", "pass", "skip"] as const satisfies readonly StatusMark[];

/** Names of the operations in the page. */
export const operationNames: Readonly<Record<Operation | "none", string>> = {
  page_scrape: "Scrape",
  session_cookies: "Cookies",
  session_replay: "Replay",
  automation_start: "Automation",
  none: "No operation",
};

/** Number of results of each mark. */
export type MarkCounts = Readonly<Record<StatusMark, number>>;

/** Counts results by mark. */
export function tally(results: readonly JudgedCheck[]): MarkCounts {
  const { fail, error, warning, expected, pass, skip } = groupByMark(results);
  return {
    fail: fail.length,
    error: error.length,
    warning: warning.length,
    expected: expected.length,
    pass: pass.length,
    skip: skip.length,
  };
}

/** Renders a mark as a shape and a word, so that it does not depend on colour. */
export function badge(mark: StatusMark): Markup {
  return markup`<span class="badge ${mark}">${shape(mark)}${mark}</span>`;
}

/** Renders the shape of a mark, for use beside its word. */
export function shape(mark: StatusMark): Markup {
  return markup`<svg class="shape" aria-hidden="true"><use href="#shape-${mark}"/></svg>`;
}

/** The drawings that `shape` refers to; once per page. */
export const shapes: Markup = markup`<svg class="shapes" width="0" height="0" aria-hidden="true">
<symbol id="shape-pass" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.5" fill="currentColor"/><path class="ink" d="M4.6 8.3l2.4 2.4 4.4-5"/></symbol>
<symbol id="shape-fail" viewBox="0 0 16 16"><path fill="currentColor" d="M5 .6h6L15.4 5v6L11 15.4H5L.6 11V5z"/><path class="ink" d="M5.4 5.4l5.2 5.2m0-5.2l-5.2 5.2"/></symbol>
<symbol id="shape-warning" viewBox="0 0 16 16"><path fill="currentColor" d="M8 .8l7.6 14H.4z"/><path class="ink" d="M8 6v4.2m0 2v.6"/></symbol>
<symbol id="shape-expected" viewBox="0 0 16 16"><rect x=".8" y=".8" width="14.4" height="14.4" rx="3" fill="currentColor"/><path class="ink" d="M4 9.2c1.4-2.6 2.8-2.6 4-1.2s2.6 1.4 4-1.2"/></symbol>
<symbol id="shape-error" viewBox="0 0 16 16"><path fill="currentColor" d="M8 .2L15.8 8 8 15.8.2 8z"/><path class="ink" d="M8 4.2v4.6m0 2v.6"/></symbol>
<symbol id="shape-skip" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.7" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.6 1.6"/><path d="M5 8h6" fill="none" stroke="currentColor" stroke-width="1.8"/></symbol>
</svg>`;

/** Renders counts as a bar with a legend, without marks that do not occur. */
export function countBar(title: string, counts: MarkCounts): Markup {
  const presentMarks = marks.filter((mark) => counts[mark] > 0);
  const total = presentMarks.reduce((sum, mark) => sum + counts[mark], 0);
  // A single failure among hundreds must still be seen.
  const least = total / 60;
  let left = 0;
  const parts = presentMarks.map((mark) => {
    const width = Math.max(counts[mark], least);
    const part = markup`<rect class="${mark}" x="${left}" width="${width}" height="1"/>`;
    left += width;
    return part;
  });
  return markup`<div class="count">
<h2>${title} <span class="number">${total}</span></h2>
<svg class="bar" viewBox="0 0 ${Math.max(left, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<ul class="legend">${presentMarks.map((mark) => markup`<li class="${mark}">${shape(mark)}<b>${counts[mark]}</b> ${mark}</li>`)}</ul>
</div>
`;
}
