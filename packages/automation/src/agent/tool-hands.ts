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

/** What the call of a tool came to. */
export interface Deed {
  /** What happened, in our words. */
  readonly said: string;
  /** What happened, with words of the page: to be marked as such. */
  readonly seen: string;
  /** Whether it failed; the model may try another way. */
  readonly hasFailed: boolean;
  /** The page, when the call asked for it. */
  readonly view?: View;
}

/** What the tools work with. */
export interface HandsOptions {
  /** Where it is worked. */
  readonly place: Workplace;
  /** Reads data out of texts; its cost is counted. */
  readonly model: Model;
  /** Shows pages. */
  readonly view: PageView;
  /** Gets the steps that worked. */
  readonly record: StepRecord;
  /** What must not be told. */
  readonly secrets: Secrets;
}

/** Longest extract that the model is shown, in characters; the result itself is kept whole. */
const shownExtract = 8_000;

/** Errors that the model can do something about. */
const mendable: ReadonlySet<string> = new Set(["step_failed", "address_refused", "unknown_variable"]);

/** Does what a model calls for. */
export class ToolHands {
  readonly #options: HandsOptions;
  readonly #data = new Map<string, unknown>();

  constructor(options: HandsOptions) {
    this.#options = options;
  }

  /** What was extracted until now, by name. */
  get data(): ReadonlyMap<string, unknown> {
    return this.#data;
  }

  /**
   * Does it. What the model can mend is told, not thrown.
   *
   * @throws {AutomationError} when the work can't go on.
   */
  async perform(call: Exclude<FittingCall, { toolName: "finish" }>): Promise<Deed> {
    const { signal } = this.#options.place;
    try {
      return call.toolName === "read_page" ? await this.#read(call.input) : await this.#act(call);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AutomationError) || !mendable.has(error.code)) throw error;
      return { said: "Failed.", seen: error.message, hasFailed: true };
    }
  }

  async #read({ ref, depth }: Extract<FittingCall, { toolName: "read_page" }>["input"]): Promise<Deed> {
    const { view, place } = this.#options;
    const scope = ref?.trim() ? bareRef(ref) : undefined;
    const shown = await view.whole({ ...(scope ? { scope } : {}), ...(depth ? { depth } : {}), signal: place.signal });
    return { said: "Read the page.", seen: "", hasFailed: false, view: shown };
  }

  async #act(call: StepCall): Promise<Deed> {
    const { place, model, record, secrets } = this.#options;
    const { activePage, acted, permit, signal } = place;
    const from = activePage.current?.url() ?? "";
    const step = await stepOfCall(call, { page: activePage.current, secrets, signal });
    const result = await performStep(step, { activePage, acted, permit, signal, variables: secrets.variables, model });
    const number = record.add(step, from, activePage.current?.url() ?? "");
    if (result.data) this.#data.set(result.data.name, result.data.value);
    return { said: `Step ${number} is done.`, seen: seenOf(result), hasFailed: false };
  }
}

function seenOf({ summary, data }: StepResult): string {
  if (!data) return summary;
  const text = JSON.stringify(data.value) ?? "null";
  const rest = text.length > shownExtract ? `… (${text.length - shownExtract} more characters; all of it is kept)` : "";
  return `${summary}\n${data.name}: ${text.slice(0, shownExtract)}${rest}`;
}
