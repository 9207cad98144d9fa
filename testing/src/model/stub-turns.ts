/** Tokens that a turn reports, as OpenAI counts: cached tokens are a part of the input, reasoning is one of the output. */
export interface StubUsage {
  /** All input. */
  readonly input: number;
  /** Part of it that was read from the cache. */
  readonly cachedInput?: number;
  /** Part of it that was written to the cache (`prompt_tokens_details.cache_write_tokens`). */
  readonly cacheWrite?: number;
  /** All output. */
  readonly output: number;
  /** Part of it that was reasoning. */
  readonly reasoning?: number;
}

/** A tool that the model calls. */
export interface StubToolCall {
  /** Name of the tool. */
  readonly name: string;
  /** Its arguments: a value is sent as JSON; a string is sent as it is, so it may be broken JSON. */
  readonly arguments: unknown;
  /** Its id. Default: `call_<turn>_<number>`. */
  readonly id?: string;
}

/** Failure of a turn. */
export type StubFailure =
  /** An answer with this status and an error body of the provider; `retryAfter` in seconds, `location` for redirects. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter?: number;
      readonly location?: string;
      readonly message?: string;
    }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** Nothing comes any more after so many bytes of the body; -1: not even the status. Ends when the client goes. */
  | { readonly kind: "hang"; readonly afterBytes: number }
  /** Body that is not JSON, or stream with an event that is not JSON. */
  | { readonly kind: "garbage" };

/** One answer of the stub. Its parts are sent in this order: reasoning, text, tool calls. */
export interface StubTurn {
  /** Sent as `reasoning_content`. */
  readonly reasoning?: string;
  /** Sent as `content`. */
  readonly text?: string;
  /** Sent as `content`, as JSON. */
  readonly json?: unknown;
  /** Tools that are called. */
  readonly toolCalls?: readonly StubToolCall[];
  /** Tokens that are reported and kept in the ledger; null reports none. Default: 100 in and 10 out. */
  readonly usage?: StubUsage | null;
  /** Characters of a delta of a stream. Default: 8. */
  readonly pieceLength?: number;
  /** Wait before each delta of a stream, and before any other answer, in milliseconds. Default: 0. */
  readonly delayMs?: number;
  /** Reason of the end. Default: `tool_calls` or `stop`. */
  readonly finishReason?: string;
  /** Failure of the turn. */
  readonly failure?: StubFailure;
}

/** Writes the usage as it goes over the wire. */
function writeUsage({ usage = { input: 100, output: 10 } }: StubTurn): object | undefined {
  if (usage === null) return undefined;
  const { input, cachedInput = 0, cacheWrite, output, reasoning = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cachedInput,
      ...(cacheWrite === undefined ? {} : { cache_write_tokens: cacheWrite }),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** Writes the turn as one JSON body. */
export function writeBody(turn: StubTurn, number: number, model: string): string {
  const calls = writeToolCalls(turn, number).map(({ index: _, ...call }) => call);
  const message = {
    role: "assistant",
    content: writeContent(turn) ?? null,
    ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, finish_reason: chooseFinishReason(turn) }];
  return JSON.stringify({ ...writeHead("chat.completion", number, model), choices, usage: writeUsage(turn) });
}

/** Writes the turn as events of a stream, without `[DONE]`. */
export function writeChunks(turn: StubTurn, number: number, model: string): readonly string[] {
  const length = turn.pieceLength ?? 8;
  const deltas: object[] = [{ role: "assistant", content: "" }];
  for (const piece of splitText(turn.reasoning ?? "", length)) deltas.push({ reasoning_content: piece });
  for (const piece of splitText(writeContent(turn) ?? "", length)) deltas.push({ content: piece });
  for (const { index, id, type, function: tool } of writeToolCalls(turn, number)) {
    deltas.push({ tool_calls: [{ index, id, type, function: { name: tool.name, arguments: "" } }] });
    for (const piece of splitText(tool.arguments, length))
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  const chunk = (rest: object): string =>
    JSON.stringify({ ...writeHead("chat.completion.chunk", number, model), ...rest });
  const usage = writeUsage(turn);
  return [
    ...deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: chooseFinishReason(turn) }] }),
    ...(usage ? [chunk({ choices: [], usage })] : []),
  ];
}

function writeHead(object: string, number: number, model: string): object {
  return { id: `stub-${number}`, object, created: 1_750_000_000 + number, model };
}

function writeContent({ text, json }: StubTurn): string | undefined {
  return json === undefined ? text : JSON.stringify(json);
}

function chooseFinishReason({ finishReason: reason, toolCalls: calls = [] }: StubTurn): string {
  return reason ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function writeToolCalls({ toolCalls: calls = [] }: StubTurn, number: number) {
  return calls.map(({ id, name, arguments: args }, index) => ({
    index,
    id: id ?? `call_${number}_${index}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
}

function splitText(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}
