import type { Model } from "@cloud-browser/page-content";
import { AutomationError } from "../automation-error.ts";
import { performStep } from "../steps/perform-step.ts";
import type { StepResult } from "../task/step.ts";
import type { Workplace } from "../task/work.ts";
import type { FittingCall } from "./agent-tools.ts";
import type { PageView, View } from "./page-view.ts";
import type { Secrets } from "../task/secrets.ts";
import { bareRef, stepOfCall, type StepCall } from "./step-of-call.ts";
import type { StepRecord } from "./step-record.ts";

/** Result of one tool call. */
export interface ToolResult {
  /** Outcome, in words of this package. */
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
  /** The browser, and who is told of progress. */
  readonly place: Workplace;
  /** Reads data out of texts; its cost is counted. */
  readonly model: Model;
  /** Shows pages. */
  readonly view: PageView;
  /** Gets the steps that worked. */
  readonly record: StepRecord;
  /** Secrets to redact. */
  readonly secrets: Secrets;
}

/** Longest extract that the model is shown, in characters; the result itself is kept whole. */
const shownExtract = 8_000;

/** Codes of errors that the model can recover from. */
const recoverable: ReadonlySet<string> = new Set(["step_failed", "address_refused", "unknown_variable"]);

/** Executes the tool calls of a model. */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions;
  readonly #data = new Map<string, unknown>();

  constructor(options: ToolExecutorOptions) {
    this.#options = options;
  }

  /** The values extracted so far, by name. */
  get data(): ReadonlyMap<string, unknown> {
    return this.#data;
  }

  /**
   * Executes a call. An error that the model can recover from is a result, and is not thrown.
   *
   * @throws {AutomationError} when the work can't go on.
   */
  async execute(call: Exclude<FittingCall, { toolName: "finish" }>): Promise<ToolResult> {
    const { signal } = this.#options.place;
    try {
      return call.toolName === "read_page" ? await this.#read(call.input) : await this.#act(call);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AutomationError) || !recoverable.has(error.code)) throw error;
      return { message: "Failed.", untrustedText: error.message, hasFailed: true };
    }
  }

  async #read({ ref, depth }: Extract<FittingCall, { toolName: "read_page" }>["input"]): Promise<ToolResult> {
    const { view, place } = this.#options;
    const scope = ref?.trim() ? bareRef(ref) : undefined;
    const shown = await view.whole({ ...(scope ? { scope } : {}), ...(depth ? { depth } : {}), signal: place.signal });
    return { message: "Read the page.", untrustedText: "", hasFailed: false, view: shown };
  }

  async #act(call: StepCall): Promise<ToolResult> {
    const { place, model, record, secrets } = this.#options;
    const { activePage, acted, permit, signal } = place;
    const from = activePage.current?.url() ?? "";
    const step = await stepOfCall(call, { page: activePage.current, secrets, signal });
    const result = await performStep(step, { activePage, acted, permit, signal, variables: secrets.variables, model });
    const number = record.add(step, from, activePage.current?.url() ?? "");
    if (result.data) this.#data.set(result.data.name, result.data.value);
    return { message: `Step ${number} is done.`, untrustedText: pageTextOf(result), hasFailed: false };
  }
}

function pageTextOf({ summary, data }: StepResult): string {
  if (!data) return summary;
  const text = JSON.stringify(data.value) ?? "null";
  const rest = text.length > shownExtract ? `… (${text.length - shownExtract} more characters; all of it is kept)` : "";
  return `${summary}\n${data.name}: ${text.slice(0, shownExtract)}${rest}`;
}
