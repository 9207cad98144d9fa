import { randomBytes } from "node:crypto";
import { AutomationError } from "../automation-error.ts";
import { generalize } from "../generalization/generalize.ts";
import type { Work, Workplace } from "../task/work.ts";
import type { Model } from "@cloud-browser/page-content";
import type { AgentLimits } from "./agent-limits.ts";
import { writeInstructions } from "./agent-prompt.ts";
import { agentTools, chooseTools, describeTools, type ValidToolCall, type ToolCall } from "./agent-tools.ts";
import { findMissingStep } from "./claimed-success.ts";
import { Conversation, type CallResult } from "./conversation.ts";
import type { CostLedger } from "./cost-ledger.ts";
import { functionName } from "./function-name.ts";
import { InputTokenBound } from "./input-token-bound.ts";
import { meterModel } from "./metered-model.ts";
import { createModelError, callModel, type ModelTurn } from "./model-turn.ts";
import { PageView, type View } from "./page-view.ts";
import { LoopDetector } from "./loop-detector.ts";
import { Secrets } from "../task/redaction.ts";
import { StepRecord } from "./step-record.ts";
import { ToolExecutor } from "./tool-executor.ts";

/** Settings of an agent. */
export interface AgentSettings {
  /** Decides what is done. */
  readonly model: Model;
  /** Limits of its steps and its cost. */
  readonly limits: AgentLimits;
}

/** Most unusable responses of a model in a row. */
const maxUnusableResponses = 3;
/** Longest `tool_result`, in characters. */
const maxResultCharacters = 2_000;
/** Most characters of one snapshot of a page. */
const maxSnapshotCharacters = 16_000;
/** From this number of remaining steps on, each prompt of the model states how many are left. */
const remainingStepsThreshold = 5;

type FinishInput = Extract<ValidToolCall, { toolName: "finish" }>["input"];

/** Results of the tool calls of one message. */
interface CallResults {
  readonly results: readonly CallResult[];
  readonly finish?: FinishInput;
  /** The page, when a call read it. */
  readonly view: View | undefined;
  /** True when the page may have changed. */
  readonly hasActed: boolean;
}

/** The work of an agent on one task. */
export class AgentRun {
  readonly #task: string;
  readonly #workplace: Workplace;
  readonly #options: AgentSettings;
  readonly #ledger: CostLedger;
  readonly #secrets: Secrets;
  readonly #view: PageView;
  readonly #tools: ToolExecutor;
  readonly #record = new StepRecord();
  readonly #loopDetector = new LoopDetector();
  readonly #inputBound = new InputTokenBound();
  readonly #conversation: Conversation;
  /** Random part of the tag around texts of pages, so that no page can close the tag. */
  readonly #pageTag = randomBytes(4).toString("hex");
  #stepsTaken = 0;
  #unusableResponses = 0;
  /** True when the last step failed. */
  #lastStepFailed = false;
  /** Why the last call of the tool `finish` was rejected; undefined after one that was accepted, and before the first. */
  #notEnded: string | undefined;

