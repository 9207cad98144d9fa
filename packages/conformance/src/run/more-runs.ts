import { applicableExchanges, type SuiteCheck } from "../checks/check.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Probe, SendMore } from "../http/probe.ts";
import { planStart } from "../http/request-plan.ts";
import type { Target } from "../target/target.ts";

/** Id of the run that has to succeed before others are worth their cost. */
const firstRun = "automation/run";

/** Tasks that need no page, each of which may lead to other events than the one that is given. */
const otherTasks: readonly string[] = [
  "Open about:blank and tell what its title is.",
  "Build a function that opens about:blank and returns its address.",
  "Åpne about:blank – 空のページを開く 🛳️\nand finish.",
  "Open about:blank twice, one after the other, and finish.",
];

function automationProbe(name: string, body: object, more: Partial<Probe> = {}): Probe {
  return {
    id: `automation/${name}`,
    operation: "automation_start",
    needs: ["automation-runs"],
    expects: "success",
    startsRun: true,
    request: () => planStart({ body: JSON.stringify(body) }),
    ...more,
  };
}

/** State of a run whose planned requests have been sent. */
export interface Continuable {
  /** The exchanges, by the ids of their probes. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** The selected checks. */
  readonly checks: readonly SuiteCheck[];
  /** The implementation under test. */
  readonly target: Target;
}

/**
 * Starts further automation runs as long as the budget allows, and a check can learn from one: the first goes over a connection that was
 * used before; then other tasks are used while a selected check of runs has had nothing to judge in any of them. Stops at a run that is not
 * answered with 200. Starts none for a mock, nor before a first run was answered with 200.
 */
export async function startMoreRuns({ exchanges, checks, target }: Continuable, sendMore: SendMore): Promise<void> {
  const ofRuns = checks.filter(({ probes }) => probes.includes(firstRun));
  if (target.kind !== "live" || ofRuns.length === 0 || !succeeded(exchanges.get(firstRun))) return;
  const { query } = target;
  const before = automationProbe(
    "without-query-before-run",
    {},
    { expects: "refusal", startsRun: false, connection: "kept" },
  );
  const keptRun = automationProbe("run-on-kept-connection", { query }, { connection: "kept" });
  if (!succeeded(await sendAfter(before, keptRun, sendMore))) return;
  for (let count = 0; count < maxMore && canLearn(ofRuns, { exchanges, target }); count += 1) {
    const task = otherTasks[count % otherTasks.length] ?? query;
    if (!succeeded(await sendMore(automationProbe(`run-more-${count + 1}`, { query: task })))) return;
  }
}

/** Maximum number of further runs, for a budget without a meaningful limit. */
const maxMore = 50;

const succeeded = (exchange: Exchange | undefined): boolean => exchange?.response?.status === 200;

/** Sends a request that opens the connection, and the run that goes over it. */
async function sendAfter(before: Probe, run: Probe, sendMore: SendMore): Promise<Exchange | undefined> {
  return (await sendMore(before)) && (await sendMore(run));
}

/** Returns whether a check has had nothing to judge in any exchange that it is about. */
function canLearn(
  checks: readonly SuiteCheck[],
  { exchanges, target }: Pick<Continuable, "exchanges" | "target">,
): boolean {
  return checks.some((check) =>
    applicableExchanges(check, exchanges.values()).every((exchange) => {
      const { assertions, error } = check.judge(exchange, target, exchanges);
      return assertions === 0 && error === undefined;
    }),
  );
}
