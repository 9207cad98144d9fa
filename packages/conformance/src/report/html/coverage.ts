import { formatCount } from "../visible-text.ts";
import { groupByReason, type CheckResult, type Observation, type Report, type RequirementResult } from "../report.ts";
import { exchangeEntry } from "./exchange.ts";
import { anchor, idLink, idLinks, markup, prose, type Anchored, type Markup } from "./markup.ts";
import { chooseMark, type JudgedCheck } from "../verdict.ts";
import { badge, marks, operationNames, shape, tally } from "./status.ts";

/** Maximum number of rows of a group that is expanded at first. */
const openRows = 4;

/** Maximum number of links in a row; the list of exchanges has all of them. */
const maxLinks = 4;

/** Renders the skipped checks by reason, the most frequent reason first. */
export function skippedGroups(checks: readonly CheckResult[], lacks: Report["target"]["lacks"]): Markup[] {
  return groupByReason(checks).map(([reason, group]) => {
    const capability = lacks.find((lack) => lack.reason === reason)?.capability;
    const tag = capability === undefined ? "" : markup` <span class="tag">${capability}</span>`;
    const label = markup`<span class="reason">${prose(reason)}</span> <span class="number">${group.length}</span>${tag}`;
    const rows = markup`<ul class="plain">${group.map(
      (check) => markup`<li>${prose(check.title)} ${idLink("check", check.id)}</li>
`,
    )}</ul>`;
    return group.length > openRows
      ? markup`<details class="group"><summary>${label}</summary>${rows}</details>
`
      : markup`<div class="group"><p>${label}</p>${rows}</div>
`;
  });
}

/** Renders the observations: behaviour of this target that the interface leaves open. */
export function observationList(observations: readonly Observation[]): Markup {
  const rows = observations.map(
    (
      observation,
    ) => markup`<div><dt>${prose(observation.text)} <span class="about"><code>${observation.id}</code>${observation.operation === "none" ? "" : ` · ${operationNames[observation.operation]}`}</span></dt>
<dd><ul class="values">${observation.values.map((value) => markup`<li><code>${value}</code></li>`)}</ul>
<p class="note">Seen in ${linksTo("exchange", observation.exchanges)}</p></dd></div>
`,
  );
  return markup`<dl class="observations">${rows}</dl>`;
}

/** Renders every requirement with its result, by section of the interface. */
export function coverageGroups(requirements: readonly RequirementResult[]): Markup[] {
  return [...Map.groupBy(requirements, (row) => row.section)].map(
    ([section, rows]) => markup`<details class="group"><summary><h3>${section}</h3> ${countsLine(rows)}</summary>
<ul class="rows">${rows.map(requirementRow)}</ul></details>
`,
  );
}

/** Renders every check with its status, by operation. */
export function checkGroups(checks: readonly CheckResult[]): Markup[] {
  return [...Map.groupBy(checks, (check) => check.operation)].map(
    ([
      operation,
      group,
    ]) => markup`<details class="group"><summary><h3>${operationNames[operation]}</h3> ${countsLine(group)}</summary>
<ul class="rows">${group.map(checkRow)}</ul></details>
`,
  );
}

/** Renders every exchange, by operation. */
export function exchangeGroups(exchanges: Report["exchanges"]): Markup[] {
  return [...Map.groupBy(exchanges, (exchange) => exchange.operation)].map(
    ([
      operation,
      group,
    ]) => markup`<details class="group"><summary><h3>${operationNames[operation]}</h3> <span class="muted">${formatCount(group.length, "exchange")}</span></summary>
${group.map(exchangeEntry)}</details>
`,
  );
}

/** Renders counts as shapes with numbers, and with words for screen readers. */
function countsLine(rows: readonly JudgedCheck[]): Markup {
  const counts = tally(rows);
  const parts = marks.map((mark) =>
    counts[mark] === 0 ? "" : markup`<span class="badge ${mark}">${shape(mark)}${counts[mark]} ${mark}</span> `,
  );
  return markup`<span class="counts">${parts}</span>`;
}

function requirementRow(row: RequirementResult): Markup {
  const checks = row.checks.length > 0 ? markup` · judged by ${linksTo("check", row.checks)}` : "";
  return markup`<li id="${anchor("requirement", row.id)}">${badge(chooseMark(row))}<div><p>${prose(row.text)}</p>
${reasonNote(row)}<p class="note"><code>${row.id}</code>${assumedTag(row)}${row.status === "skip" ? "" : checks}</p></div></li>
`;
}

function checkRow(check: CheckResult): Markup {
  const exchanges = check.exchanges.length > 0 ? markup` · applied to ${linksTo("exchange", check.exchanges)}` : "";
  const findings =
    check.findings.length > 0 ? markup` · <a href="#${anchor("finding", check.id)}">its findings</a>` : "";
  return markup`<li id="${anchor("check", check.id)}">${badge(chooseMark(check))}<div><p>${prose(check.title)}</p>
${reasonNote(check)}<p class="note"><code>${check.id}</code>${assumedTag(check)}${findings} · about ${linksTo("requirement", check.requirements)}${exchanges}</p></div></li>
`;
}

function reasonNote({ reason }: { readonly reason?: string }): Markup | string {
  return reason === undefined ? "" : markup`<p class="why">${prose(reason)}</p>`;
}

function assumedTag({ level }: Pick<CheckResult, "level">): Markup | string {
  return level === "assumed" ? markup` <span class="tag">assumed</span>` : "";
}

function linksTo(kind: Anchored, ids: readonly string[]): Markup {
  const omittedCount = ids.length - maxLinks;
  return markup`${idLinks(kind, ids.slice(0, maxLinks))}${omittedCount > 0 ? ` and ${omittedCount} more` : ""}`;
}
