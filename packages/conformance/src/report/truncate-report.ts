import type { CheckResult, RecordedExchange, Report } from "./report.ts";

/** Lengths to which each string of a target is cut, one attempt after the other, in UTF-16 units. */
const lengths: readonly number[] = [4_096, 1_024, 256, 64];

/** Maximum numbers of headers and findings once a report has to be truncated. */
const headerLimit = 40;
const findingLimit = 50;

/** Renders a report within a maximum size: bodies, headers and findings are truncated. Results and requests are kept. */
export function renderTruncated(report: Report, most: number, render: (report: Report) => string): string {
  const bodies = report.exchanges.reduce((sum, { response }) => sum + (response?.body.length ?? 0), 0);
  let text: string | undefined = bodies > most / 2 ? undefined : render(report);
  for (const length of lengths) {
    if (text !== undefined && Buffer.byteLength(text) <= most) return text;
    text = render(shortened(report, length));
  }
  return text ?? render(report);
}

function shortened(report: Report, length: number): Report {
  const exchanges = report.exchanges.map((exchange) => shorterExchange(exchange, length));
  return { ...report, exchanges, checks: report.checks.map((check) => shorterCheck(check, length)) };
}

function shorterExchange(exchange: RecordedExchange, length: number): RecordedExchange {
  const { response } = exchange;
  if (!response) return exchange;
  const { arrivals: _, ...chunks } = response.chunks;
  const headers = response.headers
    .slice(0, headerLimit)
    .map(([name, value]): [string, string] => [name.slice(0, length), value.slice(0, length)]);
  const headersLeftOut = (response.headersLeftOut ?? 0) + response.headers.length - headers.length;
  return {
    ...exchange,
    response: {
      ...response,
      headers,
      ...(headersLeftOut > 0 ? { headersLeftOut } : {}),
      body: response.body.slice(0, length),
      truncated: response.truncated || response.body.length > length,
      chunks,
    },
  };
}

function shorterCheck(check: CheckResult, length: number): CheckResult {
  const findings = check.findings
    .slice(0, findingLimit)
    .map((finding) => Object.assign({}, finding, { received: finding.received.slice(0, length) }));
  const findingsLeftOut = (check.findingsLeftOut ?? 0) + check.findings.length - findings.length;
  return { ...check, findings, ...(findingsLeftOut > 0 ? { findingsLeftOut } : {}) };
}
