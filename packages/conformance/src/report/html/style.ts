import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { Markup } from "./markup.ts";

const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#faf9f7, #131417);
  --sheet: light-dark(#fff, #1b1d21);
  --well: light-dark(#f4f2ee, #131417);
  --ink: light-dark(#1d1f23, #e8e8ea);
  --soft: light-dark(#5a5f68, #a4a9b3);
  --line: light-dark(#e2dfd9, #30333a);
  --link: light-dark(#1a56a8, #8ab8f5);
  --pass: light-dark(#1c7040, #6cc78e);
  --fail: light-dark(#b3261e, #ff8a80);
  --warning: light-dark(#8a5600, #e3b257);
  --error: light-dark(#6d3fb0, #c2a2f5);
  --expected: light-dark(#2f6175, #8fc3d6);
  --skip: light-dark(#5f656e, #9da3ad);
  --hit: light-dark(#fbe3a8, #5c4a12);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 76rem; padding: clamp(1rem, 4vw, 3rem); background: var(--page); color: var(--ink); overflow-wrap: anywhere; }
h1, h2, h3, h4, p, ul, dl, dd, blockquote, pre { margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h2 { font-size: 1.35rem; font-weight: 650; letter-spacing: -.01em; }
h3 { font-size: 1rem; font-weight: 600; display: inline; }
h4 { font-size: .8125rem; font-weight: 600; color: var(--soft); }
ul { list-style: none; }
code, pre, .wire, .headers, .id { font-family: var(--mono); font-size: .8125rem; unicode-bidi: isolate; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.skip-link { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--sheet); border-radius: 4px; }
.skip-link:focus { top: 1rem; }
.shapes { position: absolute; }
.shape { width: 1em; height: 1em; flex: none; }
.ink { fill: none; stroke: var(--sheet); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.number { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
.muted, .note, .about, .lead { color: var(--soft); }
.note, .about { font-size: .8125rem; }
.tag { font-size: .75rem; color: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0 .375rem; }
.badge { display: inline-flex; gap: .375rem; align-items: center; font-size: .8125rem; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.badge.pass, .legend .pass svg, th.pass svg, h1 .pass { color: var(--pass); }
.badge.fail, .legend .fail svg, th.fail svg, td.fail { color: var(--fail); }
.badge.warning, .legend .warning svg, th.warning svg, td.warning { color: var(--warning); }
.badge.expected, .legend .expected svg, th.expected svg, td.expected { color: var(--expected); }
.badge.error, .legend .error svg, th.error svg, td.error { color: var(--error); }
.badge.skip, .legend .skip svg, th.skip svg { color: var(--skip); }
th.pass svg { color: var(--pass); }

.verdict { padding-bottom: 2.5rem; border-bottom: 1px solid var(--line); }
.verdict h1 { display: flex; gap: .6em; font-size: clamp(1.5rem, 1rem + 2.6vw, 2.5rem); font-weight: 680; letter-spacing: -.02em; line-height: 1.15; }
.verdict h1 svg { width: 1.05em; height: 1.05em; margin-top: .05em; }
.verdict h1 .ink { stroke: var(--page); }
.verdict.pass h1 svg { color: var(--pass); } .verdict.fail h1 svg { color: var(--fail); }
.verdict.error h1 svg { color: var(--error); } .verdict.skip h1 svg { color: var(--skip); }
.verdict > .lead { margin-top: .75rem; max-width: 44rem; font-size: 1.0625rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 1rem 2rem; margin-top: 2rem; }
h3 code, p > code, li > code, dt > code, .reason code, .facts code { font-size: .875em; }
.note > code, .about > code, .more code { font-size: inherit; }
.facts dt { font-size: .8125rem; color: var(--soft); }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 2rem; margin-top: 2.5rem; }
.totals h2 { font-size: 1rem; }
.bar { display: block; width: 100%; height: .75rem; margin: .5rem 0 .625rem; border-radius: 3px; background: var(--line); }
.bar rect { stroke: var(--page); stroke-width: 2px; vector-effect: non-scaling-stroke; }
rect.pass { fill: var(--pass); } rect.fail { fill: var(--fail); } rect.warning { fill: var(--warning); } rect.error { fill: var(--error); } rect.expected { fill: var(--expected); } rect.skip { fill: var(--line); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.legend li { display: inline-flex; align-items: center; gap: .375rem; font-variant-numeric: tabular-nums; }
.operations { table-layout: fixed; width: 100%; max-width: 44rem; margin-top: 2.5rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.operations caption { text-align: left; font-weight: 600; padding-bottom: .5rem; }
.operations th, .operations td { text-align: right; padding: .375rem 0 .375rem .5rem; border-bottom: 1px solid var(--line); }
.operations thead th { font-size: .8125rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
.operations thead svg { width: .8em; height: .8em; margin-right: .35em; vertical-align: -.05em; }
.operations th:first-child { text-align: left; padding-left: 0; font-weight: 400; }
.operations td { font-weight: 600; } .operations td.zero { color: var(--soft); font-weight: 400; } .operations td.skip, .operations td.pass { color: inherit; font-weight: 400; }

.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; margin-top: 2rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
nav li { padding: .125rem 0; color: var(--soft); }
nav a { color: var(--ink); text-decoration-color: var(--line); }
section { margin-bottom: 4rem; }
.lead { text-wrap: pretty; }
section > .lead { margin: .375rem 0 1.25rem; max-width: 46rem; }
summary { cursor: pointer; border-radius: 4px; }
summary::marker { color: var(--soft); }
.card { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 0 clamp(.875rem, 3vw, 1.5rem); margin-bottom: 1rem; }
.card > summary { padding: .875rem 0; }
.card[open] { padding-bottom: 1.25rem; }
.card > summary .badge { margin: 0 .375rem 0 .125rem; vertical-align: -.1em; }
.card > summary .about { display: block; margin-top: .125rem; }
.requirement { border-left: 3px solid var(--line); padding-left: .875rem; margin: .5rem 0 1rem; max-width: 44rem; }
.requirement footer { font-size: .8125rem; color: var(--soft); margin-top: .125rem; }
.finding + .finding { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.finding + .requirement { margin-top: 1.5rem; }
.triple { display: grid; gap: .25rem; }
.triple > div { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .75rem; align-items: baseline; }
.triple dt { color: var(--soft); font-size: .8125rem; }
.triple dd { font-family: var(--mono); font-size: .875rem; white-space: pre-wrap; unicode-bidi: isolate; max-height: 14rem; overflow: auto; }
.triple .received { color: var(--fail); font-weight: 600; }
.known { margin-bottom: 1rem; } .known dd { font-family: inherit; }
.notice { display: flex; gap: .625rem; align-items: baseline; margin-top: 1.25rem; padding: .75rem 1rem; max-width: 44rem; background: var(--sheet); border: 1px solid var(--line); border-left: 3px solid var(--error); border-radius: 6px; }
.notice .shape { color: var(--error); align-self: center; }
.reproduce { position: relative; margin-top: .75rem; }
.reproduce h4 { line-height: 1.75rem; }
.reproduce pre { margin: .25rem 0; max-height: 12rem; user-select: all; }
.copy { display: none; position: absolute; top: 0; right: 0; font: inherit; font-size: .8125rem; line-height: 1.25rem; padding: .1875rem .75rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
.scripted .copy { display: block; }
.copy:hover { border-color: var(--soft); }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.nested { margin-top: .75rem; }
.nested > summary { font-size: .875rem; padding: .125rem 0; }
.nested .line { font-family: var(--mono); font-size: .8125rem; color: var(--soft); }
.exchange { margin: .5rem 0 1rem; padding: .25rem 0 0 1rem; border-left: 1px solid var(--line); }
.exchange h4 { margin: .75rem 0 .25rem; }
.wire { font-weight: 600; }
.headers { color: var(--soft); line-height: 1.6; }
.headers b { font-weight: 500; color: var(--ink); }
.none { font-size: .8125rem; color: var(--soft); margin-top: .25rem; }
pre { margin: .5rem 0; padding: .75rem .875rem; max-height: 30rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; line-height: 1.5; background: var(--well); border: 1px solid var(--line); border-radius: 6px; }
.numbered { display: block; position: relative; padding-left: 2.75rem; min-height: 1.5em; }
.gap { color: var(--soft); font-family: system-ui, sans-serif; }
.numbered::before { content: attr(data-line); position: absolute; left: 0; width: 1.75rem; text-align: right; color: var(--soft); user-select: none; }
mark { background: var(--hit); color: inherit; border-radius: 3px; padding: .125rem .25rem; margin: 0 -.25rem; box-decoration-break: clone; -webkit-box-decoration-break: clone; font-weight: 600; }
.more { margin: .25rem 0 0 .75rem; padding: .3rem; font-size: .8125rem; display: grid; gap: .375rem; max-height: 26rem; overflow: auto; }
.group { padding: .625rem 0; border-top: 1px solid var(--line); }
.group > summary, .group > p { padding: .125rem 0; }
.group .counts { display: inline-flex; flex-wrap: wrap; gap: .125rem .875rem; margin-left: .5rem; }
.group .counts .badge { font-weight: 400; }
.reason { font-weight: 600; }
.plain { margin-top: .375rem; display: grid; gap: .25rem; padding-left: 1rem; font-size: .9375rem; }
.observations { display: grid; gap: 1.25rem; }
.observations > div { display: grid; gap: .25rem 2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.observations .about { display: block; }
.values { display: flex; flex-wrap: wrap; gap: .375rem; margin-bottom: .25rem; }
.values code { display: inline-block; padding: .0625rem .5rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 4px; max-height: 10rem; overflow: auto; }
.rows { padding: .25rem 0 .5rem; }
.rows li > .badge { line-height: 1.55rem; } .rows li > .tag { justify-self: start; }
.rows li { align-items: start; display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .125rem .75rem; padding: .625rem .5rem; margin: 0 -.5rem; border-radius: 6px; scroll-margin-top: 1rem; }
#run .facts { margin-top: 1rem; }
.settings { width: 100%; margin: 2rem 0; border-collapse: collapse; table-layout: fixed; font-size: .9375rem; }
.settings caption { text-align: left; font-weight: 600; padding-bottom: .5rem; }
.settings th, .settings td { text-align: left; vertical-align: baseline; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
.settings thead th { font-size: .8125rem; color: var(--soft); }
.settings th:first-child { width: 12rem; } .settings th:last-child { width: 7rem; }
.settings .usual td { color: var(--soft); } .settings .chosen code { font-weight: 600; }
.why { font-size: .9375rem; color: var(--soft); }
:target { scroll-margin-top: 4rem; background: light-dark(#eef3fb, #202a38); }
section:target, main:target { background: none; scroll-margin-top: 1rem; }
footer.page { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--soft); }

@media (min-width: 64rem) {
  .columns { grid-template-columns: 12.5rem minmax(0, 1fr); gap: 3.5rem; margin-top: 3rem; }
  nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow: auto; padding: .25rem; }
  nav ul { display: block; }
  nav li { display: flex; } nav li a, nav li.empty { flex: 1; display: flex; justify-content: space-between; gap: .5rem; padding: .25rem 0; text-decoration: none; }
  nav a:hover span:first-child { text-decoration: underline; }
  .observations > div { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
}
@media (max-width: 36rem) {
  .facts { gap: .375rem; }
  .facts > div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .75rem; align-items: baseline; }
  .totals, .operations, .facts { margin-top: 1.5rem; }
  .operations th:first-child { width: 6rem; }
  .triple > div, .rows li { grid-template-columns: minmax(0, 1fr); gap: .125rem; }
  .triple > div + div { margin-top: .375rem; }
  .operations thead th:not(:first-child) { text-align: right; font-size: .75rem; }
  .operations thead svg { display: block; margin: 0 0 .125rem auto; }
  .exchange { padding-left: .625rem; }
  .settings th:first-child { width: 8.5rem; } .settings th:last-child { width: 5.5rem; }
  .group .counts { display: flex; margin: .125rem 0 0 1.1rem; }
}
@media (forced-colors: active) { .shape, .bar { forced-color-adjust: none; } mark { outline: 1px solid; } }
@page { margin: 16mm; }
@media print {
  .card::details-content { content-visibility: visible; block-size: auto; }
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip-link, .scripted .copy { display: none; }
  .columns { display: block; }
  pre, .more, .triple dd { max-height: none; overflow: visible; }
  .card, .finding, .rows li, .verdict { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  .bar, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

/** The style of the page, inline. */
export const styleElement: Markup = raw(`<style>${style}</style>`);

/** The style sheet's hash for the content security policy, which allows no other style. */
export const styleSource = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
