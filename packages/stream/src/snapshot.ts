import type { AutomationEvent, StreamEvent, TerminalEvent } from "./event.ts";

/** One entry of the tool timeline: a start, or a result. Which result belongs to which start is not shown. Source: interface § Events. */
export type ToolEntry = Extract<AutomationEvent, { type: "tool_start" | "tool_result" }>;

/**
 * What a stream has told until now. Plain data: it survives JSON, and no event changes it; the next one is a new object.
 *
 * Source: interface § Events.
 */
export interface AutomationSnapshot {
  /** Number of events, unlisted ones included. */
  readonly events: number;
  /** Number of events of types that the interface does not list. */
  readonly unknown: number;
  /** The agent's response text until now. */
  readonly text: string;
  /** The agent's reasoning until now. */
  readonly thinking: string;
  /** The newest status; null before the first. */
  readonly status: string | null;
  /** Starts and results of tools, in order. */
  readonly tools: readonly ToolEntry[];
  /** Number of messages that were persisted. */
  readonly messages: number;
  /** Address at which the session can be watched; null before it is known. Treat it as a secret. */
  readonly viewer_url: string | null;
  /** The function that was created: from `function_uploaded`, or its identifier alone from `done`. */
  readonly function: {
    readonly function_id: string;
    readonly function_name?: string;
    readonly created_at?: string;
  } | null;
  /** Exact cost in US dollars; null until `done`: what a run cost that ended otherwise is not known. */
  readonly total_cost_usd: number | null;
  /** How the stream ended; null while it goes on. */
  readonly ended: TerminalEvent["type"] | null;
}

/** The snapshot before the first event. Source: ours. */
export function createSnapshot(): AutomationSnapshot {
  return {
    events: 0,
    unknown: 0,
    text: "",
    thinking: "",
    status: null,
    tools: [],
    messages: 0,
    viewer_url: null,
    function: null,
    total_cost_usd: null,
    ended: null,
  };
}

/**
 * The snapshot after one more event. Pure: works as a reducer anywhere.
 *
 * Source: interface § Events.
 */
export function reduceSnapshot(before: AutomationSnapshot, event: StreamEvent): AutomationSnapshot {
  const after = { ...before };
  addEvent(after, event);
  return after;
}

/** A snapshot in the making, which nobody else has. */
export type SnapshotDraft = { -readonly [Field in keyof AutomationSnapshot]: AutomationSnapshot[Field] };

/** Adds one more event to a draft; what the draft holds is replaced, never changed. */
export function addEvent(draft: SnapshotDraft, event: StreamEvent): void {
  draft.events++;
  switch (event.type) {
    case "text_delta":
      draft.text += event.delta;
      break;
    case "thinking_delta":
      draft.thinking += event.delta;
      break;
    case "status":
      draft.status = event.status;
      break;
    case "tool_start":
    case "tool_result":
      draft.tools = [...draft.tools, event];
      break;
    case "message_complete":
      draft.messages++;
      break;
    case "notte_session_data":
      draft.viewer_url = event.viewer_url;
      break;
    case "function_uploaded": {
      const { function_id, function_name, created_at } = event;
      draft.function = { function_id, function_name, created_at };
      break;
    }
    case "unknown":
      draft.unknown++;
      break;
    case "done":
      if (event.function_id !== undefined) draft.function ??= { function_id: event.function_id };
      draft.total_cost_usd = event.total_cost_usd;
      draft.ended = "done";
      break;
    case "error":
    case "timeout":
    case "cancelled":
      draft.ended = event.type;
  }
}
