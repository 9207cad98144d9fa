import {
  APICallError,
  RetryError,
  streamText,
  type AssistantModelMessage,
  type FinishReason,
  type ModelMessage,
  type TextStreamPart,
} from "ai";
import { describeModelFailure, type Model, tokensOf } from "@cloud-browser/page-content";
import { TimeBudget } from "../async.ts";
import { AutomationError } from "../automation-error.ts";
import type { Workplace } from "../task/work.ts";
import { agentTools, type ToolCall } from "./agent-tools.ts";
import type { CostLedger } from "./cost-ledger.ts";
import { HiddenStream, type Secrets } from "../task/secrets.ts";

/** Options of one call of the model. */
export interface TurnSettings {
  /** The model. */
  readonly model: Model;
  /** System prompt. */
  readonly instructions: string;
  /** Messages so far. */
  readonly messages: readonly ModelMessage[];
  /** Most tokens that the call sends. */
  readonly inputTokens: number;
  /** Is told what the model says, as it says it. */
  readonly place: Pick<Workplace, "tell" | "signal">;
  /** Pays for it. */
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
  /** Tokens that were sent; undefined when the provider did not tell. */
  readonly inputTokens: number | undefined;
}

type Part = TextStreamPart<typeof agentTools>;

/**
 * Calls the model once and tells what it says while it says it. It is read no faster than those who are told read.
 *
 * @throws {AutomationError} `budget_spent`, `model_failed`
 */
export async function takeTurn(settings: TurnSettings): Promise<ModelTurn> {
  const { model, instructions, messages, inputTokens, place, ledger } = settings;
  const { limits } = model;
  place.signal.throwIfAborted();
  ledger.requireRoomFor(inputTokens, limits.outputTokens);
  const reader = new TurnReader(settings);
  const timeBudget = new TimeBudget(limits.timeMs, place.signal);
  try {
    const { stream } = streamText({
      model: model.language,
      instructions,
      messages: [...messages],
      tools: agentTools,
      maxOutputTokens: limits.outputTokens,
      maxRetries: limits.retries,
      abortSignal: timeBudget.signal,
      telemetry: { isEnabled: false },
      onError: () => {}, // told by the stream too
    });
    const parts = stream[Symbol.asyncIterator]();
    for (;;) {
      const next = await timeBudget.during(parts.next());
      if (next.done) break;
      await reader.take(next.value);
    }
    timeBudget.signal.throwIfAborted();
    return await reader.end();
  } catch (error) {
    reader.payForWhatWasSaid(error);
    place.signal.throwIfAborted();
    if (error instanceof AutomationError || error === reader.listenerFault) throw error;
    throw modelFailed(
      describeModelFailure(timeBudget.signal.aborted ? timeBudget.signal.reason : error, reader.hasBegun),
    );
  } finally {
    timeBudget.end();
  }
}

/** The error of a model that can't be used; `why` is the end of a sentence that starts with "The model". */
export function modelFailed(why: string): AutomationError {
  return new AutomationError("model_failed", `The model ${why}.`);
}

/** Reads the parts of one message. */
class TurnReader {
  readonly #settings: TurnSettings;
  readonly #content: Exclude<AssistantModelMessage["content"], string> = [];
  readonly #calls: ToolCall[] = [];
  readonly #started = new Set<string>();
  readonly #hidden: HiddenStream;
  #open: { readonly type: "text" | "reasoning"; text: string } | undefined;
  #finish: Extract<Part, { type: "finish-step" }> | undefined;
  #bytes = 0;
  #isPaid = false;
  /** Error that the listener threw. */
  listenerFault: unknown;

  constructor(settings: TurnSettings) {
    this.#settings = settings;
    this.#hidden = new HiddenStream(settings.secrets);
  }

  /** True when any of the message has come. */
  get hasBegun(): boolean {
    return this.#bytes > 0;
  }

  async take(part: Part): Promise<void> {
    if (part.type === "text-delta") await this.#say("text", part.text);
    else if (part.type === "reasoning-delta") await this.#say("reasoning", part.text);
    else if (part.type === "tool-input-start") await this.#start(part.id, part.toolName);
    else if (part.type === "tool-input-delta") this.#bytes += Buffer.byteLength(part.delta);
    else if (part.type === "tool-call") await this.#call(part);
    else if (part.type === "finish-step") this.#finish = part;
    else if (part.type === "error") throw part.error;
  }

  /** The whole message; its cost is paid. */
  async end(): Promise<ModelTurn> {
    await this.#close();
    const finish = this.#finish;
    if (!finish) throw modelFailed("ended its response early");
    const tokens = tokensOf(finish.usage);
    const told = tokens && tokens.uncachedInput + tokens.cachedInput + tokens.cacheWrite > 0 ? tokens : undefined;
    if (told) this.#settings.ledger.add(told);
    else this.#settings.ledger.addUntold(this.#settings.inputTokens, this.#bytes);
    this.#isPaid = true;
    if (finish.finishReason === "error") throw modelFailed("ended its response early");
    await this.#tell({ type: "message_complete", role: "assistant" });
    return {
      message: { role: "assistant", content: this.#content },
      text: this.#content.map((part) => (part.type === "text" ? part.text : "")).join(""),
      calls: this.#calls,
      finishReason: finish.finishReason,
      inputTokens: told && finish.usage.inputTokens,
    };
  }

  /** Counts what a message may have cost that was not told whole. What a provider refused by a status costs nothing. */
  payForWhatWasSaid(error: unknown): void {
    const last = RetryError.isInstance(error) ? error.lastError : error;
    const isRefused = APICallError.isInstance(last) && (last.statusCode ?? 0) >= 400;
    if (this.#isPaid || (isRefused && this.#bytes === 0)) return;
    this.#isPaid = true;
    this.#settings.ledger.addUntold(this.#settings.inputTokens, this.#bytes);
  }

  async #say(type: "text" | "reasoning", text: string): Promise<void> {
    if (text === "") return;
    if (this.#open?.type !== type) {
      await this.#close();
      this.#open = { type, text: "" };
    }
    this.#open.text += text;
    this.#bytes += Buffer.byteLength(text);
    await this.#tellDelta(type, this.#hidden.take(text));
  }

  async #start(id: string, name: string): Promise<void> {
    if (this.#started.has(id)) return;
    this.#started.add(id);
    this.#bytes += Buffer.byteLength(name);
    await this.#close();
    await this.#tell({ type: "tool_start", name: this.#settings.secrets.hide(name.slice(0, 60)) });
  }

  async #call(call: ToolCall): Promise<void> {
    const { toolCallId, toolName, input, providerMetadata } = call;
    await this.#start(toolCallId, toolName);
    this.#calls.push(call);
    this.#content.push({
      type: "tool-call",
      toolCallId,
      toolName,
      input: typeof input === "object" && input !== null ? input : {},
      ...(providerMetadata ? { providerOptions: providerMetadata } : {}),
    });
  }

  async #close(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    this.#content.push({ type: open.type, text: open.text });
    await this.#tellDelta(open.type, this.#hidden.end());
  }

  async #tellDelta(type: "text" | "reasoning", delta: string): Promise<void> {
    if (delta !== "") await this.#tell({ type: type === "text" ? "text_delta" : "thinking_delta", delta });
  }

  async #tell(event: Parameters<Workplace["tell"]>[0]): Promise<void> {
    try {
      await this.#settings.place.tell(event);
    } catch (error) {
      this.listenerFault = error;
      throw error;
    }
  }
}
