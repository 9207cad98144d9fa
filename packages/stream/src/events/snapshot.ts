import { cutText } from "./cut-text.ts";
import { isTerminal, type AutomationEvent, type StreamEvent, type TerminalEvent } from "./event.ts";

/** A tool start or result. The interface does not show which result belongs to which start. Source: interface § Events. */
export type ToolEntry = Extract<AutomationEvent, { type: "tool_start" | "tool_result" }>;

/** The function that a run created. Source: interface § Events. */
export interface CreatedFunction {
  /** Identifier of the function. */
  readonly function_id: string;
  /** Name of the function; null when it is known from `done` only. */
  readonly function_name: string | null;
  /** Time of creation, as on the wire; null when the function is known from `done` only. */
  readonly created_at: string | null;
}

/**
 * Summary of the events of a stream so far. Plain JSON data, and immutable: later events make new snapshots.
 *
 * Source: interface § Events.
 */
export interface AutomationSnapshot {
  /** Number of events, including unlisted ones. */
  readonly events: number;
  /** Number of events of types that the interface does not list. */
  readonly unknown: number;
  /** The agent's response text so far. */
  readonly text: string;
  /** The agent's reasoning so far. */
  readonly thinking: string;
  /** The latest status; null before the first. */
  readonly status: string | null;
  /** Tool starts and results, in order. */
  readonly tools: readonly ToolEntry[];
  /** Number of persisted messages. */
  readonly messages: number;
  /** URL of the live viewer of the session; null before it is known. Treat it as a secret. */
  readonly viewer_url: string | null;
  /** The created function, from `function_uploaded`, or with its identifier only from `done`; null before. */
  readonly function: CreatedFunction | null;
  /** Exact cost in US dollars; null before `done`: the cost of a run that ends otherwise is not known. */
  readonly total_cost_usd: number | null;
  /** Type of the terminal event; null before it. */
  readonly ended: TerminalEvent["type"] | null;
}

/**
 * Creates the snapshot before the first event.
 *
 * @example
 * ```ts from=examples/api/stream/create-snapshot.ts
 * import { createSnapshot } from "@cloud-browser/stream";
 *
 * const { text, tools } = createSnapshot(); // before the first event; `reduceSnapshot` adds one
 * console.log(JSON.stringify({ text, tools })); // {"text":"","tools":[]}
 * ```
 */
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

/** Returns the snapshot after one more event. */
export function reduce(before: AutomationSnapshot, event: StreamEvent): AutomationSnapshot {
  const after = { ...before };
  addEvent(after, event);
  if (isToolEntry(event)) after.tools = [...before.tools, event];
  return after;
}

/** A mutable accumulator of a snapshot: like the reducer, without its copies. */
export interface Tally {
  /** Adds an event. */
  readonly add: (event: StreamEvent) => void;
  /** Returns the snapshot of all events; a new object each time. */
  readonly snapshot: () => AutomationSnapshot;
}

/** Number of events after which a tally joins their deltas: separate ones would survive a few garbage collections. */
const joinedEvents = 64;

/**
 * Length of the longest text that is joined by a copy, 500 for each event: to copy longer deltas takes longer than to keep them, and what
 * engines add to each, some 85 bytes, is little beside them. Of short ones it would be more than the text.
 */
const maxJoined = 32_000; // a product would stay in bundles that need none of it

/** Creates a tally without events. */
export function createTally(): Tally {
  /** The snapshot, but its texts are only what came after those that are joined. */
  const draft: SnapshotDraft = createSnapshot();
  /** The texts before that. */
  let [text, thinking] = ["", ""];
  const tools: ToolEntry[] = [];
  let copy: readonly ToolEntry[] | undefined; // of the timeline, shared by snapshots until its next entry
  const join = (): void => {
    text += joinText(draft.text);
    thinking += joinText(draft.thinking);
    draft.text = draft.thinking = "";
  };
  return {
    add(event) {
      addEvent(draft, event);
      if (draft.events % joinedEvents === 0) join();
      if (!isToolEntry(event)) return;
      tools.push(event);
      copy = undefined;
    },
    snapshot() {
      join();
      copy ??= [...tools];
      return { ...draft, text, thinking, tools: copy };
    },
  };
}

/** Returns a text of many parts as one part, if they are short. */
function joinText(text: string): string {
  return text.length > maxJoined ? text : cutText(text, 0, text.length);
}

/** A snapshot under construction. */
type SnapshotDraft = { -readonly [Field in keyof AutomationSnapshot]: AutomationSnapshot[Field] };

/** Returns whether an event belongs to the tool timeline. */
function isToolEntry(event: StreamEvent): event is ToolEntry {
  return event.type === "tool_start" || event.type === "tool_result";
}

/**
 * Adds an event to a draft, except for the tool timeline, which callers copy or not. Fields are taken as on the wire, with
 * null for missing ones; deltas that are not strings are ignored.
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
  if (isTerminal(event)) draft.ended = event.type;
}

function createdFunction(event: {
  function_id?: string;
  function_name?: string;
  created_at?: string;
}): CreatedFunction | null {
  const { function_id, function_name = null, created_at = null } = event;
  return function_id ? { function_id, function_name, created_at } : null;
}
