import { formatCount } from "../visible-text.ts";
import type { Report } from "../report.ts";
import type { StatusMark, Verdict } from "../verdict.ts";
import { durationText, fact, markup, type Markup } from "./markup.ts";
import { countBar, marks, operationNames, shape, tally, type MarkCounts } from "./status.ts";

/** The shape beside the verdict. */
const verdictMarks: Readonly<Record<Verdict, StatusMark>> = {
  conforming: "pass",
  "not-conforming": "fail",
  unfinished: "error",
  "nothing-checked": "skip",
};

/** Renders the head of the page: verdict, target, time and counts. */
export function verdictHeader(report: Report): Markup {
  const mark = verdictMarks[report.verdict];
  const checks = tally(report.checks);
  const requirements = tally(report.requirements);
  return markup`<header class="verdict ${mark}">
<h1>${shape(mark)}<span>${report.sentence}</span></h1>
<p class="lead">${coverageSentence(requirements, report.requirements.length)}</p>
${interruptedNotice(report)}${facts(report)}
<div class="totals">
${countBar("Checks", checks)}${countBar("Requirements", requirements)}</div>
${operationTable(report)}</header>
`;
}

function interruptedNotice({ run }: Report): Markup | string {
  if (!run.interrupted) return "";
  return markup`<p class="notice">${shape("error")}<span>The run was interrupted. What was not sent by then is skipped, so this report gives no verdict.</span></p>
`;
}

/** Returns a sentence on how many requirements the verdict rests on, so that nobody takes the others for fulfilled. */
function coverageSentence(counts: MarkCounts, total: number): string {
  const judgedCount = total - counts.skip - counts.error;
  const rest = total - judgedCount;
  if (rest === 0) return `All ${formatCount(total, "requirement")} of the interface could be judged.`;
  return `The verdict rests on ${judgedCount} of ${total} requirements of the interface. The other ${rest} were not judged; the section Coverage gives the reason for each.`;
}

function facts({ target, suite, run, startedAt, durationMs, summary, exitCode }: Report): Markup {
  const live = target.kind === "live";
  const automation = live
    ? markup`${formatCount(summary.automationRuns, "run")}, ${costText(summary)}`
    : "no billed run";
  const ended =
    target.endedSessionId === target.sessionId
      ? ""
      : fact("Ended session", markup`<code>${target.endedSessionId}</code>`);
  const rows = [
    fact("Target", markup`<code>${target.name}</code> (${target.kind})`),
    target.name === target.baseUrl ? "" : fact("Address", markup`<code>${target.baseUrl}</code>`),
    target.automationUrl === target.baseUrl
      ? ""
      : fact("Automation address", markup`<code>${target.automationUrl}</code>`),
    ownWord("Automation word", target.automationWord, "automation"),
    ownWord("Service word", target.serviceWord, "service"),
    fact("Session", markup`<code>${target.sessionId}</code>`),
    ended,
    fact(
      "Started",
      markup`<time datetime="${startedAt}">${startedAt.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC")}</time>`,
    ),
    fact("Took", markup`${durationText(durationMs)}, ${formatCount(summary.exchanges, "exchange")}`),
    fact("Automation", automation),
    fact("Profile", markup`<code>${run.profile}</code>, seed ${run.seed}`),
    fact("Suite", markup`${suite.name} ${suite.version}, contract ${suite.contract}`),
    fact("Exit code", markup`${exitCode}`),
  ];
  return markup`<dl class="facts">${rows}</dl>`;
}

/** Shows a word that the service has of its own. */
function ownWord(name: string, word: string | undefined, neutral: string): Markup | string {
  return word === undefined || word === neutral ? "" : fact(name, markup`<code>${word}</code>`);
}

function costText({ costUsd }: Report["summary"]): string {
  return costUsd === null ? "cost not reported" : `US$ ${costUsd.toFixed(4)}`;
}

function operationTable({ checks }: Report): Markup {
  const visibleMarks = marks.filter((mark) => mark !== "expected" || checks.some((check) => check.expected));
  const rows = [...Map.groupBy(checks, (check) => check.operation)].map(([operation, group]) => {
    const counts = tally(group);
    return markup`<tr><th scope="row">${operationNames[operation]}</th>${visibleMarks.map(
      (mark) => markup`<td class="${counts[mark] === 0 ? "zero" : mark}">${counts[mark]}</td>`,
    )}</tr>
`;
  });
  return markup`<table class="operations">
<caption>Checks by operation</caption>
<thead><tr><th scope="col">Operation</th>${visibleMarks.map((mark) => markup`<th scope="col" class="${mark}">${shape(mark)}<span>${mark}</span></th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table>
`;
}
