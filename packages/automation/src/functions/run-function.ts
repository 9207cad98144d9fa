import type { Model } from "@cloud-browser/page-content";
import type { FunctionRecord } from "./function-record.ts";
import { defaultAgentLimits } from "../agent/agent-limits.ts";
import { CostLedger } from "../agent/cost-ledger.ts";
import { healStep } from "../agent/heal-step.ts";
import { meteredModel } from "../agent/metered-model.ts";
import { hiddenIn, Secrets } from "../task/secrets.ts";
import { AutomationError } from "../automation-error.ts";
import { performStep } from "../steps/perform-step.ts";
import { nameOfStep } from "../steps/step-name.ts";
import { answerOf } from "../task/answer.ts";
import type { Step, StepResult } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { toolNameOf } from "../task/tool-name.ts";
import type { Work, Worker, Workplace } from "../task/work.ts";
import { recognize } from "./recognized-target.ts";
import { saysTheSame, targetOf } from "../generalization/step-targets.ts";
import { valuesFor, withFilledUrl } from "./variable-values.ts";

/** Options of a function run. */
export interface FunctionWorkerOptions {
  /** Heals steps that do not fit any more, and extracts what pages only say in words. Default: nothing does. */
  readonly model?: Model | undefined;
  /** Gets the function once when a run has succeeded and steps of it were healed; what it returns is waited for. */
  readonly keep: (healed: FunctionRecord) => unknown;
}

/** Longest `tool_result`, in characters. */
const longestResult = 2_000;

/** Performs the steps of a function again, with values of its variables. Without a model it costs nothing. One for each run. */
export class FunctionWorker implements Worker {
  readonly #record: FunctionRecord;
  readonly #given: Readonly<Record<string, string>>;
  readonly #options: FunctionWorkerOptions;
  readonly #ledger: CostLedger | undefined;

  /** @param given - Values by the names of variables; for the rest those hold that it was made with. */
  constructor(record: FunctionRecord, given: Readonly<Record<string, string>>, options: FunctionWorkerOptions) {
    this.#record = record;
    this.#given = given;
    this.#options = options;
    this.#ledger = options.model && new CostLedger(options.model.prices, defaultAgentLimits.budgetUsd);
  }

  cost(): string {
    return this.#ledger?.spentUsd ?? "0";
  }

  async work(_task: string, place: Workplace): Promise<Work> {
    const record = this.#record;
    const values = valuesFor(record, this.#given);
    const secrets = secretsOf(record, values);
    const known: Known = { values, secrets };
    const steps: Step[] = [];
    const data = new Map<string, unknown>();
    for (const step of record.steps) {
      await place.tell({ type: "tool_start", name: toolNameOf(step) });
      const done = await this.#perform(step, known, place).catch((error: unknown) => {
        throw hiddenIn(error, secrets);
      });
      steps.push(saysTheSame(step, done.step) ? done.step : step);
      if (done.result.data) data.set(done.result.data.name, secrets.hideIn(done.result.data.value));
      await place.tell({ type: "tool_result", content: secrets.hide(done.result.summary).slice(0, longestResult) });
    }
    const results = Object.fromEntries(data);
    const answer = answerOf(steps.length, results);
    await place.tell({ type: "text_delta", delta: answer });
    await place.tell({ type: "message_complete", role: "assistant" });
    if (steps.some((step, index) => step !== record.steps[index])) await this.#options.keep({ ...record, steps });
    return {
      answer,
      data: results,
      steps,
      variables: record.variables,
      name: record.function_name,
      task: record.query,
    };
  }

  /** Performs a step as it fits the page; gives it as it fitted. */
  async #perform(step: Step, { values, secrets }: Known, place: Workplace): Promise<Performed> {
    const { activePage, signal } = place;
    const page = activePage.current;
    if (!page) throw new AutomationError("session_lost", "All pages of the session were closed.");
    const recognized = await recognize(page, step, values, signal).catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (activePage.current === undefined)
        throw new AutomationError("session_lost", "All pages of the session were closed.", { cause: error });
      if (!(error instanceof AutomationError) || error.code !== "step_failed") throw error;
      const healed = await this.#heal(step, { values, secrets }, place);
      if (!healed)
        throw new AutomationError("step_failed", this.#failure(step, values, error.message), { cause: error });
      return { step: healed, foundAs: [`${fillIn(targetOf(healed)?.label ?? "another part", values)}, by the model`] };
    });
    const result = await this.#performOn(recognized.step, values, place);
    const notes = recognized.foundAs.map((found) => ` The page has changed: found as ${found}.`);
    return { step: recognized.step, result: { ...result, summary: result.summary + notes.join("") } };
  }

  async #performOn(step: Step, values: ReadonlyMap<string, string>, place: Workplace): Promise<StepResult> {
    const { activePage, acted, permit, signal } = place;
    const { model } = this.#options;
    return performStep(withFilledUrl(step, values), {
      activePage,
      acted,
      permit,
      signal,
      variables: values,
      ...(model && this.#ledger ? { model: meteredModel(model, this.#ledger) } : {}),
    });
  }

  /** One call of the model, when there is one. */
  async #heal(
    step: Step,
    { values: variables, secrets }: Known,
    { activePage, signal }: Workplace,
  ): Promise<Step | undefined> {
    const { model } = this.#options;
    const page = activePage.current;
    if (!model || !this.#ledger || !page) return undefined;
    return healStep({ step, variables, secrets, page, model, ledger: this.#ledger, signal });
  }

  #failure(step: Step, values: ReadonlyMap<string, string>, why: string): string {
    const advice = this.#options.model
      ? "The model found no matching element."
      : "With a model configured, such steps are healed.";
    return `The step "${nameOfStep(step, values)}" does not fit the page any more: ${why}. ${advice}`;
  }
}

/** The values of the variables, and which of them are secret. */
interface Known {
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: Secrets;
}

interface Performed {
  readonly step: Step;
  readonly result: StepResult;
}

function secretsOf({ variables }: FunctionRecord, values: ReadonlyMap<string, string>): Secrets {
  const secrets = new Secrets("");
  for (const { name, value } of variables) {
    const secret = value === null ? values.get(name) : undefined;
    if (secret) secrets.keep(secret);
  }
  return secrets;
}
