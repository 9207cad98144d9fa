import type { Report } from "../report.ts";
import { groupByMark, realTargetNote } from "../verdict.ts";
import { checkGroups, coverageGroups, exchangeGroups, observationList, skippedGroups } from "./coverage.ts";
import { errorCards, findingCards, makeLookup } from "./findings.ts";
import { markup, type Markup } from "./markup.ts";
import { readingList } from "./readings.ts";
import { expectationRows, runDetails } from "./run.ts";
import { scriptElement, scriptSource } from "./script.ts";
import { shapes } from "./status.ts";
import { styleElement, styleSource } from "./style.ts";
import { verdictHeader } from "./verdict.ts";

/** Maximum number of failed checks that are all expanded at first. */
const maxOpen = 20;

/** Number of failed checks that are expanded at first when there are more. */
const firstOpen = 5;

/** Content security policy: no external resources, and no style or script but our own. */
const policy = `default-src 'none'; style-src ${styleSource}; script-src ${scriptSource}; base-uri 'none'; form-action 'none'`;

interface Section {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  /** Introduction of the section, in a sentence. */
  readonly lead: string;
  readonly content: Markup | readonly Markup[];
}

/**
 * Renders a report as one HTML page that needs nothing else: no network, and a script only to copy commands.
 *
 * The same report gives the same page, byte for byte. Every string of the report is shown as text.
 */
export function renderHtml(report: Report): string {
  const sections = listSections(report);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${formatTitle(report)}</title>
${styleElement}
</head>
<body>
${shapes}
<a class="skip-link" href="#main">Skip to the results</a>
${verdictHeader(report)}
<div class="columns">
<nav aria-label="Contents"><ul>
${sections.map(contentsEntry)}</ul></nav>
<main id="main" tabindex="-1">
${sections.filter((section) => section.count > 0).map(renderSection)}</main>
</div>
<footer class="page">${report.suite.name} ${report.suite.version} · only stated checks decide the verdict
${scriptElement}</footer>
</body>
</html>
`;
  return page.toString();
}

function formatTitle(report: Report): string {
  const [verdict] = report.sentence.split(":");
  return `${(verdict ?? "").replace(/\.$/, "")} – ${report.target.name} – conformance report`;
}

function contentsEntry({ id, title, count }: Section): Markup {
  const label = markup`<span>${title}</span> <span class="number">${count}</span>`;
  return count > 0
    ? markup`<li><a href="#${id}">${label}</a></li>
`
    : markup`<li class="empty">${label}</li>
`;
}

function renderSection({ id, title, count, lead, content }: Section): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <span class="number">${count}</span></h2>
<p class="lead">${lead}</p>
${content}</section>
`;
}

function listSections(report: Report): Section[] {
  const lookup = makeLookup(report);
  const { fail: failed, error: errors, warning: warnings, expected, skip: skipped } = groupByMark(report.checks);
  return [
    {
      id: "failed",
      title: "Failures",
      count: failed.length,
      lead: "Requirements stated by the interface that this target does not meet.",
      content: findingCards(failed, lookup, failed.length > maxOpen ? firstOpen : failed.length),
    },
    {
      id: "expectations",
      title: "Entries to fix",
      count: report.expectationProblems.length,
      lead: "Entries of the expected failures that are stale, expired or unknown. Each of them fails the run.",
      content: expectationRows(report.expectationProblems),
    },
    {
      id: "errors",
      title: "Could not be judged",
      count: errors.length,
      lead: "Caused by the suite, the network or the setup, or by a fault that can't be attributed.",
      content: errorCards(errors, lookup),
    },
    {
      id: "warnings",
      title: "Warnings",
      count: warnings.length,
      lead: "Failed checks of requirements that the suite only infers from the interface. They do not affect the verdict.",
      content: findingCards(warnings, lookup, 0),
    },
    {
      id: "expected",
      title: "Expected failures",
      count: expected.length,
      lead: "Known failures, each with a reason, an owner and an expiry date. They still run, and do not affect the verdict until they expire.",
      content: findingCards(expected, lookup, 0),
    },
    {
      id: "skipped",
      title: "Skipped",
      count: skipped.length,
      lead: [
        "Not observable on this target, so not judged: none of these counts as passed.",
        realTargetNote(report.target.kind, skipped),
      ]
        .filter((sentence) => sentence !== undefined)
        .join(" "),
      content: skippedGroups(skipped, report.target.lacks),
    },
    {
      id: "readings",
      title: "Readings",
      count: report.readings?.length ?? 0,
      lead: "Ambiguous sentences of the interface: the reading that the verdict rests on, and the verdict under each other reading.",
      content: readingList(report.readings ?? []),
    },
    {
      id: "observations",
      title: "Observations",
      count: report.observations.length,
      lead: "Behaviour of this target that the interface leaves open. Recorded, never judged.",
      content: observationList(report.observations),
    },
    {
      id: "coverage",
      title: "Coverage",
      count: report.requirements.length,
      lead: "Every requirement of the interface, by section, with its result.",
      content: coverageGroups(report.requirements),
    },
    {
      id: "checks",
      title: "All checks",
      count: report.checks.length,
      lead: "Every check with its status.",
      content: checkGroups(report.checks),
    },
    {
      id: "exchanges",
      title: "All exchanges",
      count: report.exchanges.length,
      lead: "Every request and response, without secrets.",
      content: exchangeGroups(report.exchanges),
    },
    {
      id: "run",
      title: "Run details",
      count: report.run.settings.length || 1,
      lead: "Limits and statistics of the run, and the source of every setting. Secrets are redacted.",
      content: runDetails(report),
    },
  ];
}
