import type { Model } from "@cloud-browser/page-content";
import type { FunctionRecord } from "./function-record.ts";
import { defaultAgentLimits } from "../agent/agent-limits.ts";
import { CostLedger } from "../agent/cost-ledger.ts";
import { healStep } from "../agent/heal-step.ts";
import { meterModel } from "../agent/metered-model.ts";
import { CredentialRequests, isFieldFor } from "../person/credential-requests.ts";
import { redactError, Secrets } from "../task/redaction.ts";
import { AutomationError, StepError, makePagesClosedError } from "../automation-error.ts";
import { performStep } from "../steps/perform-step.ts";
import { StepResults } from "../steps/step-results.ts";
import { describeStep } from "../steps/step-name.ts";
import type { Step, StepResult } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { chooseToolName } from "../task/tool-name.ts";
import type { Work, Worker, Workplace } from "../task/work.ts";
import { relocateTargets } from "./relocate-targets.ts";
import { usesSameVariables, findStepTarget } from "../generalization/step-targets.ts";
import { completeValues, fillInStepUrl } from "./variable-values.ts";

/** Options of a function run. */
export interface FunctionWorkerOptions {
  /** Heals steps whose elements are no longer found, and extracts data from text. Default: none. */
  readonly model?: Model | undefined;
  /** Stores the function. Called once, and awaited, after a successful run in which steps were healed. */
  readonly keep: (healed: FunctionRecord) => unknown;
}

/** Longest `tool_result`, in characters. */
const maxResultCharacters = 2_000;

/**
 * Runs a function: performs its steps with values for its variables. Costs nothing without a model. Create one for each run.
 *
 * @example
 * ```ts from=examples/api/automation/function-worker.ts
 * import { FunctionWorker, type Workplace } from "@cloud-browser/automation";
 * import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * await (await context.newPage()).setContent("<label>Name <input></label>");
 * const workplace: Workplace = {
 *   activePage: new ActivePage(context),
 *   emit: async () => undefined,
 *   onAction: () => undefined,
 *   checkUrl: async () => undefined,
 *   signal: AbortSignal.timeout(60_000),
 * };
 * const record = {
 *   function_id: crypto.randomUUID(),
 *   function_name: "fill_name",
 *   created_at: new Date().toISOString(),
 *   query: 'Fill "Name" with "Ada".',
 *   steps: [{ action: "fill" as const, target: { selectors: ["input"], label: "Name" }, value: "{{name}}" }],
 *   variables: [{ name: "name", value: "Ada" }],
 * };
 * const worker = new FunctionWorker(record, { name: "Grace" }, { model: undefined, keep: () => undefined });
 * await worker.work(record.query, workplace);
 * console.log(await workplace.activePage.current?.getByLabel("Name").inputValue()); // Grace
 * await pool.close();
 * ```
 */
export class FunctionWorker implements Worker {
  readonly #record: FunctionRecord;
  readonly #values: Readonly<Record<string, string>>;
  readonly #options: FunctionWorkerOptions;
  readonly #ledger: CostLedger | undefined;

  /** @param values - Values by variable name. Default: the values of the task that was recorded. */
  constructor(record: FunctionRecord, values: Readonly<Record<string, string>>, options: FunctionWorkerOptions) {
    this.#record = record;
    this.#values = values;
    this.#options = options;
    this.#ledger = options.model && new CostLedger(options.model.prices, defaultAgentLimits.budgetUsd);
  }

  cost(): string {
    return this.#ledger?.spentUsd ?? "0";
  }

