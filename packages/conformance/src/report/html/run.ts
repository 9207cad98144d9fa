import { formatCount } from "../visible-text.ts";
import type { ExpectationProblem, Report } from "../report.ts";
import { fact, idLink, markup, prose, type Markup } from "./markup.ts";

/** Maximum number of retries that are listed. */
const maxRetries = 50;

/** Renders the details of the run: its limits, what it sent and cost, every setting with its source, and all retries. */
export function runDetails({ run, summary }: Report): Markup {
  const { budget, requests, requestsLeftOut = 0, checks, settings, retries } = run;
  const limit = budget.maxCostUsd === null ? "no cost limit" : `US$ ${budget.maxCostUsd}`;
  const spent = summary.costUsd === null ? "no cost reported" : `US$ ${summary.costUsd.toFixed(4)}`;
  const leftOut = requestsLeftOut === 0 ? "" : `; ${requestsLeftOut} more were left out (--max-requests)`;
  const mayRun = run.profile === "full";
  const rows = [
    fact("Requests", `${summary.exchanges} made of ${requests} planned${leftOut}`),
    fact("Checks", `${checks.selected} selected of ${checks.all}`),
    fact(
      "Budget",
      mayRun
        ? `${formatCount(budget.maxRuns, "billed run")} at most, ${limit}`
        : `no billed run: profile ${run.profile}`,
    ),
    fact("Spent", `${formatCount(summary.automationRuns, "billed run")}, ${spent}`),
  ];
  return markup`<dl class="facts">${rows}</dl>
${settingsTable(settings)}${retryList(retries)}`;
}

function settingsTable(settings: Report["run"]["settings"]): Markup | string {
  if (settings.length === 0) return "";
  const rows = settings.map(
    ({ name, value, source }) =>
      markup`<tr class="${source === "default" ? "usual" : "chosen"}"><th scope="row"><code>${name}</code></th><td><code>${value}</code></td><td>${source}</td></tr>
`,
  );
  return markup`<table class="settings">
<caption>Settings</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">From</th></tr></thead>
<tbody>${rows}</tbody>
</table>
`;
}

function retryList(retries: Report["run"]["retries"]): Markup | string {
  if (retries.length === 0) return "";
  const rows = retries.slice(0, maxRetries).map(
    ({ exchange, reason }) => markup`<li>${idLink("exchange", exchange)} ${reason}</li>
`,
  );
  const omittedCount = retries.length - maxRetries;
  return markup`<div class="group"><p><span class="reason">Sent again after a pause, or after the connection had failed</span> <span class="number">${retries.length}</span></p>
<ul class="plain">${rows}</ul>${omittedCount > 0 ? markup`<p class="note">${omittedCount} more are in report.json.</p>` : ""}</div>
`;
}

/** Renders the expected failures that are stale, expired or unknown. */
export function expectationRows(problems: readonly ExpectationProblem[]): Markup {
  const rows = problems.map(
    ({ kind, sentence }) => markup`<li><span class="tag">${kind}</span><p>${prose(sentence)}</p></li>
`,
  );
  return markup`<ul class="rows">${rows}</ul>`;
}
