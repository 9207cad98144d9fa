import { createHash } from "node:crypto";
import type {
  Invocation,
  Location,
  Log,
  LogicalLocation,
  Notification,
  ReportingDescriptor,
  Result,
  WebRequest,
  WebResponse,
} from "sarif";
import type { Finding } from "../checks/check.ts";
import type { CheckResult, RecordedExchange, Report, RequirementResult } from "./report.ts";
import { makeReproduction } from "./shell/curl.ts";
import { requirementPage } from "./docs-page.ts";
import { describeExpected } from "./findings-text.ts";
import { shownJson, visibleText } from "./visible-text.ts";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** File of the locations of results. A server has no file, so they point to the contract that it violates. */
const contractFile = "spec/openapi.yaml";

/** Maximum length of a target's text in a message, in UTF-16 units. */
const valueLimit = 300;

/** Maximum number of exchanges that a result names. */
const exchangeLimit = 20;

/**
 * Renders a report as SARIF 2.1.0, for code scanning.
 *
 * Rules are the requirements that have checks. A result is a requirement that a check found violated: `error` when it is
 * stated, `warning` when it is assumed, suppressed when the failure is expected. Its fingerprint is made of the ids of both,
 * so that a finding stays the same alert from run to run. Checks that pass or are skipped are no results, because services
 * show every result as an alert: what could not be judged, what was skipped, and expected failures that need attention, are
 * notifications.
 *
 * @param contractLines - Line of the contract for each requirement; the first line for one that is not there.
 */
export function renderSarif(report: Report, contractLines: ReadonlyMap<string, number> = new Map()): string {
  const { suite, target, run, summary, verdict, sentence } = report;
  const rules = report.requirements.filter(({ checks }) => checks.length > 0).map((row) => makeRule(row, report));
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const failed = report.checks.filter(({ status }) => status === "fail");
  const log: Log = {
    $schema: schema,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: suite.name,
            version: suite.version,
            fullName: `${suite.name} ${suite.version}`,
            shortDescription: {
              text: "Judges any server against the cloud browser interface, requirement by requirement.",
            },
            rules,
          },
        },
        automationDetails: { id: `conformance/${target.name}/` },
        invocations: [makeInvocation(report)],
        artifacts: [
          {
            location: { uri: contractFile },
            description: { text: `The contract of the interface, version ${suite.contract}.` },
          },
        ],
        logicalLocations: logicalLocations(failed),
        results: failed.flatMap((check) => collectResults(check, report, indexes, contractLines)),
        columnKind: "utf16CodeUnits",
        properties: {
          verdict,
          sentence: sentence,
          target: target.name,
          kind: target.kind,
          contract: suite.contract,
          profile: run.profile,
          seed: run.seed,
          checks: summary.checks,
          requirements: summary.requirements,
        },
      },
    ],
  };
  return `${shownJson(log)}\n`;
}

const ruleLevels = { stated: "error", assumed: "warning" } as const;

function makeRule(row: RequirementResult, report: Report): ReportingDescriptor {
  const { id, text, section, operation, level, checks } = row;
  const page = requirementPage(id, report);
  const says = level === "stated" ? "The interface states it" : "The interface does not state it; the suite infers it";
  const rest = `${says}, in its section “${section}”. Checks: ${checks.join(", ")}.`;
  return {
    id,
    shortDescription: { text: plain(text) },
    fullDescription: { text: plain(text) },
    help: { text: plain(`${text}\n\n${rest}`), markdown: plain(`**${id}**\n\n${text}\n\n${rest}`) },
    ...(page === undefined ? {} : { helpUri: page }),
    defaultConfiguration: { level: ruleLevels[level] },
    properties: { tags: ["conformance", level, operation], section, level, operation },
  };
}

function makeInvocation(report: Report): Invocation {
  const start = Date.parse(report.startedAt) || 0;
  return {
    executionSuccessful: report.verdict !== "unfinished",
    startTimeUtc: new Date(start).toISOString(),
    endTimeUtc: new Date(start + report.durationMs).toISOString(),
    exitCode: report.exitCode,
    exitCodeDescription: report.sentence,
    toolExecutionNotifications: [...notJudged(report, "error"), ...notJudged(report, "skip")],
    toolConfigurationNotifications: report.expectationProblems.map(({ kind, sentence }) => ({
      level: "error",
      message: { text: plain(sentence) },
      descriptor: { id: `expected-failures/${kind}` },
    })),
  };
}

/** Makes one notification for each reason. */
function notJudged({ checks }: Report, status: "error" | "skip"): Notification[] {
  const concerned = checks.filter((check) => check.status === status);
  return [...Map.groupBy(concerned, ({ reason = "The reason is not known." }) => reason)].map(([reason, group]) => ({
    level: status === "error" ? "error" : "note",
    message: { text: plain(reason) },
    descriptor: { id: status === "error" ? "could-not-be-judged" : "not-judged" },
    properties: { checks: group.map(({ id }) => id) },
  }));
}

