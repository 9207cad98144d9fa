import { randomBytes } from "node:crypto";
import { AutomationError } from "../automation-error.ts";
import { generalize } from "../generalization/generalize.ts";
import type { Work, Workplace } from "../task/work.ts";
import type { Model } from "@cloud-browser/page-content";
import type { AgentLimits } from "./agent-limits.ts";
import { agentInstructions } from "./agent-prompt.ts";
import { agentTools, toolTexts, type FittingCall, type ToolCall } from "./agent-tools.ts";
import { Conversation, type CallResult } from "./conversation.ts";
import type { CostLedger } from "./cost-ledger.ts";
import { functionName } from "./function-name.ts";
import { InputBound } from "./input-bound.ts";
import { meteredModel } from "./metered-model.ts";
import { modelFailed, takeTurn, type ModelTurn } from "./model-turn.ts";
import { PageView, type View } from "./page-view.ts";
import { Repetition } from "./repetition.ts";
import { Secrets } from "../task/secrets.ts";
import { StepRecord } from "./step-record.ts";
import { ToolExecutor } from "./tool-executor.ts";

/** Settings of an agent. */
export interface AgentSettings {
  /** Decides what is done. */
  readonly model: Model;
  /** How much it may do and cost. */
  readonly limits: AgentLimits;
}

/** How often in a row a model may answer in a way that can't be used. */
const mostUnusable = 3;
/** Longest `tool_result`, in characters. */
const longestResult = 2_000;
/** Most characters of one snapshot of a page. */
const mostSnapshot = 16_000;
/** From how many steps before the limit on the model is told how many are left. */
const fewSteps = 5;

type FinishInput = Extract<FittingCall, { toolName: "finish" }>["input"];

/** Results of the tool calls of one message. */
interface CallResults {
  readonly results: readonly CallResult[];
  readonly finish?: FinishInput;
  /** The page, when a call asked for it. */
  readonly view: View | undefined;
  /** True when the page may be another one now. */
  readonly hasActed: boolean;
}

/** The work of an agent on one task. */
export class AgentRun {
  readonly #task: string;
  readonly #place: Workplace;
  readonly #options: AgentSettings;
  readonly #ledger: CostLedger;
  readonly #secrets: Secrets;
  readonly #view: PageView;
  readonly #tools: ToolExecutor;
  readonly #record = new StepRecord();
  readonly #repetition = new Repetition();
  readonly #bound = new InputBound();
  readonly #conversation: Conversation;
  /** Random, so that no page can close the tag that its text is wrapped in. */
  readonly #mark = randomBytes(4).toString("hex");
  #stepsTaken = 0;
  #unusable = 0;
  /** The last step failed. */
  #isStuck = false;

