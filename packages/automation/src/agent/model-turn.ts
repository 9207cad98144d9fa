import { streamText, type AssistantModelMessage, type FinishReason, type ModelMessage, type TextStreamPart } from "ai";
import { describeModelFailure, isProviderRefusal, type Model, readTokens } from "@cloud-browser/page-content";
import { TimeBudget } from "../async.ts";
import { AutomationError } from "../automation-error.ts";
import type { Workplace } from "../task/work.ts";
import type { ToolCall, chooseTools } from "./agent-tools.ts";
import type { CostLedger } from "./cost-ledger.ts";
import { RedactingStream, type Secrets } from "../task/redaction.ts";

/** Options of one call of the model. */
export interface TurnSettings {
  /** The model. */
  readonly model: Model;
  /** System prompt. */
  readonly instructions: string;
  /** Tools that it may call. */
  readonly tools: ReturnType<typeof chooseTools>;
  /** Messages so far. */
  readonly messages: readonly ModelMessage[];
  /** Most tokens that the call sends. */
  readonly inputTokens: number;
  /** Receives the model's output as it arrives. */
  readonly workplace: Pick<Workplace, "emit" | "signal">;
  /** Charged for the call. */
  readonly ledger: CostLedger;
  /** Secrets to redact. */
  readonly secrets: Secrets;
}

/** A message of the model. */
export interface ModelTurn {
  /** The message, to be sent along with the next call. */
  readonly message: AssistantModelMessage;
  /** Its text. */
  readonly text: string;
  /** The tools that it calls. */
  readonly calls: readonly ToolCall[];
  /** Reason why the message ended. */
  readonly finishReason: FinishReason;
  /** Tokens that were sent; undefined if the provider reported none. */
  readonly inputTokens: number | undefined;
}

type Part = TextStreamPart<TurnSettings["tools"]>;

/**
 * Calls the model once and emits its output as events. The response is read no faster than the events are.
 *
 * @throws {AutomationError} `budget_spent`, `model_failed`
 */
export async function callModel(settings: TurnSettings): Promise<ModelTurn> {
  const { model, instructions, messages, tools, inputTokens, workplace, ledger } = settings;
  const { limits } = model;
  workplace.signal.throwIfAborted();
  ledger.checkBudget(inputTokens, limits.outputTokens);
  const reader = new TurnReader(settings);
  const timeBudget = new TimeBudget(limits.timeMs, workplace.signal);
  try {
    const { stream } = streamText({
      model: model.language,
      instructions,
      messages: [...messages],
      tools,
      maxOutputTokens: limits.outputTokens,
      maxRetries: limits.retries,
      abortSignal: timeBudget.signal,
      telemetry: { isEnabled: false },
      onError: () => {}, // the stream reports it, too
    });
    const parts = stream[Symbol.asyncIterator]();
    for (;;) {
      const next = await timeBudget.during(parts.next());
      if (next.done) break;
      await reader.add(next.value);
    }
    timeBudget.signal.throwIfAborted();
    return await reader.end();
  } catch (error) {
    reader.chargeIncompleteResponse(error);
    workplace.signal.throwIfAborted();
    if (error instanceof AutomationError || error === reader.listenerError) throw error;
    throw createModelError(
      describeModelFailure(timeBudget.signal.aborted ? timeBudget.signal.reason : error, reader.hasBegun),
    );
  } finally {
    timeBudget.end();
  }
}

/** Returns the error for a failed model; `why` is the end of a sentence that starts with "The model". */
export function createModelError(why: string): AutomationError {
  return new AutomationError("model_failed", `the model ${why}`);
}

function makeEarlyEndError(): AutomationError {
  return createModelError("ended its response early");
}

/** Reads the parts of one message. */
class TurnReader {
  readonly #settings: TurnSettings;
  readonly #content: Exclude<AssistantModelMessage["content"], string> = [];
  readonly #calls: ToolCall[] = [];
  readonly #started = new Set<string>();
  readonly #redaction: RedactingStream;
  #openPart: { readonly type: "text" | "reasoning"; text: string } | undefined;
  #finish: Extract<Part, { type: "finish-step" }> | undefined;
  #bytes = 0;
  #isCharged = false;
  /** Error thrown by `emit`. */
  listenerError: unknown;

