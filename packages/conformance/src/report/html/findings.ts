import { formatCount } from "../visible-text.ts";
import type { Finding } from "../../checks/check.ts";
import { checkPage } from "../docs-page.ts";
import type { CheckResult, RecordedExchange, Report, RequirementResult } from "../report.ts";
import { exchangeDetails } from "./exchange.ts";
import { reproductionBox } from "./reproduction.ts";
import { anchor, idLink, idLinks, markup, prose, type Markup } from "./markup.ts";
import { chooseMark } from "../verdict.ts";
import { badge, operationNames } from "./status.ts";

/** Maximum number of findings of one kind that are listed. */
const maxListed = 100;

/** Requirements and exchanges of a report, by id. */
export interface Lookup {
  /** Requirements by id. */
  readonly requirements: ReadonlyMap<string, RequirementResult>;
  /** Exchanges by id. */
  readonly exchanges: ReadonlyMap<string, RecordedExchange>;
  /** Returns the address of the page that explains a check; undefined when there is none. */
  readonly findPage: (id: string) => string | undefined;
}

/** Indexes the rows of a report by their ids. */
export function makeLookup(report: Report): Lookup {
  return {
    requirements: new Map(report.requirements.map((row) => [row.id, row])),
    exchanges: new Map(report.exchanges.map((exchange) => [exchange.id, exchange])),
    findPage: (id) => checkPage(id, report),
  };
}

/**
 * Renders checks with findings: requirement, place, expected and received value, and the exchange that shows it.
 *
 * @param open - Number of them that are expanded at first.
 */
export function findingCards(checks: readonly CheckResult[], lookup: Lookup, open: number): Markup[] {
  return checks.map(
    (
      check,
      index,
    ) => markup`<details class="card"${index < open ? markup` open` : ""}>${cardContent(check, lookup)}</details>
`,
  );
}

/** Renders the checks that could not be judged, each with the reason and the exchange. */
export function errorCards(checks: readonly CheckResult[], lookup: Lookup): Markup[] {
  return checks.map(
    (check) => markup`<details class="card" open>${cardHead(check)}
${requirementNotes(check.requirements, lookup)}<dl class="triple"><div><dt>Reason</dt><dd>${check.reason ?? "The reason is not known."}</dd></div></dl>
${erroredExchanges(check, lookup)}</details>
`,
  );
}

function cardHead(check: CheckResult): Markup {
  const assumed = check.level === "assumed" ? markup` <span class="tag">assumed</span>` : "";
  return markup`<summary>${badge(chooseMark(check))} <h3>${prose(check.title)}</h3> <span class="about"><code>${check.id}</code> · ${operationNames[check.operation]}${assumed}</span></summary>`;
}

function cardContent(check: CheckResult, lookup: Lookup): Markup {
  const byRequirement = [...Map.groupBy(check.findings, (finding) => finding.requirement)];
  const parts = byRequirement.map(
    ([id, findings]) =>
      markup`${requirementNotes([id], lookup)}${groupKinds(findings).map((kind) => kindBox(kind, lookup))}`,
  );
  return markup`${cardHead(check)}
${expectedNote(check)}<div id="${anchor("finding", check.id)}">${parts}${leftOut(check)}</div>${explanation(check, lookup)}`;
}

function explanation({ id }: CheckResult, lookup: Lookup): Markup | string {
  const page = lookup.findPage(id);
  return page === undefined ? "" : markup`<p class="note"><a href="${page}">Cause and remedy</a></p>`;
}

function leftOut({ findingsLeftOut = 0 }: CheckResult): Markup | string {
  return findingsLeftOut === 0
    ? ""
    : markup`<p class="note">and ${formatCount(findingsLeftOut, "more finding")}, not kept</p>`;
}

function expectedNote({ expected }: CheckResult): Markup | string {
  if (!expected) return "";
  return markup`<dl class="triple known"><div><dt>Known</dt><dd>${expected.reason}</dd></div>
<div><dt>Owner</dt><dd>${expected.owner}</dd></div>
<div><dt>Until</dt><dd>${expected.expires}</dd></div></dl>
`;
}

