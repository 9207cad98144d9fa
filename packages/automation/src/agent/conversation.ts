import type { AssistantModelMessage, ModelMessage } from "ai";
import type { View } from "./page-view.ts";

/** Result of one tool call, as stored in the conversation. */
export interface CallResult {
  /** Id of the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** Text for the model. */
  readonly text: string;
  /** Line that replaces the result when its turn is dropped. */
  readonly digest: string;
}

/** A message of the model, and the results returned for it. */
export interface Turn {
  /** The model's message. */
  readonly assistant: AssistantModelMessage;
  /** Results of its calls, in their order. */
  readonly results: readonly CallResult[];
  /** The page at that time, sent with the last result; dropped once a full page has followed. */
  readonly page?: View & { readonly tagged: string };
  /** Note to the model. */
  readonly note?: string;
}

/** Longest digest of dropped turns, in characters. */
const maxDigest = 6_000;

/**
 * Holds the messages so far within a limit of characters: earlier pages are replaced by a line and, if that is not enough, the oldest
 * turns by one line for each call.
 */
export class Conversation {
  readonly #task: string;
  readonly #maxCharacters: number;
  readonly #exchanges: Turn[] = [];
  #digest: string[] = [];

  constructor(task: string, maxCharacters: number) {
    this.#task = task;
    this.#maxCharacters = maxCharacters;
  }

  /** Adds the last turn. */
  add(exchange: Turn): void {
    this.#exchanges.push(exchange);
  }

  /** Returns all messages for the next call of the model. */
  listMessages(): readonly ModelMessage[] {
    for (;;) {
      const messages = this.#render();
      if (this.#exchanges.length <= 1 || JSON.stringify(messages).length <= this.#maxCharacters) return messages;
      this.#dropOldest();
    }
  }

  #dropOldest(): void {
    const oldest = this.#exchanges.shift();
    this.#digest.push(...(oldest?.results ?? []).map(({ digest }) => digest));
    while (this.#digest.join("\n").length > maxDigest) this.#digest.shift();
  }

  #render(): readonly ModelMessage[] {
    const lastFullPage = this.#exchanges.findLastIndex(({ page }) => page?.isFullPage);
    const done =
      this.#digest.length === 0 ? "" : `\n\n(What was done until now, in short:\n${this.#digest.join("\n")})`;
    return [
      { role: "user", content: this.#task + done },
      ...this.#exchanges.flatMap((exchange, index) => render(exchange, index >= lastFullPage)),
    ];
  }
}

function render({ assistant, results, page, note }: Turn, showsPage: boolean): readonly ModelMessage[] {
  const pageText = page && (showsPage ? page.tagged : "(The page as it was then is left out.)");
  const content = results.map(({ callId, toolName, text }, index) => ({
    type: "tool-result" as const,
    toolCallId: callId,
    toolName,
    output: { type: "text" as const, value: index === results.length - 1 && pageText ? `${text}\n${pageText}` : text },
  }));
  return [
    assistant,
    ...(content.length === 0 ? [] : [{ role: "tool" as const, content }]),
    ...(note === undefined ? [] : [{ role: "user" as const, content: note }]),
  ];
}