  async work(_task: string, workplace: Workplace): Promise<Work> {
    const record = this.#record;
    const values = completeValues(record, this.#values);
    const secrets = collectSecrets(record, values);
    const known: FunctionValues = { values, secrets };
    const steps: Step[] = [];
    const results = new StepResults(secrets);
    const requests = new CredentialRequests(
      (credential) => record.steps.some((step) => step.action === "fill" && isFieldFor(credential, step.target.label)),
      workplace,
    );
    for (const step of record.steps) {
      await workplace.emit({ type: "tool_start", name: chooseToolName(step) });
      const performed = requests.performWithHelp({
        reads: step.action === "extract",
        perform: (onAction) => this.#perform(step, known, { ...workplace, onAction }),
        describe: () => secrets.redact(describeStep(step, values)),
      });
      const done = await performed.catch((error: unknown) => {
        throw redactError(error, secrets);
      });
      if (!done) {
        await workplace.emit({ type: "tool_result", content: "A person has completed this step." });
        steps.push(step);
        continue;
      }
      steps.push(usesSameVariables(step, done.step) ? done.step : step);
      results.add(done.result);
      await workplace.emit({
        type: "tool_result",
        content: secrets.redact(done.result.summary).slice(0, maxResultCharacters),
      });
    }
    const context = { ...workplace, variables: values };
    const work = await results.finish(steps.length, requests.notes, context, workplace.emit);
    if (steps.some((step, index) => step !== record.steps[index])) await this.#options.keep({ ...record, steps });
    return { ...work, steps, variables: record.variables, name: record.function_name, task: record.query };
  }

  /** Performs a step; returns it with the targets that were found. */
  async #perform(step: Step, { values, secrets }: FunctionValues, workplace: Workplace): Promise<PerformedStep> {
    const { activePage, signal } = workplace;
    const page = activePage.current;
    if (!page) throw makePagesClosedError();
    const relocated = await relocateTargets(page, step, values, signal).catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (activePage.current === undefined) throw makePagesClosedError({ cause: error });
      if (!(error instanceof AutomationError) || error.code !== "step_failed") throw error;
      const healed = await this.#heal(step, { values, secrets }, workplace);
      if (!healed) throw new StepError(this.#describeFailure(step, values, error.message), { cause: error });
      return {
        step: healed,
        foundAs: [`${fillIn(findStepTarget(healed)?.label ?? "another part", values)}, by the model`],
      };
    });
    const result = await this.#performOn(relocated.step, values, workplace);
    const notes = relocated.foundAs.map((found) => ` The page has changed: found as ${found}.`);
    return { step: relocated.step, result: { ...result, summary: result.summary + notes.join("") } };
  }

  async #performOn(step: Step, values: ReadonlyMap<string, string>, workplace: Workplace): Promise<StepResult> {
    const { model } = this.#options;
    return performStep(fillInStepUrl(step, values), {
      ...workplace,
      variables: values,
      ...(model && this.#ledger ? { model: meterModel(model, this.#ledger) } : {}),
    });
  }

  /** Heals a step by one call of the model, if one is configured. */
  async #heal(
    step: Step,
    { values: variables, secrets }: FunctionValues,
    { activePage, signal }: Workplace,
  ): Promise<Step | undefined> {
    const { model } = this.#options;
    const page = activePage.current;
    if (!model || !this.#ledger || !page) return undefined;
    return healStep({ step, variables, secrets, page, model, ledger: this.#ledger, signal });
  }

  #describeFailure(step: Step, values: ReadonlyMap<string, string>, why: string): string {
    const advice = this.#options.model
      ? "the model found no matching element"
      : "with a model configured, such steps are healed";
    return `the step "${describeStep(step, values)}" does not fit the page any more: ${why}; ${advice}`;
  }
}

/** Values of the variables, and the secrets among them. */
interface FunctionValues {
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: Secrets;
}

interface PerformedStep {
  readonly step: Step;
  readonly result: StepResult;
}

function collectSecrets({ variables }: FunctionRecord, values: ReadonlyMap<string, string>): Secrets {
  const secrets = new Secrets("");
  for (const { name, value } of variables) {
    const secret = value === null ? values.get(name) : undefined;
    if (secret) secrets.add(secret);
  }
  return secrets;
}
