import type { components } from "@cloud-browser/spec/types";

/**
 * One event of an automation stream, a union discriminated by `type`: the twelve that the interface lists.
 *
 * Only `type` is checked at run time: other fields are as they were on the wire, and there may be additional ones.
 *
 * Source: interface § Events.
 */
export type AutomationEvent = components["schemas"]["AutomationEvent"];

/**
 * An event whose `type` the interface does not list, unchanged in `event`.
 *
 * The wrapper lets `switch (event.type)` narrow the twelve listed events.
 */
export interface UnknownEvent {
  /** Always `unknown`. */
  readonly type: "unknown";
  /** The `type` on the wire. */
  readonly originalType: string;
  /** The JSON object on the wire, including its `type`. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** One item of a stream: a listed event, or an unlisted one in its wrapper. Source: interface § Events. */
export type StreamEvent = AutomationEvent | UnknownEvent;

/** The types of terminal events, after which a stream ends. Source: interface § Events. */
export const terminalTypes = ["done", "error", "timeout", "cancelled"] as const;

/** One of the four events after which a stream ends. Source: interface § Events. */
export type TerminalEvent = Extract<AutomationEvent, { type: (typeof terminalTypes)[number] }>;

/** Every listed type, and whether it is terminal; the compiler checks that it is complete. */
const listed: ReadonlyMap<unknown, boolean> = new Map(
  Object.entries({
    status: false,
    thinking_delta: false,
    text_delta: false,
    tool_start: false,
    tool_result: false,
    message_complete: false,
    notte_session_data: false,
    function_uploaded: false,
    done: true,
    error: true,
    timeout: true,
    cancelled: true,
  } satisfies { [Type in AutomationEvent["type"]]: Type extends TerminalEvent["type"] ? true : false }),
);

/** Returns whether an event is terminal: the stream ends after it. */
export function isTerminal(event: StreamEvent): event is TerminalEvent {
  return !isDelta(event.type) && listed.get(event.type) === true;
}

/** Returns whether a type is one of those that nine of ten events have: a comparison takes less time than to look it up. */
function isDelta(type: unknown): boolean {
  return type === "text_delta" || type === "thinking_delta";
}

/**
 * Converts a JSON value to an event.
 *
 * @returns the event; `undefined` when the value is not an object with a string `type`.
 */
export function eventFrom(value: unknown): StreamEvent | undefined {
  if (!isObject(value) || typeof value["type"] !== "string") return undefined;
  return isListed(value) ? value : { type: "unknown", originalType: value["type"], event: value };
}

/** Returns whether a JSON value is an object, and not an array or null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListed(object: { readonly type?: unknown }): object is AutomationEvent {
  return isDelta(object.type) || listed.has(object.type);
}