/** Returns the operations first, then the checks under them. */
function logicalLocations(checks: readonly CheckResult[]): LogicalLocation[] {
  const operations = [...new Set(checks.map(({ operation }) => operation))];
  return [
    ...operations.map((name) => ({ name, fullyQualifiedName: name, kind: "resource" })),
    ...checks.map((check) => ({ ...logicalLocation(check), parentIndex: operations.indexOf(check.operation) })),
  ];
}

function logicalLocation({ id, operation }: CheckResult): LogicalLocation {
  const name = id;
  return { name, fullyQualifiedName: `${operation}/${name}`, kind: "member" };
}

function collectResults(
  check: CheckResult,
  report: Report,
  indexes: ReadonlyMap<string, number>,
  lines: ReadonlyMap<string, number>,
): Result[] {
  const groups = Map.groupBy(check.findings, ({ requirement }) => requirement);
  return [...groups].flatMap(([requirement, findings]) => {
    const [first] = findings;
    if (!first) return [];
    const result = makeResult(check, first, report);
    const ruleIndex = indexes.get(requirement);
    if (ruleIndex !== undefined) result.ruleIndex = ruleIndex;
    result.locations = [makeLocation(check, lines.get(requirement) ?? 1)];
    result.occurrenceCount = findings.length;
    result.properties = { ...result.properties, exchanges: collectExchanges(findings) };
    return [result];
  });
}

function collectExchanges(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map((finding) => finding.exchange))].slice(0, exchangeLimit);
}

/** Returns the result for the first finding of a check on one requirement. */
function makeResult(check: CheckResult, first: Finding, report: Report): Result {
  const exchange = report.exchanges.find(({ id }) => id === first.exchange);
  return {
    ruleId: first.requirement,
    kind: "fail",
    level: ruleLevels[check.level],
    message: { text: formatMessage(check, first) },
    partialFingerprints: fingerprints(check.id, first.requirement),
    suppressions: listSuppressions(check),
    ...(exchange ? { webRequest: webRequest(exchange), ...makeResponse(exchange) } : {}),
    properties: {
      check: check.id,
      where: cut(first.where),
      expected: cut(first.expected),
      received: cut(first.received),
      ...(exchange ? { reproduce: makeReproduction(exchange, report.exchanges).command } : {}),
    },
  };
}

function formatMessage({ id }: CheckResult, { where, expected, received }: Finding): string {
  return plain(`${cut(where)}: expected ${cut(expected)}, received ${cut(received)}\n\nCheck ${id}.`);
}

function makeLocation(check: CheckResult, startLine: number): Location {
  return {
    physicalLocation: { artifactLocation: { uri: contractFile, index: 0 }, region: { startLine } },
    logicalLocations: [logicalLocation(check)],
  };
}

/** Returns the fingerprints of a result. Without `primaryLocationLineHash`, GitHub would derive one from the line in the contract. */
function fingerprints(check: string, requirement: string): Record<string, string> {
  const hash = createHash("sha256").update(`${check}\n${requirement}`).digest("hex").slice(0, 32);
  return { primaryLocationLineHash: `${hash}:1`, "checkAndRequirement/v1": hash };
}

/** Returns the suppressions of a result. When one result has the list, all must have it; an empty one means not suppressed. */
function listSuppressions(check: CheckResult): NonNullable<Result["suppressions"]> {
  if (!check.expected) return [];
  return [{ kind: "external", status: "accepted", justification: plain(`expected ${describeExpected(check)}`) }];
}

function webRequest({ request }: RecordedExchange): WebRequest {
  return {
    protocol: "HTTP",
    version: "1.1",
    method: request.method,
    target: request.url,
    headers: combineHeaders(request.headers),
    ...(request.body === null ? {} : { body: { text: request.body } }),
  };
}

function makeResponse({ response }: RecordedExchange): { webResponse: WebResponse } {
  if (!response) return { webResponse: { noResponseReceived: true } };
  const { status, headers, body } = response;
  return { webResponse: { statusCode: status, headers: combineHeaders(headers), body: { text: body } } };
}

/** Combines header fields of the same name, as HTTP does. */
function combineHeaders(headers: readonly (readonly [string, string])[]): Record<string, string> {
  const groups = Map.groupBy(headers, ([name]) => visibleText(name));
  return Object.fromEntries([...groups].map(([name, fields]) => [name, fields.map(([, value]) => value).join(", ")]));
}

function cut(text: string): string {
  return text.length > valueLimit ? `${text.slice(0, valueLimit)}…` : text;
}

/** Escapes a text, so that viewers make no links of `[text](address)`. */
function plain(text: string): string {
  return text.replaceAll("](", "]‹›(");
}
