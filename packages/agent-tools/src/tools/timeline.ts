import type { ControlSchemas } from "@cloud-browser/client/control";
import type { ToolEnvironment } from "./tool-environment.ts";
import { factsSchema, sessionId } from "./schemas.ts";
import type { Tool } from "./tool.ts";

/** A part of a timeline, as lines. */
export interface TimelineLines {
  /** One line for each entry: what happened, who did it. */
  readonly text: string;
  /** Number of the last entry. */
  readonly last: number;
  readonly hasMore: boolean;
}

/** Maximum number of entries that are read at once. */
const mostEntries = 200;

/** Reads entries of the timeline of a session after a number, as lines, of at most so many characters. */
export async function readTimelineLines(
  { control }: ToolEnvironment,
  id: string,
  after: number,
  mostChars: number,
  signal: AbortSignal,
): Promise<TimelineLines> {
  const part = await control.timeline.read(id, { after, limit: mostEntries }, { signal });
  const lines: string[] = [];
  let [chars, last] = [0, after];
  for (const entry of part.entries) {
    const line = describeEntry(entry);
    if (lines.length > 0 && chars + line.length > mostChars) break;
    lines.push(line);
    chars += line.length + 1;
    last = entry.seq;
  }
  return { text: lines.join("\n"), last, hasMore: part.has_more || lines.length < part.entries.length };
}

/** Reads what happened in a session. */
export const timelineTool: Tool = {
  name: "read_timeline",
  title: "Read what happened in a session",
  description: "Read what was done in a session, by whom: navigations, clicks, fills, steps of runs.",
  inputSchema: {
    type: "object",
    properties: {
      session_id: sessionId,
      after: { type: "integer", minimum: 0, description: "as the last result says" },
    },
    required: ["session_id"],
    additionalProperties: false,
  },
  outputSchema: factsSchema({ session_id: "string", after: "integer", next: "string" }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  needsControl: true,
  async run(environment, args, { signal }) {
    const id = args.requiredText("session_id");
    const size = environment.settings.maxPageChars;
    const { text, last, hasMore } = await readTimelineLines(environment, id, args.number("after") ?? 0, size, signal);
    return {
      facts: { session_id: id, after: last, ...(hasMore && { next: `the same call with "after":${last}` }) },
      ...(text !== "" && { pageText: text }),
    };
  },
};

/** Describes an entry in one line: when, who, what, and the rest as it is. */
function describeEntry({
  seq: _seq,
  at_ms,
  video_ms: _video,
  kind,
  by,
  target,
  ...rest
}: ControlSchemas["TimelineEntry"]): string {
  const on = target === undefined || target === null ? "" : ` ${target.role ?? ""} ${JSON.stringify(target.name)}`;
  const more = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  return `${(at_ms / 1_000).toFixed(1)}s ${by} ${kind}${on}${more}`;
}
