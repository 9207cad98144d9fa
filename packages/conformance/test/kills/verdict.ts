/** Result of a run of the suite on a fault, as plain values that can be sent between threads. */
import type { Report } from "../../src/report/report.ts";
import type { Fault } from "../targets/fault.ts";
import { makeFaultyService } from "../targets/faulty-service.ts";
import { runSuite } from "../targets/run-suite.ts";
import type { ProductFault } from "./product.ts";
import { judgeParts } from "./trial.ts";

/** One fault, and what is found. */
export interface Verdict {
  /** Number of responses that showed the fault. */
  readonly showings: number;
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

function sumUp(report: Report, { requirement, also }: Fault, showings: number): Verdict {
  const isNamed = (name: string): boolean => name === requirement || also?.test(name) === true;
  const findings = report.checks.flatMap((check) => check.findings.map((finding) => ({ ...finding, check: check.id })));
  const numbers = new Map(report.exchanges.map(({ id }, at) => [id, at + 1]));
  const places = findings.map(({ exchange }) => numbers.get(exchange) ?? 0);
  const requirements = [...new Set(findings.map((finding) => finding.requirement))];
  return {
    showings,
    by: [...new Set(findings.filter((finding) => isNamed(finding.requirement)).map(({ check }) => check))],
    requirements,
    others: requirements.filter((name) => !isNamed(name)),
    request: places.length === 0 ? 0 : Math.min(...places),
    requests: report.summary.exchanges,
  };
}

/**
 * Judges a server with a fault.
 *
 * @param onSocket - True to judge it on a socket of its own. Default: where nothing else can show its answers.
 */
export async function judgeFault(fault: Fault, onSocket = false): Promise<Verdict> {
  const { service, showings } = makeFaultyService(fault);
  const report = await (onSocket ? runSuite : judgeParts)(service, fault);
  return sumUp(report, fault, showings());
}

/** Judges a server with a fault of the product. */
export async function judgeProductFault(
  { breaker, circumstance, times }: ProductFault,
  onSocket = false,
): Promise<Verdict> {
  const { service, showings } = makeFaultyService(breaker, circumstance, times);
  const setting = { maxRuns: circumstance.maxRuns ?? 1 };
  const report = await (onSocket ? runSuite : judgeParts)(service, setting);
  return sumUp(report, breaker, showings());
}
