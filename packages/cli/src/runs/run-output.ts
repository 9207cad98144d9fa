import { ClientError } from "@cloud-browser/client";
import { StreamError, type AutomationStream, type Outcome, type StreamEvent } from "@cloud-browser/stream";
import { describeObject, type OutputSchema } from "../output/output-schema.ts";
import type { Call } from "../command/command.ts";
import { CliError, type Failure } from "../errors/cli-error.ts";
import { harmless, jsonText, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Schema of the output of commands that follow a run with `--json`. */
export const runOutput: OutputSchema = describeObject(
  {
    thread_id: { type: ["string", "null"], description: "Id of the run; null when the server does not say." },
    outcome: {
      enum: ["done", "error", "timeout", "cancelled"],
      description: "How it ended.",
    },
    detail: { type: ["string", "null"], description: "Why it ended so; null when it is done." },
    cost_usd: {
      type: ["number", "null"],
      description: "What it cost, in US dollars; null when the server does not say.",
    },
    function_id: { type: ["string", "null"], description: "Function that it created; null without one." },
    data: { description: "Data that it extracted; null without any." },
    text: { type: "string", description: "What the agent said." },
  },
  "A run that has ended.",
);

/** Flags of commands that follow a run. */
export interface FollowFlags {
  /** Prints each event as a line of JSON. */
  readonly events?: boolean;
}

/** Request for a person. */
export interface Waiting {
  /** Id of the request. */
  readonly handoverId: string;
  /** Task for the person. */
  readonly message: string;
}

/** Handles a request for a person until the signal aborts, when the run continues or has ended. */
export type OnWaiting = (waiting: Waiting, signal: AbortSignal) => Promise<void>;

/** Follows a stream: its progress on standard error, and its result on standard output. Its failure is the exit code. */
export async function printRun(
  { flags, terminal, signal, print }: Call<FollowFlags>,
  stream: AutomationStream,
  id: string | undefined,
  onWaiting?: OnWaiting,
): Promise<void> {
  const tools: string[] = [];
  let [text, shownText, functionId] = ["", "", null as string | null];
  const isQuiet = flags.json || flags.events;
  /** Handling of the current request for a person. */
  let asking: { readonly handoverId: string; readonly over: AbortController; readonly work: Promise<void> } | undefined;
  try {
    for await (const event of stream) {
      const waiting = readWaiting(event);
      if (asking && waiting?.handoverId !== asking.handoverId) {
        asking.over.abort();
        await asking.work;
        asking = undefined;
      }
      if (flags.events) terminal.print(JSON.stringify(event.type === "unknown" ? event.event : event));
      if (event.type === "text_delta") text += event.delta;
      if (event.type === "function_uploaded") functionId = event.function_id;
      if (isQuiet) continue;
      const line = formatProgress(event, tools, terminal);
      if (line !== undefined) {
        if (text !== shownText) terminal.note(harmless(text.slice(shownText.length)).trimEnd());
        shownText = text;
        terminal.note(line);
      }
      if (waiting && onWaiting && !asking) {
        const over = new AbortController();
        asking = {
          handoverId: waiting.handoverId,
          over,
          work: onWaiting(waiting, AbortSignal.any([signal, over.signal])),
        };
      }
    }
  } catch (error) {
    // The outcome says what of it the person needs; but what another file of this program throws is no end of the stream.
    if (!(error instanceof StreamError) || error.code === "aborted") throw error;
    if (error.cause instanceof ClientError && error.cause.code !== "network") throw error.cause;
  } finally {
    asking?.over.abort();
    await asking?.work;
  }
  const outcome = await stream.outcome();
  if (outcome.type === "broken" || outcome.type === "left") throw brokenError(outcome, id);
  const { metadata = {}, total_cost_usd: cost }: { readonly metadata?: object; readonly total_cost_usd?: unknown } =
    Object(outcome.event);
  const data: unknown = "data" in metadata ? metadata.data : null;
  const known = "thread_id" in metadata && typeof metadata.thread_id === "string" ? metadata.thread_id : undefined;
  const detail = outcome.type === "done" ? null : printable(formatDetail(outcome));
  const result = {
    thread_id: id ?? known ?? null,
    outcome: outcome.type,
    detail,
    cost_usd: typeof cost === "number" ? cost : null,
    function_id: functionId,
    data,
    text,
  };
  if (!flags.events) {
    print(result, () => {
      if (data !== null) terminal.print(jsonText(data));
      else if (text.trim() !== "") terminal.print((terminal.stdout.isTTY ? harmless(text) : text).trimEnd());
    });
  }
  if (detail !== null) throw new CliError(failures[outcome.type], detail);
  if (!isQuiet) {
    const { green } = terminal.noteColors;
    const functionNote = functionId === null ? "" : `; function ${printable(functionId)}`;
    terminal.note(`${green("done")}${result.cost_usd === null ? "" : ` for ${result.cost_usd} USD`}${functionNote}`);
  }
}

const failures: Readonly<Record<"done" | "error" | "timeout" | "cancelled", Failure>> = {
  done: "failed",
  error: "failed",
  timeout: "timeout",
  cancelled: "cancelled",
};

/** One line for each tool, when it is done, and for each time that the run waits for a person. */
function formatProgress(event: StreamEvent, tools: string[], { noteColors }: Terminal): string | undefined {
  if (event.type === "status" && event.status === "waiting_for_person") {
    const message = readWaiting(event)?.message;
    const what = message === undefined ? "a person controls the session" : `for a person: ${printable(message)}`;
    return `${noteColors.yellow("waiting".padEnd(13))} ${what}`;
  }
  if (event.type === "tool_start") tools.push(formatField(event.name));
  return event.type === "tool_result"
    ? `${noteColors.cyan(printable(tools.shift() ?? "").padEnd(13))} ${printable(formatField(event.content))}`
    : undefined;
}

/** Returns whom an event asks, and for what; undefined for any other event. */
function readWaiting(event: StreamEvent): Waiting | undefined {
  if (event.type !== "status" || event.status !== "waiting_for_person") return undefined;
  const { handover_id: id, message }: { readonly handover_id?: unknown; readonly message?: unknown } = Object(event);
  return typeof id === "string" && typeof message === "string" ? { handoverId: id, message } : undefined;
}

function formatDetail(outcome: Exclude<Outcome, { type: "done" | "broken" | "left" }>): string {
  switch (outcome.type) {
    case "error":
      return `${formatField(outcome.event.detail)} (${formatField(outcome.event.error)})`;
    case "timeout":
      return `${formatField(outcome.event.detail)} (${formatField(outcome.event.reason)})`;
    case "cancelled":
      return `the run was cancelled (${formatField(outcome.event.reason)})`;
  }
}

function brokenError(outcome: Extract<Outcome, { type: "broken" | "left" }>, id: string | undefined): CliError {
  if (outcome.type === "broken" && outcome.error.code === "not-a-stream") {
    return new CliError(
      "impossible",
      "the server did not answer with an event stream: is this the base URL of the API?",
    );
  }
  const why = outcome.type === "broken" ? formatReason(outcome.error) : "it was left";
  const how =
    id === undefined ? "list runs with: cloud-browser runs" : `follow it with: cloud-browser runs follow ${id}`;
  return new CliError("broken", printable(`the events of the run broke off (${why}); it may still be active: ${how}`));
}

function formatReason({ message, cause }: StreamError): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Fields of events are as the server sent them. */
function formatField(field: unknown): string {
  return typeof field === "string" ? field : (JSON.stringify(field) ?? "");
}
