import type { Model } from "@cloud-browser/page-content";
import { AutomationError, StepError } from "../automation-error.ts";
import { endSteps } from "../steps/end-steps.ts";
import { performStep, type StepContext } from "../steps/perform-step.ts";
import { StepResults } from "../steps/step-results.ts";
import { describeRefusal } from "../page/person.ts";
import type { Step, StepResult } from "../task/step.ts";
import type { Workplace } from "../task/work.ts";
import type { ValidToolCall } from "./agent-tools.ts";
import type { Doings } from "./claimed-success.ts";
import type { PageView, View } from "./page-view.ts";
import type { Secrets } from "../task/redaction.ts";
import type { TaskValue } from "../generalization/generalize.ts";
import { readTaskValue } from "./read-task-value.ts";
import { parseRef, convertToolCall, type StepCall } from "./step-from-tool-call.ts";
import type { StepRecord } from "./step-record.ts";

/** Result of one tool call. */
export interface ToolResult {
  /** Outcome, as text of this package. */
  readonly message: string;
  /** Details of the outcome, with text of the page: marked as such before the model sees it. Empty when there is none. */
  readonly untrustedText: string;
  /** True when it failed in a way that the model can recover from. */
  readonly hasFailed: boolean;
  /** The page, when the call asked for it. */
  readonly view?: View;
}

/** Options of a {@link ToolExecutor}. */
export interface ToolExecutorOptions {
  /** The session, and the receiver of events. */
  readonly workplace: Workplace;
  /** Extracts data from text; its cost is charged. */
  readonly model: Model;
  /** Shows pages. */
  readonly view: PageView;
  /** Records the steps that succeeded. */
  readonly record: StepRecord;
  /** Secrets to redact. */
  readonly secrets: Secrets;
  /** The task: values that it names become variables. */
  readonly task: string;
}

/** Longest extract shown to the model, in characters; the result itself is not cut. */
const maxExtractCharacters = 8_000;

/** Codes of errors that the model can recover from. */
const recoverable: ReadonlySet<string> = new Set(["step_failed", "address_refused", "unknown_variable"]);

/** Executes the tool calls of a model. */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions;
  /** Results of the steps so far. */
  readonly results: StepResults;
  readonly #taskValues: TaskValue[] = [];
  readonly #actions = new Set<Step["action"]>();
  #hasHelped = false;
  #hasRead = false;

  constructor(options: ToolExecutorOptions) {
    this.#options = options;
    this.results = new StepResults(options.secrets);
  }

  /** Values of the task that the steps so far use. */
  get taskValues(): readonly TaskValue[] {
    return this.#taskValues;
  }

  /** Actions so far. */
  get doings(): Doings {
    return { actions: this.#actions, hasRead: this.#hasRead, hasHelped: this.#hasHelped };
  }

  /**
   * Waits until nothing that the steps began goes on.
   *
   * @throws {AutomationError} `step_failed` if it does not, or the page says that a step failed after all.
   */
  async end(): Promise<void> {
    this.results.addNotes(await endSteps(this.#createContext()));
  }

  #createContext(): StepContext {
    const { workplace, model, secrets } = this.#options;
    return { ...workplace, variables: secrets.variables, model };
  }

  /**
   * Executes a call. An error that the model can recover from is a result, and is not thrown.
   *
   * @throws {AutomationError} if the work can't continue.
   */
  async execute(call: Exclude<ValidToolCall, { toolName: "finish" }>): Promise<ToolResult> {
    const { signal } = this.#options.workplace;
    try {
      if (call.toolName === "ask_person") return await this.#ask(call.input.message);
      // What the model has seen may be gone.
      if (await this.#options.workplace.untilMayAct?.()) return personActed;
      return call.toolName === "read_page" ? await this.#read(call.input) : await this.#act(call);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AutomationError) || !recoverable.has(error.code)) throw error;
      return { message: "Failed.", untrustedText: error.message, hasFailed: true };
    }
  }

  async #read({ ref, depth }: Extract<ValidToolCall, { toolName: "read_page" }>["input"]): Promise<ToolResult> {
    const { view, workplace } = this.#options;
    const scope = ref?.trim() ? parseRef(ref) : undefined;
    const page = await view.showFullPage({
      ...(scope ? { scope } : {}),
      ...(depth ? { depth } : {}),
      signal: workplace.signal,
    });
    this.#hasRead = true;
    return { message: "Read the page.", untrustedText: "", hasFailed: false, view: page };
  }

  async #ask(message: string): Promise<ToolResult> {
    const { workplace, secrets } = this.#options;
    if (!workplace.askPerson) throw new StepError("there is nobody to ask");
    const request = secrets.redact(message);
    const answer = await workplace.askPerson(request);
    const note = answer.note === null ? "" : ` The person says: ${answer.note}`;
    if (answer.answer !== "done")
      return { message: `Not done: ${describeRefusal(answer)}.`, untrustedText: "", hasFailed: true };
    this.#hasHelped = true;
    this.results.addNotes([`A person was asked: ${request} The function does not repeat what the person did.`]);
    return { message: `The person has done it.${note}`, untrustedText: "", hasFailed: false };
  }

  async #act(call: StepCall): Promise<ToolResult> {
    const { workplace, record, secrets, task } = this.#options;
    const { activePage, signal } = workplace;
    const from = activePage.current?.url() ?? "";
    const page = activePage.current;
    const step = await convertToolCall(call, { page, secrets, signal });
    const values = this.#taskValues;
    const value = await readTaskValue(step, { page, task, values, variables: secrets.variables, signal });
    const result = await performStep(step, this.#createContext());
    if (value) this.#taskValues.push(value);
    this.#actions.add(step.action);
    this.results.add(result);
    const number = record.add(step, from, activePage.current?.url() ?? "");
    return { message: `Step ${number} is done.`, untrustedText: writePageText(result), hasFailed: false };
  }
}

/** Result of a call that was not executed because a person had the control meanwhile. */
const personActed: ToolResult = {
  message: "Not done: a person has acted on the page meanwhile. Look at the page again.",
  untrustedText: "",
  hasFailed: true,
};

function writePageText({ summary, data }: StepResult): string {
  if (!data) return summary;
  const text = JSON.stringify(data.value) ?? "null";
  const rest =
    text.length > maxExtractCharacters
      ? `… (${text.length - maxExtractCharacters} more characters; all of it is kept)`
      : "";
  return `${summary}\n${data.name}: ${text.slice(0, maxExtractCharacters)}${rest}`;
}
