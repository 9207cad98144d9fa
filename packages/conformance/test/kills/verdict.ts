/** Result of a run of the suite on a fault, as plain values that can be sent between threads. */
import type { Report } from "../../src/report/report.ts";
import { runSuite } from "../targets/run-suite.ts";
import { faultyService } from "./fault-server.ts";
import type { Fault } from "./product.ts";
import { tryService } from "./trial.ts";

/** One fault, and what is found. */
export interface Verdict {
  /** Number of responses that showed the fault. */
  readonly shown: number;
  /** Checks that name the requirement that is broken. */
  readonly by: readonly string[];
  /** Every requirement that is named. */
  readonly requirements: readonly string[];
  /** Other requirements that are named. */
  readonly others: readonly string[];
  /** The number of the first request that shows something; 0 for none. */
  readonly request: number;
  /** Number of requests sent. */
  readonly requests: number;
}

function sumUp(report: Report, { breaker }: Fault, shown: number): Verdict {
  const isNamed = (requirement: string): boolean =>
    requirement === breaker.requirement || breaker.also?.test(requirement) === true;
  const findings = report.checks.flatMap((check) => check.findings.map((finding) => ({ ...finding, check: check.id })));
  const numbers = new Map(report.exchanges.map(({ id }, at) => [id, at + 1]));
  const places = findings.map(({ exchange }) => numbers.get(exchange) ?? 0);
  return {
    shown,
    by: [...new Set(findings.filter(({ requirement }) => isNamed(requirement)).map(({ check }) => check))],
    requirements: [...new Set(findings.map(({ requirement }) => requirement))],
    others: [
      ...new Set(findings.map(({ requirement }) => requirement).filter((requirements) => !isNamed(requirements))),
    ],
    request: places.length === 0 ? 0 : Math.min(...places),
    requests: report.summary.exchanges,
  };
}

/** Judges a server with the fault; nothing goes over a socket. */
export async function verdictOn(fault: Fault): Promise<Verdict> {
  const { service, showings: shown } = faultyService(fault.breaker, fault.circumstance, fault.times);
  const report = await tryService(service, fault.circumstance);
  return sumUp(report, fault, shown());
}

/** Judges the same server on a socket of its own. */
export async function verdictOverSocket(fault: Fault): Promise<Verdict> {
  const { service, showings: shown } = faultyService(fault.breaker, fault.circumstance, fault.times);
  const report = await runSuite(service, { maxRuns: fault.circumstance.maxRuns ?? 1 });
  return sumUp(report, fault, shown());
}
