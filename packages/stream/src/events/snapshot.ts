import { isTerminalEvent, type AutomationEvent, type StreamEvent, type TerminalEvent } from "./event.ts";

/** One entry of the tool timeline: a start, or a result. Which result belongs to which start is not shown. Source: interface § Events. */
export type ToolEntry = Extract<AutomationEvent, { type: "tool_start" | "tool_result" }>;

/** The function that a run created. Source: interface § Events. */
export interface CreatedFunction {
  /** Identifier of the function. */
  readonly function_id: string;
  /** Name of the function; null when only `done` told of it. */
  readonly function_name: string | null;
  /** When it was created, as the wire has it; null when only `done` told of it. */
  readonly created_at: string | null;
}

/**
 * Summary of the events of a stream so far. Plain data: it survives JSON, and no event changes it; the next one is a new object.
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
  /** The function that was created: from `function_uploaded`, or its identifier alone from `done`; null before. */
  readonly function: CreatedFunction | null;
  /** Exact cost in US dollars; null until `done`: what a run cost that ended otherwise is not known. */
  readonly total_cost_usd: number | null;
  /** How the stream ended; null while it goes on. */
  readonly ended: TerminalEvent["type"] | null;
}

/** The snapshot before the first event. */
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
 * The snapshot after one more event. Pure: works as a reducer anywhere. Each entry of the tool timeline costs a copy of it.
 *
 * Source: interface § Events.
 */
export function reduceSnapshot(before: AutomationSnapshot, event: StreamEvent): AutomationSnapshot {
  const after = { ...before };
  addEvent(after, event);
  if (isToolEntry(event)) after.tools = [...before.tools, event];
  return after;
}

/** Keeps count of a stream: the reducer without its copies. */
export interface Tally {
  /** Adds one more event. */
  readonly add: (event: StreamEvent) => void;
  /** Summary of all events; a new object each time. */
  readonly snapshot: () => AutomationSnapshot;
}

/** Makes a tally of no events. */
export function createTally(): Tally {
  const draft: SnapshotDraft = createSnapshot();
  const tools: ToolEntry[] = [];
  let copy: readonly ToolEntry[] | undefined; // of the timeline, for all snapshots until its next entry
  return {
    add(event) {
      addEvent(draft, event);
      if (!isToolEntry(event)) return;
      tools.push(event);
      copy = undefined;
    },
    snapshot() {
      copy ??= [...tools];
      return { ...draft, tools: copy };
    },
  };
}

/** A snapshot in the making, which nobody else has. */
type SnapshotDraft = { -readonly [Field in keyof AutomationSnapshot]: AutomationSnapshot[Field] };

/** Tells the events that make the tool timeline. */
function isToolEntry(event: StreamEvent): event is ToolEntry {
  return event.type === "tool_start" || event.type === "tool_result";
}

/**
 * Adds one more event to a draft, but for the tool timeline: that is copied or not, as the caller needs it. Fields are taken
 * as the wire had them, with null for what is missing, and only text for text.
 */
function addEvent(draft: SnapshotDraft, event: StreamEvent): void {
  draft.events++;
  switch (event.type) {
    case "text_delta":
      if (typeof event.delta === "string") draft.text += event.delta;
      break;
    case "thinking_delta":
      if (typeof event.delta === "string") draft.thinking += event.delta;
      break;
    case "status":
      draft.status = event.status ?? null;
      break;
    case "message_complete":
      draft.messages++;
      break;
    case "notte_session_data":
      draft.viewer_url = event.viewer_url ?? null;
      break;
    case "function_uploaded":
      draft.function = createdFunction(event);
      break;
    case "unknown":
      draft.unknown++;
      break;
    case "done":
      draft.function ??= createdFunction(event);
      draft.total_cost_usd = event.total_cost_usd ?? null;
      break;
    case "error":
    case "timeout":
    case "cancelled":
    case "tool_start":
    case "tool_result":
  }
  if (isTerminalEvent(event)) draft.ended = event.type;
}

function createdFunction(event: {
  function_id?: string;
  function_name?: string;
  created_at?: string;
}): CreatedFunction | null {
  const { function_id, function_name = null, created_at = null } = event;
  return function_id ? { function_id, function_name, created_at } : null;
}