  constructor(task: string, place: Workplace, options: AgentSettings, ledger: CostLedger) {
    const { inputCharacters } = options.model.limits;
    this.#task = task;
    this.#place = place;
    this.#options = options;
    this.#ledger = ledger;
    this.#secrets = new Secrets(task);
    this.#view = new PageView(place.activePage, Math.min(mostSnapshot, Math.ceil(inputCharacters / 4)));
    this.#tools = new ToolExecutor({
      place,
      model: meteredModel(options.model, ledger),
      view: this.#view,
      record: this.#record,
      secrets: this.#secrets,
    });
    const today = new Date().toISOString().slice(0, 10);
    const address = place.activePage.current?.url() ?? "about:blank";
    this.#conversation = new Conversation(
      `${task}\n\n(Today is ${today}. The browser is on ${address}.)`,
      inputCharacters,
    );
  }

  /**
   * Works until the task is done.
   *
   * @throws {AutomationError} when it can't be done.
   */
  async run(): Promise<Work> {
    const instructions = agentInstructions(this.#mark);
    for (;;) {
      this.#requireSteps();
      const messages = this.#conversation.messages();
      const turn = await takeTurn({
        model: this.#options.model,
        instructions,
        messages,
        inputTokens: this.#bound.of([instructions, ...toolTexts, ...messages]),
        place: this.#place,
        ledger: this.#ledger,
        secrets: this.#secrets,
      });
      this.#bound.told(turn.inputTokens);
      const work = turn.calls.length === 0 ? this.#withoutCalls(turn) : await this.#withCalls(turn);
      if (work) return work;
    }
  }

  /** A message without calls is the answer, if it is whole. */
  #withoutCalls({ message, text, finishReason }: ModelTurn): Work | undefined {
    if (finishReason === "content-filter") throw modelFailed("refused to answer: its provider filters contents");
    if (text.trim() !== "" && finishReason !== "length") {
      // Who calls finish says whether it succeeded; a mere text after failures, without any result, is no success.
      const hasFailed = this.#isStuck && this.#tools.data.size === 0;
      return this.#workOf({ answer: text, ...(hasFailed ? { succeeded: false } : {}) });
    }
    this.#stepsTaken += 1;
    this.#countUnusable(finishReason === "length" ? "exceeded its token limit" : "answered nothing");
    const note =
      finishReason === "length" ? "Your message was cut off: it was too long. Be brief." : "Your message was empty.";
    this.#conversation.add({ assistant: message, results: [], note: `${note} Call a tool, or finish.` });
    return undefined;
  }

  async #withCalls({ message, calls }: ModelTurn): Promise<Work | undefined> {
    const outcome = await this.#perform(calls);
    if (outcome.finish) {
      await this.#tellAnswer(outcome.finish.answer);
      return this.#workOf(outcome.finish);
    }
    const view = outcome.view ?? (outcome.hasActed ? await this.#view.changes(this.#place.signal) : undefined);
    const called = calls.map(({ toolName, input }) => [toolName, input]);
    const repeated = this.#repetition.take(called, view?.hasChanged ?? false);
    if (repeated === "end") {
      throw new AutomationError("too_many_steps", "The model repeated the same tool calls without any effect.");
    }
    const notes = [
      ...(repeated === "note"
        ? ["You have called the same several times, and nothing changed. Do something else, or finish."]
        : []),
      ...this.#stepsLeft(),
    ];
    this.#conversation.add({
      assistant: message,
      results: outcome.results,
      ...(view ? { page: { ...view, marked: this.#marked(view.text) } } : {}),
      ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
    });
    return undefined;
  }

  /** Executes the calls one after the other; those after a failure are not executed. */
  async #perform(calls: readonly ToolCall[]): Promise<CallResults> {
    const results: CallResult[] = [];
    let view: View | undefined;
    let hasActed = false;
    let hasFailed = false;
    for (const call of calls) {
      if (hasFailed) {
        results.push(await this.#result(call, "Not done: the call before it failed.", ""));
      } else if (call.dynamic) {
        this.#stepsTaken += 1;
        hasFailed = this.#isStuck = true;
        results.push(await this.#result(call, `Not done: ${faultOf(call)}`, ""));
        this.#countUnusable("sent invalid tool arguments several times in a row");
      } else if (call.toolName === "finish") {
        this.#unusable = 0;
        results.push(await this.#result(call, "Finished.", ""));
        return { results, finish: call.input, view, hasActed };
      } else {
        this.#requireSteps();
        this.#stepsTaken += 1;
        this.#unusable = 0;
        const result = await this.#tools.execute(call);
        hasFailed = result.hasFailed;
        // Reading the page again does not recover from a failure.
        if (hasFailed || !result.view) this.#isStuck = hasFailed;
        view = result.view;
        hasActed = hasActed || !result.view;
        results.push(await this.#result(call, result.message, result.untrustedText));
      }
    }
    return { results, view, hasActed };
  }

  /** Sends the reader a `tool_result` event; returns the result that the model is shown. */
  async #result({ toolCallId, toolName }: ToolCall, message: string, untrustedText: string): Promise<CallResult> {
    const content = this.#secrets.hide(untrustedText === "" ? message : untrustedText);
    await this.#place.tell({ type: "tool_result", content: content.slice(0, longestResult) });
    return {
      callId: toolCallId,
      toolName,
      text: untrustedText === "" ? message : `${message}\n${this.#marked(untrustedText)}`,
      digest: `- ${toolName}: ${message}`,
    };
  }

  async #tellAnswer(answer: string): Promise<void> {
    await this.#place.tell({ type: "text_delta", delta: this.#secrets.hide(answer) });
    await this.#place.tell({ type: "message_complete", role: "assistant" });
  }

  #workOf(finish: FinishInput): Work {
    const secrets = this.#secrets;
    const steps = finish.succeeded === false ? [] : this.#record.needed(finish.leave_out_steps ?? []);
    const secretValues = [...secrets.variables].map(([name, value]) => ({ name, value, isSecret: true }));
    return {
      ...generalize(steps, [...secretValues, ...(finish.variables ?? [])], this.#task),
      answer: secrets.hide(finish.answer),
      data: Object.fromEntries([...this.#tools.data].map(([name, value]) => [name, secrets.hideIn(value)])),
      name: functionName(secrets.hide(finish.function_name || this.#task)),
      task: secrets.nameIn(this.#task),
      ...(finish.succeeded === false ? { succeeded: false } : {}),
    };
  }

  #marked(text: string): string {
    return `<page-${this.#mark}>\n${text}\n</page-${this.#mark}>`;
  }

  #stepsLeft(): readonly string[] {
    const left = this.#options.limits.steps - this.#stepsTaken;
    return left > 0 && left <= fewSteps ? [`Only ${left} more ${left === 1 ? "step is" : "steps are"} allowed.`] : [];
  }

  #requireSteps(): void {
    const { steps } = this.#options.limits;
    if (this.#stepsTaken < steps) return;
    throw new AutomationError("too_many_steps", `Step limit (${steps}) reached before the task was done.`);
  }

  #countUnusable(why: string): void {
    this.#unusable += 1;
    if (this.#unusable > mostUnusable) throw modelFailed(why);
  }
}

/** Describes the mistake in a call, for the model that made it. */
function faultOf({ toolName, error }: Extract<ToolCall, { dynamic: true }>): string {
  if (!(toolName in agentTools)) return `there is no tool "${toolName.slice(0, 60)}".`;
  return `invalid arguments: ${error instanceof Error ? error.message.slice(0, 1_500) : "not JSON that follows the tool's schema"}`;
}
