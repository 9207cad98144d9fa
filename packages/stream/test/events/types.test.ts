import type { components } from "@cloud-browser/spec/types";
import { expectTypeOf, test } from "vitest";
import {
  isTerminalEvent,
  readAutomationStream,
  terminalTypes,
  type AutomationEvent,
  type Outcome,
  type StreamError,
  type StreamErrorCode,
  type StreamEvent,
  type StreamReport,
  type TerminalEvent,
  type UnknownEvent,
} from "../../src/index.ts";

type Schemas = components["schemas"];

/** Compiles only while the twelve listed types and `unknown` are all there are, and each narrows. */
function describeEvent(event: StreamEvent): string {
  switch (event.type) {
    case "status":
      expectTypeOf(event).toEqualTypeOf<Schemas["StatusEvent"]>();
      return event.status;
    case "thinking_delta":
    case "text_delta":
      return event.delta;
    case "tool_start":
      return event.name;
    case "tool_result":
      expectTypeOf(event.content).toBeUnknown();
      return "tool_result";
    case "message_complete":
      return event.role;
    case "notte_session_data":
      return event.viewer_url;
    case "function_uploaded":
      return event.function_id + event.function_name + event.created_at;
    case "done":
      expectTypeOf(event).toEqualTypeOf<Schemas["DoneEvent"]>();
      return event.metadata.thread_id;
    case "error":
      expectTypeOf(event.detail).toBeUnknown();
      return "error";
    case "timeout":
    case "cancelled":
      return event.reason;
    case "unknown":
      expectTypeOf(event).toEqualTypeOf<UnknownEvent>();
      return event.originalType;
    default:
      return event satisfies never;
  }
}

/** Compiles only while these are all outcomes. */
function describeOutcome(outcome: Outcome): string {
  switch (outcome.type) {
    case "done":
      expectTypeOf(outcome.event).toEqualTypeOf<Schemas["DoneEvent"]>();
      return `${outcome.event.total_cost_usd}`;
    case "error":
      expectTypeOf(outcome.event).toEqualTypeOf<Schemas["ErrorEvent"]>();
      return outcome.event.type;
    case "timeout":
    case "cancelled":
      return outcome.event.reason;
    case "broken":
      expectTypeOf(outcome.error).toEqualTypeOf<StreamError>();
      return outcome.error.code;
    case "left":
      return "left";
    default:
      return outcome satisfies never;
  }
}

test("the types say what they should; tsc is the judge", () => {
  expectTypeOf(describeEvent).parameter(0).toEqualTypeOf<AutomationEvent | UnknownEvent>();
  expectTypeOf(describeOutcome).returns.toBeString();
  expectTypeOf<AutomationEvent>().toEqualTypeOf<Schemas["AutomationEvent"]>();
  expectTypeOf<TerminalEvent["type"]>().toEqualTypeOf<(typeof terminalTypes)[number]>();
  expectTypeOf(isTerminalEvent).guards.toEqualTypeOf<TerminalEvent>();
  expectTypeOf<StreamReport["kind"]>().toEqualTypeOf<
    "invalid-json" | "missing-type" | "sentinel" | "event-too-large" | "after-terminal" | "unknown-field"
  >();
  expectTypeOf<StreamErrorCode>().toEqualTypeOf<
    | "ended-early"
    | "connection-lost"
    | "first-event-timeout"
    | "bytes-timeout"
    | "events-timeout"
    | "total-timeout"
    | "invalid-json"
    | "missing-type"
    | "event-too-large"
    | "not-a-stream"
    | "http-status"
    | "aborted"
    | "misuse"
  >();
  expectTypeOf(readAutomationStream)
    .parameter(0)
    .toEqualTypeOf<Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>>();
});
