import type { Level } from "../contract/requirements.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Operation } from "../contract/contract.ts";
import type { Capability, Target } from "../target/target.ts";

/** A violation of a requirement. */
export interface Finding {
  /** The requirement that is not met. */
  readonly requirement: string;
  /** Part of the exchange that is at fault: `status`, `header content-type`, `body /images/0/url`, `event 3 (line 5) /delta`. */
  readonly where: string;
  /** The value that the interface asks for, in words. */
  readonly expected: string;
  /** Received value. A check gives it whole, so that secrets in it are recognized; a report has it redacted, then shortened. */
  readonly received: string;
  /** The exchange that shows it. */
  readonly exchange: string;
}

/** A violation as a judge states it. */
export interface Violation extends Omit<Finding, "requirement" | "exchange"> {
  /** The requirement that is not met. Default: the first one of the check. */
  readonly requirement?: string | undefined;
}

/** Result of judging one exchange. */
export interface Judgement {
  /** Number of things that could be judged. With 0 the exchange shows nothing: never a pass. */
  readonly assertions: number;
  /** With `assertions: 0`: the reason why there was nothing to judge. */
  readonly reason?: string;
  /** True when the check is not about the exchange, so that the reason given for another exchange is more useful. Default: false. */
  readonly isBeside?: true;
  /** All violations, not only the first one. */
  readonly findings: readonly Violation[];
  /** Reason why the exchange could not be judged although it should have been: the suite's or the setup's fault, not the target's. */
  readonly error?: string;
}

/** The exchanges of a run, by the ids of their probes; undefined where a judge sees one exchange alone. */
export type Exchanges = ReadonlyMap<string, Exchange> | undefined;

/** A named verdict on requirements: the exchanges that it applies to, and the judge. */
export interface Check {
  /** `<operation word>/<what holds>`, kebab-case, never renamed. */
  readonly id: string;
  /** The behaviour that a pass proves: a sentence for people. */
  readonly title: string;
  /** Ids of the requirements that it judges; a finding names one of them. */
  readonly requirements: readonly string[];
  /** Operation that it is about. Default: that of its first requirement. */
  readonly operation?: Operation;
  /** Ids of the probes that are sent for it. */
  readonly probes: readonly string[];
  /** Ids of the probes, beside its own, whose exchanges its judge looks up in a run; they are sent for it, too. Default: none. */
  readonly consults?: readonly string[];
  /** Returns whether it judges an exchange of any probe. Default: only the exchanges of its own probes. */
  readonly appliesTo?: (exchange: Exchange) => boolean;
  /** True when it also judges the status of valid requests that are generated during the run, and that no check names. Default: false. */
  readonly coversUnplanned?: true;
  /** Capabilities that the target needs beyond those of the check's probes. Default: none. */
  readonly needs?: readonly Capability[];
  /**
   * Judges one exchange; sends nothing, and throws nothing.
   *
   * `run` holds the other exchanges of the run, by the ids of their probes: for the few judges that have to know whether the same fault
   * shows without the circumstances that they are about. Default: none.
   */
  readonly judge: (exchange: Exchange, target: Target, run?: Exchanges) => Judgement;
}

/** A check of the suite, completed by its first requirement and by defaults. */
export interface SuiteCheck extends Check {
  /** `stated` decides the verdict, `assumed` only warns. */
  readonly level: Level;
  /** Operation that it is about. */
  readonly operation: Operation;
  /** Capabilities that the target needs beyond those of the check's probes. */
  readonly needs: readonly Capability[];
}

/** Returns the ids of the probes that are sent for a check: those that it judges, and those that it consults. */
export const sentFor = ({ probes, consults = [] }: Check): readonly string[] => [...probes, ...consults];

/** Returns the exchanges of a run that a check judges: those of its probes, and all others that it applies to. */
export function applicableExchanges(check: Check, exchanges: Iterable<Exchange>): Exchange[] {
  const own = new Set(check.probes);
  const { appliesTo } = check;
  const all = [...exchanges];
  if (!appliesTo) return all.filter(({ id }) => own.has(id));
  return all.filter((exchange) => own.has(exchange.id) || appliesTo(exchange));
}

/** Returns the findings of a check about one exchange. */
export function listFindings(
  { requirements }: Check,
  { findings }: Judgement,
  { id }: Pick<Exchange, "id">,
): Finding[] {
  const [first = ""] = requirements;
  return findings.map(({ requirement = first, where, expected, received }) => {
    return { requirement, where, expected, received, exchange: id };
  });
}

/** Returns the judgement of an exchange that shows nothing for this check. */
export function nothingSeen(reason: string): Judgement {
  return { assertions: 0, findings: [], reason };
}

/** Returns the judgement of an exchange that the check is not about, such as a refusal for a check of streams. */
export function notAbout(reason: string): Judgement {
  return { ...nothingSeen(reason), isBeside: true };
}

/** Returns the judgement of an exchange that can't be judged, for a reason that is not known to be the target's fault. */
export function inError(reason: string): Judgement {
  return { assertions: 0, findings: [], error: reason };
}

/**
 * Returns the judgement on one thing: it holds, or the finding applies.
 *
 * @param finding - Finding, or a function that makes it where that is expensive; called only when the thing does not hold.
 */
export function verdict(holds: boolean, finding: Violation | (() => Violation)): Judgement {
  if (holds) return { assertions: 1, findings: [] };
  return { assertions: 1, findings: [typeof finding === "function" ? finding() : finding] };
}

/** Returns the judgement on a status: it is as expected, or a finding has the received one. */
export function judgeStatus(holds: boolean, expected: string, status: unknown, requirement?: string): Judgement {
  return verdict(holds, { requirement, where: "status", expected, received: String(status) });
}

/** Combines the judgements on parts of one exchange. */
export function combine(parts: readonly Judgement[], reason: string): Judgement {
  const assertions = parts.reduce((sum, part) => sum + part.assertions, 0);
  const error = parts.find((part) => part.error)?.error;
  if (assertions === 0 && error === undefined) return nothingSeen(reason);
  return { assertions, findings: parts.flatMap((part) => part.findings), ...(error === undefined ? {} : { error }) };
}
