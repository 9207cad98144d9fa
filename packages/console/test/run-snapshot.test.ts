import type { StreamEvent } from "@cloud-browser/stream";
import { expect, test } from "vitest";
import { addEvent, emptySnapshot } from "../src/automations/run-snapshot.ts";

function addEvents(...events: readonly StreamEvent[]) {
  return events.reduce(addEvent, emptySnapshot());
}

test("deltas are joined until something else comes", () => {
  const { entries } = addEvents(
    { type: "thinking_delta", delta: "a" },
    { type: "thinking_delta", delta: "b" },
    { type: "text_delta", delta: "c" },
    { type: "thinking_delta", delta: "d" },
  );
  expect(entries).toEqual([
    { kind: "thinking", text: "ab" },
    { kind: "text", text: "c" },
    { kind: "thinking", text: "d" },
  ]);
});

test("a result belongs to the last tool that has none, and is shown where there is no such tool", () => {
  const { entries } = addEvents(
    { type: "tool_start", name: "click" },
    { type: "tool_result", content: "clicked" },
    { type: "tool_result", content: { rows: 2 } },
  );
  expect(entries).toEqual([
    { kind: "tool", text: "click", result: "clicked" },
    { kind: "tool", text: "result", result: '{"rows":2}' },
  ]);
});

test("the event that ends a run is kept", () => {
  expect(addEvents({ type: "status", status: "running" }).terminal).toBeUndefined();
  expect(addEvents({ type: "cancelled", reason: "by request" }).terminal).toEqual({
    type: "cancelled",
    reason: "by request",
  });
});