  constructor(settings: TurnSettings) {
    this.#settings = settings;
    this.#redaction = new RedactingStream(settings.secrets);
  }

  /** True once any part of the message was received. */
  get hasBegun(): boolean {
    return this.#bytes > 0;
  }

  async add(part: Part): Promise<void> {
    if (part.type === "text-delta") await this.#appendText("text", part.text);
    else if (part.type === "reasoning-delta") await this.#appendText("reasoning", part.text);
    else if (part.type === "tool-input-start") await this.#startToolCall(part.id, part.toolName);
    else if (part.type === "tool-input-delta") this.#bytes += Buffer.byteLength(part.delta);
    else if (part.type === "tool-call") await this.#addToolCall(part);
    else if (part.type === "finish-step") this.#finish = part;
    else if (part.type === "error") throw part.error;
  }

  /** Ends the message and charges its cost. */
  async end(): Promise<ModelTurn> {
    await this.#closePart();
    const finish = this.#finish;
    if (!finish) throw makeEarlyEndError();
    const tokens = readTokens(finish.usage);
    const usage = tokens && tokens.uncachedInput + tokens.cachedInput + tokens.cacheWrite > 0 ? tokens : undefined;
    if (usage) this.#settings.ledger.add(usage);
    else this.#chargeEstimate();
    this.#isCharged = true;
    if (finish.finishReason === "error") throw makeEarlyEndError();
    await this.#emit({ type: "message_complete", role: "assistant" });
    return {
      message: { role: "assistant", content: this.#content },
      text: this.#content.map((part) => (part.type === "text" ? part.text : "")).join(""),
      calls: this.#calls,
      finishReason: finish.finishReason,
      inputTokens: usage && finish.usage.inputTokens,
    };
  }

  /** Charges an incomplete message at its upper bound. A call that the provider rejected with an error status costs nothing. */
  chargeIncompleteResponse(error: unknown): void {
    if (this.#isCharged || (isProviderRefusal(error) && this.#bytes === 0)) return;
    this.#chargeEstimate();
  }

  /** Charges the upper bound of the message: no more output than was allowed. */
  #chargeEstimate(): void {
    this.#isCharged = true;
    const { ledger, inputTokens, model } = this.#settings;
    ledger.addEstimate(inputTokens, Math.min(this.#bytes, model.limits.outputTokens));
  }

  async #appendText(type: "text" | "reasoning", text: string): Promise<void> {
    if (text === "") return;
    if (this.#openPart?.type !== type) {
      await this.#closePart();
      this.#openPart = { type, text: "" };
    }
    this.#openPart.text += text;
    this.#bytes += Buffer.byteLength(text);
    await this.#emitDelta(type, this.#redaction.redactPiece(text));
  }

  async #startToolCall(id: string, name: string): Promise<void> {
    if (this.#started.has(id)) return;
    this.#started.add(id);
    this.#bytes += Buffer.byteLength(name);
    await this.#closePart();
    await this.#emit({ type: "tool_start", name: this.#settings.secrets.redact(name.slice(0, 60)) });
  }

  async #addToolCall(call: ToolCall): Promise<void> {
    const { toolCallId, toolName, input, providerMetadata } = call;
    await this.#startToolCall(toolCallId, toolName);
    this.#calls.push(call);
    this.#content.push({
      type: "tool-call",
      toolCallId,
      toolName,
      input: typeof input === "object" && input !== null ? input : {},
      ...(providerMetadata ? { providerOptions: providerMetadata } : {}),
    });
  }

  async #closePart(): Promise<void> {
    const open = this.#openPart;
    if (!open) return;
    this.#openPart = undefined;
    this.#content.push({ type: open.type, text: open.text });
    await this.#emitDelta(open.type, this.#redaction.end());
  }

  async #emitDelta(type: "text" | "reasoning", delta: string): Promise<void> {
    if (delta !== "") await this.#emit({ type: type === "text" ? "text_delta" : "thinking_delta", delta });
  }

  async #emit(event: Parameters<Workplace["emit"]>[0]): Promise<void> {
    try {
      await this.#settings.workplace.emit(event);
    } catch (error) {
      this.listenerError = error;
      throw error;
    }
  }
}
