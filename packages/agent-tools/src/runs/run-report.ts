import type { StreamEvent, TerminalEvent } from "@cloud-browser/stream";

/** Report of a run: its events as text, and its state. */
export interface RunReport {
  /** Adds an event. */
  readonly add: (event: StreamEvent) => void;
  /** Returns the text of the events, in order. Some of it comes from pages. */
  readonly text: () => string;
  /** Returns how many characters that has. */
  readonly chars: () => number;
  /** Returns the terminal event; undefined before it. */
  readonly end: () => TerminalEvent | undefined;
  /** Returns the last status; undefined before the first. */
  readonly status: () => string | undefined;
  /** Returns how many tools were started. */
  readonly steps: () => number;
}

/** Maximum number of characters of the result of one step. */
const mostOfStep = 1_500;

/**
 * Creates a report of a run.
 *
 * @param mostChars - characters of the data with which the run ends, at most
 */
export function createRunReport(mostChars: number): RunReport {
  const parts: string[] = [];
  let chars = 0;
  let isText = false;
  let end: TerminalEvent | undefined;
  let status: string | undefined;
  let steps = 0;
  const put = (text: string, joins = false): void => {
    const part = parts.length > 0 && !(joins && isText) ? `\n${text}` : text;
    parts.push(part);
    chars += part.length;
    isText = joins;
  };
  return {
    add(event) {
      switch (event.type) {
        case "text_delta":
          put(readText(event.delta), true);
          break;
        case "tool_start":
          steps += 1;
          put(`> ${cut(readText(event.name), 200)}`);
          break;
        case "tool_result":
          put(`< ${cut(readText(event.content), mostOfStep)}`);
          break;
        case "status":
          status = readText(event.status).slice(0, 100);
          break;
        case "done":
        case "error":
        case "timeout":
        case "cancelled": {
          end = event;
          const endText = describeEnd(event);
          if (endText !== "") put(cut(endText, mostChars));
          break;
        }
        case "thinking_delta":
        case "message_complete":
        case "notte_session_data":
        case "function_uploaded":
        case "unknown":
        default:
      }
    },
    text: () => parts.join(""),
    chars: () => chars,
    end: () => end,
    status: () => status,
    steps: () => steps,
  };
}

/** Returns the text of a terminal event, without cost and identifiers. */
function describeEnd(event: TerminalEvent): string {
  if (event.type === "done") {
    const { data }: { data?: unknown } = Object(event.metadata);
    return data === undefined ? "" : `data: ${JSON.stringify(data)}`;
  }
  const { error, reason, detail }: { error?: unknown; reason?: unknown; detail?: unknown } = { ...event };
  return [error, reason, detail]
    .filter((one) => one !== undefined && one !== null)
    .map(readText)
    .join(": ");
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} … (${text.length - most} characters left out)`;
}
