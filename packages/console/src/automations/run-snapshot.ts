import { isTerminalEvent, type StreamEvent, type TerminalEvent } from "@cloud-browser/stream";

/** Entry of a run: a thought, a text or a tool call, in order. */
export interface RunEntry {
  readonly kind: "thinking" | "text" | "tool" | "status";
  /** Text so far; of a tool its name. */
  readonly text: string;
  /** Result of a tool; undefined until it is there. */
  readonly result?: string;
}

/** State of a run, from its events. */
export interface RunSnapshot {
  readonly entries: readonly RunEntry[];
  /** The event that ended it; undefined before. */
  readonly terminal: TerminalEvent | undefined;
}

/** Returns a snapshot before the first event. */
export function emptySnapshot(): RunSnapshot {
  return { entries: [], terminal: undefined };
}

/** Returns a snapshot with one more event. Deltas are joined; a result belongs to the last tool that has none. */
export function addEvent({ entries, terminal }: RunSnapshot, event: StreamEvent): RunSnapshot {
  return { entries: addEntry(entries, event), terminal: isTerminalEvent(event) ? event : terminal };
}

function addEntry(entries: readonly RunEntry[], event: StreamEvent): readonly RunEntry[] {
  const fields: Readonly<Record<string, unknown>> = { ...event };
  const text = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
  const { type }: { readonly type: string } = event;
  switch (type) {
    case "thinking_delta":
      return joinDelta(entries, "thinking", text("delta"));
    case "text_delta":
      return joinDelta(entries, "text", text("delta"));
    case "tool_start":
      return [...entries, { kind: "tool", text: text("name") }];
    case "tool_result": {
      const content = fields["content"];
      const result = typeof content === "string" ? content : JSON.stringify(content ?? "");
      const at = entries.findLastIndex(({ kind, result: known }) => kind === "tool" && known === undefined);
      if (at === -1) return [...entries, { kind: "tool", text: "result", result }];
      return entries.with(at, { kind: "tool", text: entries[at]?.text ?? "", result });
    }
    case "status":
      return [...entries, { kind: "status", text: text("status") }];
    default:
      return entries;
  }
}

function joinDelta(entries: readonly RunEntry[], kind: "thinking" | "text", delta: string): readonly RunEntry[] {
  const last = entries.at(-1);
  if (last?.kind !== kind) return [...entries, { kind, text: delta }];
  return entries.with(entries.length - 1, { kind, text: last.text + delta });
}
