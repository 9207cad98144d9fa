import { AutomationError } from "../automation-error.ts";
import { CredentialRequests, isFieldFor } from "../person/credential-requests.ts";
import { redactError } from "../task/redaction.ts";
import { generalize } from "../generalization/generalize.ts";
import { performStep, type StepContext } from "../steps/perform-step.ts";
import { StepResults } from "../steps/step-results.ts";
import { toSnakeCase } from "../task/names.ts";
import type { Step } from "../task/step.ts";
import { chooseToolName } from "../task/tool-name.ts";
import type { Work, Worker, Workplace } from "../task/work.ts";
import type { Instruction } from "./instruction.ts";
import { planSteps, type PlanContext } from "./plan-step.ts";
import { readTask, type PlannedClause } from "./read-task.ts";
import { TaskVariables } from "./task-variables.ts";

/**
 * Works on tasks that are written as plain step-by-step instructions. Needs no model, and costs nothing.
 *
 * @example
 * ```ts from=examples/api/automation/planner.ts
 * import { Planner, type Workplace } from "@cloud-browser/automation";
 * import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const page = await context.newPage();
 * await page.setContent(`<label>Name <input></label><button onclick="document.title = 'Hello'">Greet</button>`);
 *
 * const workplace: Workplace = {
 *   activePage: new ActivePage(context),
 *   emit: async () => undefined, // receives the events of the run
 *   onAction: () => undefined,
 *   checkUrl: async () => undefined, // rejects to refuse an address
 *   signal: AbortSignal.timeout(60_000),
 * };
 * const { steps, variables } = await new Planner().work('Fill "Name" with "Ada", then click "Greet".', workplace);
 * console.log(steps.map(({ action }) => action).join(", "), variables.length); // fill, click 1
 * console.log(await page.title()); // Hello
 * await pool.close();
 * ```
 */
export class Planner implements Worker {
  cost(): string {
    return "0";
  }

  async work(task: string, workplace: Workplace): Promise<Work> {
    const { activePage, emit, signal, untilMayAct } = workplace;
    const plan = readTask(task);
    const requests = new CredentialRequests((credential) => {
      return plan.some(({ instruction }) => {
        if (instruction.verb === "log-in") return credential === "login";
        return instruction.verb === "fill" && isFieldFor(credential, instruction.field);
      });
    }, workplace);
    await emit({
      type: "thinking_delta",
      delta: `${plan.map(({ clause }, index) => `${index + 1}. ${clause}`).join("\n")}\n`,
    });
    const variables = new TaskVariables();
    const { secrets } = variables;
    const context: StepContext = { ...workplace, variables: variables.values, allowSimilar: false };
    const steps: Step[] = [];
    const results = new StepResults(secrets);
    const filled: PlanContext["filled"] = { last: undefined };
    const carryOut = async (instruction: Instruction, onAction: () => void): Promise<void> => {
      const page = activePage.current;
      if (!page) throw new AutomationError("session_lost", "the session has no page; all pages were closed");
      for await (const step of planSteps(instruction, { page, variables, filled, signal })) {
        await emit({ type: "tool_start", name: chooseToolName(step) });
        const result = await performStep(step, { ...context, onAction });
        results.add(result);
        steps.push(step);
        await emit({ type: "tool_result", content: secrets.redact(result.summary) });
        await untilMayAct?.();
      }
    };
    for (const { instruction, clause } of plan) {
      const carriedOut = requests.performWithHelp({
        reads: instruction.verb.startsWith("extract"),
        perform: (onAction) => carryOut(instruction, onAction),
        describe: (error) => secrets.redact(error instanceof Error ? `${clause} (${error.message})` : clause),
      });
      await carriedOut.catch((error: unknown) => {
        throw redactError(error, secrets);
      });
    }
    return {
      ...(await results.finish(steps.length, requests.notes, context, emit)),
      ...generalize(steps, variables.all, task),
      name: getName(plan),
      task: variables.hideSecrets(task),
    };
  }
}

/** Returns a name of a few words for a plan. */
function getName(plan: readonly PlannedClause[]): string {
  const telling = plan.findLast(({ instruction }) => instruction.verb.startsWith("extract")) ?? plan.at(-1);
  return (
    toSnakeCase(telling?.clause ?? "task")
      .split("_")
      .slice(0, 6)
      .join("_")
      .slice(0, 60) || "task"
  );
}