function requirementNotes(ids: readonly string[], lookup: Lookup): Markup[] {
  return ids.map((id) => {
    const row = lookup.requirements.get(id);
    if (!row) return markup`<p class="requirement"><code>${id}</code></p>`;
    return markup`<blockquote class="requirement"><p>${prose(row.text)}</p>
<footer>${idLink("requirement", id)} · ${row.section}</footer></blockquote>
`;
  });
}

/** Groups findings by expected value and place, whatever the array index and the exchange. */
function groupKinds(findings: readonly Finding[]): Finding[][] {
  return [...Map.groupBy(findings, findKind)].map(([, group]) => group);
}

function findKind({ where, expected }: Finding): string {
  return `${where}\n${expected}`.replace(/\d+/g, "#");
}

function kindBox(findings: readonly Finding[], lookup: Lookup): Markup {
  const [first, ...more] = findings;
  if (!first) return markup``;
  const exchange = lookup.exchanges.get(first.exchange);
  const marked = findings.filter((finding) => finding.exchange === first.exchange).map((finding) => finding.where);
  return markup`<div class="finding">
<dl class="triple">
<div><dt>Where</dt><dd>${first.where}</dd></div>
<div><dt>Expected</dt><dd>${first.expected}</dd></div>
<div><dt>Received</dt><dd class="received">${first.received}</dd></div>
</dl>
${exchange ? markup`${reproductionBox(exchange, [...lookup.exchanges.values()])}${exchangeDetails(exchange, { places: marked, excerpt: true })}` : markup`<p class="note">Exchange ${first.exchange}.</p>`}${more.length > 0 ? moreOfKind(first, more) : ""}</div>
`;
}

function moreOfKind(first: Finding, more: readonly Finding[]): Markup {
  const others = new Set(more.map((finding) => finding.exchange));
  others.delete(first.exchange);
  const omittedCount = more.length - maxListed;
  const alike = [...Map.groupBy(more.slice(0, maxListed), seenText)];
  const rows = alike.map(([text, group]) => {
    const exchanges = idLinks(
      "exchange",
      group.map((finding) => finding.exchange),
    );
    return markup`<li>${text === seenText(first) ? "The same" : markup`<code>${text}</code>`} in ${exchanges}</li>
`;
  });
  return markup`<details class="nested"><summary>${moreLabel(more.length, others.size)}</summary>
<ul class="more">${rows}</ul>${omittedCount > 0 ? markup`<p class="note">${omittedCount} more are in report.json.</p>` : ""}</details>
`;
}

function seenText({ where, received }: Finding): string {
  return `${where}: ${received}`;
}

function moreLabel(findings: number, exchanges: number): string {
  if (exchanges === 0) return `and ${findings} more in the same exchange`;
  if (exchanges === findings) return `and ${findings} more ${findings === 1 ? "exchange" : "exchanges"}`;
  return `and ${findings} more of this kind, in this and ${formatCount(exchanges, "more exchange")}`;
}

/** Returns the exchanges of a check that could not be judged: those without a response, or else the first one. */
function erroredExchanges(check: CheckResult, lookup: Lookup): Markup {
  const all = check.exchanges.flatMap((id) => lookup.exchanges.get(id) ?? []);
  const silent = all.filter((exchange) => exchange.response === null);
  const [first] = silent.length > 0 ? silent : all;
  if (!first) return markup``;
  const others = all.filter((exchange) => exchange !== first);
  const links =
    others.length > 0
      ? markup`<p class="note">It also applies to ${others.map((exchange) => markup`${idLink("exchange", exchange.id)} `)}</p>`
      : "";
  return markup`${reproductionBox(first, [...lookup.exchanges.values()])}${exchangeDetails(first, { places: [], excerpt: true })}${links}`;
}
