import type { components } from "@cloud-browser/spec/types";

/**
 * One event of an automation stream, told apart by `type`; exactly the twelve that the interface lists.
 *
 * Only `type` is checked when it is read: the other fields are as the wire had them, and fields beyond these may occur.
 *
 * Source: interface § Events.
 */
export type AutomationEvent = components["schemas"]["AutomationEvent"];

/**
 * An event whose `type` the interface does not list, kept whole.
 *
 * It is wrapped, so that `switch (event.type)` still narrows the twelve listed events.
 */
export interface UnknownEvent {
  /** Always `unknown`, whatever the wire said. */
  readonly type: "unknown";
  /** The `type` that the wire had. */
  readonly originalType: string;
  /** The JSON object as it was on the wire, its `type` included. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** One item of a stream: a listed event, or an unlisted one in its wrapping. Source: interface § Events. */
export type StreamEvent = AutomationEvent | UnknownEvent;

/** The types after which a stream ends. Source: interface § Events. */
export const terminalTypes = ["done", "error", "timeout", "cancelled"] as const;

/** One of the four events after which a stream ends. Source: interface § Events. */
export type TerminalEvent = Extract<AutomationEvent, { type: (typeof terminalTypes)[number] }>;

/** Every listed type, and whether it is terminal; a record, so that the compiler misses none. */
const listed: { readonly [Type in AutomationEvent["type"]]: Type extends TerminalEvent["type"] ? true : false } = {
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
};

/**
 * Tells whether the stream ends after this event.
 *
 * Source: interface § Events.
 */
export function isTerminalEvent(event: StreamEvent): event is TerminalEvent {
  return event.type !== "unknown" && listed[event.type];
}

/**
 * Turns one JSON value of the wire into an event.
 *
 * @returns `undefined` when it is no object with a string `type`.
 */
export function eventFrom(value: unknown): StreamEvent | undefined {
  if (!isObject(value) || typeof value["type"] !== "string") return undefined;
  return isListed(value) ? value : { type: "unknown", originalType: value["type"], event: value };
}

/** Tells a JSON object from any other JSON value. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value instanceof Object && !Array.isArray(value);
}

function isListed(object: Readonly<Record<string, unknown>>): object is AutomationEvent {
  return Object.hasOwn(listed, String(object["type"]));
}