  constructor(task: string, workplace: Workplace, options: AgentSettings, ledger: CostLedger) {
    const { inputCharacters } = options.model.limits;
    this.#task = task;
    this.#workplace = workplace;
    this.#options = options;
    this.#ledger = ledger;
    this.#secrets = new Secrets(task);
    this.#view = new PageView(workplace.activePage, Math.min(maxSnapshotCharacters, Math.ceil(inputCharacters / 4)));
    this.#tools = new ToolExecutor({
      workplace,
      model: meterModel(options.model, ledger),
      view: this.#view,
      record: this.#record,
      secrets: this.#secrets,
      task,
    });
    const today = new Date().toISOString().slice(0, 10);
    const address = workplace.activePage.current?.url() ?? "about:blank";
    this.#conversation = new Conversation(
      `${task}\n\n(Today is ${today}. The browser is on ${address}.)`,
      inputCharacters,
    );
  }

  /**
   * Works until the task is done.
   *
   * @throws {AutomationError} if it can't be done.
   */
  async run(): Promise<Work> {
    const canAsk = this.#workplace.askPerson !== undefined;
    const instructions = writeInstructions(this.#pageTag, canAsk);
    const tools = chooseTools(canAsk);
    const texts = describeTools(tools);
    for (;;) {
      this.#checkStepLimit();
      const messages = this.#conversation.listMessages();
      const turn = await callModel({
        model: this.#options.model,
        instructions,
        messages,
        tools,
        inputTokens: this.#inputBound.estimate([instructions, ...texts, ...messages]),
        workplace: this.#workplace,
        ledger: this.#ledger,
        secrets: this.#secrets,
      });
      this.#inputBound.recordUsage(turn.inputTokens);
      const work = turn.calls.length === 0 ? await this.#handleText(turn) : await this.#handleToolCalls(turn);
      if (work) return work;
    }
  }

  /** Handles a message without tool calls: it is the answer, unless it was cut off. */
  async #handleText({ message, text, finishReason }: ModelTurn): Promise<Work | undefined> {
    if (finishReason === "content-filter") throw createModelError("refused to answer: its provider filters contents");
    if (text.trim() !== "" && finishReason !== "length") {
      // A call of finish says whether the task succeeded. A text without a call counts as failed when the last step failed and
      // nothing was extracted.
      const hasFailed = this.#lastStepFailed && !this.#tools.results.hasData;
      await this.#end();
      return this.#createWork({ answer: text, ...(hasFailed ? { succeeded: false } : {}) });
    }
    this.#stepsTaken += 1;
    this.#countUnusableResponse(finishReason === "length" ? "exceeded its token limit" : "returned an empty response");
    const note =
      finishReason === "length" ? "Your message was cut off: it was too long. Be brief." : "Your message was empty.";
    this.#conversation.add({ assistant: message, results: [], note: `${note} Call a tool, or finish.` });
    return undefined;
  }

  async #handleToolCalls({ message, calls }: ModelTurn): Promise<Work | undefined> {
    const outcome = await this.#perform(calls);
    if (outcome.finish) {
      const wasTold = this.#notEnded !== undefined;
      const why = await this.#end();
      if (why === undefined || wasTold || outcome.finish.succeeded === false) {
        await this.#emitAnswer(outcome.finish.answer);
        return this.#createWork(outcome.finish);
      }
      this.#stepsTaken += 1;
      const page = await this.#view.showChanges(this.#workplace.signal);
      const note = `The task does not count as done: ${this.#tag(why)} Mend it, or finish with succeeded: false.`;
      this.#conversation.add({
        assistant: message,
        results: outcome.results,
        page: { ...page, tagged: this.#tag(page.text) },
        note,
      });
      return undefined;
    }
    const view = outcome.view ?? (outcome.hasActed ? await this.#view.showChanges(this.#workplace.signal) : undefined);
    const called = calls.map(({ toolName, input }) => [toolName, input]);
    const repeated = this.#loopDetector.record(called, view?.hasChanged ?? false);
    if (repeated === "end") {
      throw new AutomationError("too_many_steps", "the model repeated the same tool calls without any effect");
    }
    const notes = [
      ...(repeated === "note"
        ? ["You have repeated the same tool calls several times, and nothing changed. Do something else, or finish."]
        : []),
      ...this.#noteRemainingSteps(),
    ];
    this.#conversation.add({
      assistant: message,
      results: outcome.results,
      ...(view ? { page: { ...view, tagged: this.#tag(view.text) } } : {}),
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
        results.push(await this.#reportResult(call, "Not done: the call before it failed.", ""));
      } else if (call.dynamic) {
        this.#stepsTaken += 1;
        hasFailed = this.#lastStepFailed = true;
        results.push(await this.#reportResult(call, `Not done: ${describeInvalidCall(call)}`, ""));
        this.#countUnusableResponse("sent invalid tool arguments several times in a row");
      } else if (call.toolName === "finish") {
        this.#unusableResponses = 0;
        results.push(await this.#reportResult(call, "Finished.", ""));
        return { results, finish: call.input, view, hasActed };
      } else {
        this.#checkStepLimit();
        this.#stepsTaken += 1;
        this.#unusableResponses = 0;
        const result = await this.#tools.execute(call);
        hasFailed = result.hasFailed;
        // Reading the page again does not recover from a failure.
        if (hasFailed || !result.view) this.#lastStepFailed = hasFailed;
        view = result.view;
        hasActed = hasActed || !result.view;
        results.push(await this.#reportResult(call, result.message, result.untrustedText));
      }
    }
    return { results, view, hasActed };
  }

  /** Sends a `tool_result` event; returns the result for the model. */
  async #reportResult({ toolCallId, toolName }: ToolCall, message: string, untrustedText: string): Promise<CallResult> {
    const content = this.#secrets.redact(untrustedText === "" ? message : untrustedText);
    await this.#workplace.emit({ type: "tool_result", content: content.slice(0, maxResultCharacters) });
    return {
      callId: toolCallId,
      toolName,
      text: untrustedText === "" ? message : `${message}\n${this.#tag(untrustedText)}`,
      digest: `- ${toolName}: ${message}`,
    };
  }

  async #emitAnswer(answer: string): Promise<void> {
    await this.#workplace.emit({ type: "text_delta", delta: this.#secrets.redact(answer) });
    await this.#workplace.emit({ type: "message_complete", role: "assistant" });
  }

  /** Waits until nothing that the steps began goes on; returns the reason if a step failed after all. */
  async #end(): Promise<string | undefined> {
    this.#notEnded = await this.#tools.end().then(
      () => undefined,
      (error: unknown) => {
        this.#workplace.signal.throwIfAborted();
        if (!(error instanceof AutomationError) || error.code !== "step_failed") throw error;
        return this.#secrets.redact(error.message);
      },
    );
    return this.#notEnded;
  }

  #createWork(input: FinishInput): Work {
    const secrets = this.#secrets;
    const missing = input.succeeded === false ? undefined : findMissingStep(this.#task, this.#tools.doings);
    const whyNot = missing ?? this.#notEnded;
    const finish = whyNot === undefined ? input : { ...input, succeeded: false };
    if (whyNot !== undefined) this.#tools.results.addNotes([whyNot]);
    const steps = finish.succeeded === false ? [] : this.#record.listNeeded(finish.leave_out_steps ?? []);
    const secretValues = [...secrets.variables].map(([name, value]) => ({ name, value, isSecret: true }));
    return {
      ...generalize(steps, [...secretValues, ...(finish.variables ?? []), ...this.#tools.taskValues], this.#task),
      ...this.#tools.results.collect(),
      answer: secrets.redact(finish.answer),
      name: functionName(secrets.redact(finish.function_name || this.#task)),
      task: secrets.replaceWithNames(this.#task),
      ...(finish.succeeded === false ? { succeeded: false } : {}),
    };
  }

  #tag(text: string): string {
    return `<page-${this.#pageTag}>\n${text}\n</page-${this.#pageTag}>`;
  }

  #noteRemainingSteps(): readonly string[] {
    const left = this.#options.limits.steps - this.#stepsTaken;
    return left > 0 && left <= remainingStepsThreshold
      ? [`Only ${left} more ${left === 1 ? "step is" : "steps are"} allowed.`]
      : [];
  }

  #checkStepLimit(): void {
    const { steps } = this.#options.limits;
    if (this.#stepsTaken < steps) return;
    throw new AutomationError("too_many_steps", `step limit (${steps}) reached before the task was done`);
  }

  #countUnusableResponse(why: string): void {
    this.#unusableResponses += 1;
    if (this.#unusableResponses > maxUnusableResponses) throw createModelError(why);
  }
}

/** Describes what is wrong with an invalid call, for the model. */
function describeInvalidCall({ toolName, error }: Extract<ToolCall, { dynamic: true }>): string {
  if (!(toolName in agentTools)) return `there is no tool "${toolName.slice(0, 60)}".`;
  return `invalid arguments: ${error instanceof Error ? error.message.slice(0, 1_500) : "not JSON that follows the tool's schema"}`;
}
