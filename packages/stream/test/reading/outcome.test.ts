import { expect, test } from "vitest";
import { readAutomationStream, type AutomationSource } from "../../src/index.ts";
import { getBytes, listCuts } from "../chunking.ts";
import { done, readTypes, createSource, sse, status } from "../source.ts";

const endings: { name: string; source: () => AutomationSource; want: string[]; outcome: object }[] = [
  {
    name: "done",
    source: () => createSource([status, done]).stream,
    want: ["status", "done"],
    outcome: { type: "done", event: { type: "done", total_cost_usd: 0.5, metadata: { thread_id: "t" } } },
  },
  {
    name: "error",
    source: () => createSource(['data: {"type":"error","error":"x","detail":"y"}\n']).stream,
    want: ["error"],
    outcome: { type: "error", event: { type: "error", error: "x", detail: "y" } },
  },
  {
    name: "timeout",
    source: () => createSource(['data: {"type":"timeout","reason":"x","detail":"y"}\n']).stream,
    want: ["timeout"],
    outcome: { type: "timeout", event: { type: "timeout", detail: "y" } },
  },
  {
    name: "cancelled",
    source: () => createSource(['data: {"type":"cancelled","reason":"x"}\n']).stream,
    want: ["cancelled"],
    outcome: { type: "cancelled", event: { type: "cancelled" } },
  },
  {
    name: "done without a last line end",
    source: () => createSource([done.trim()]).stream,
    want: ["done"],
    outcome: { type: "done" },
  },
  {
    name: "done without a last line end, and then a lost connection",
    source: () => createSource([done.trim()], new TypeError("terminated")).stream,
    want: ["done"],
    outcome: { type: "done" },
  },
  {
    name: "done while the connection stays open and can't even be closed",
    source: () => createSource([status, done], "hang").stream,
    want: ["status", "done"],
    outcome: { type: "done" },
  },
  {
    name: "done, with far too much behind it",
    source: () => createSource([`${done}${"x".repeat(200)}`]).stream,
    want: ["done"],
    outcome: { type: "done" },
  },
  {
    name: "the end of the source, without a terminal event",
    source: () => createSource([status]).stream,
    want: ["status", "throws ended-early"],
    outcome: { type: "broken", error: { code: "ended-early" } },
  },
  {
    name: "the end of the source, after nothing but a comment",
    source: () => createSource([": hello\n\n"]).stream,
    want: ["throws ended-early"],
    outcome: { type: "broken", error: { code: "ended-early" } },
  },
  {
    name: "the end of the source, after nothing at all",
    source: () => new Response("", { headers: sse }),
    want: ["throws ended-early"],
    outcome: { type: "broken", error: { code: "ended-early" } },
  },
  {
    name: "a sentinel, which is no terminal event",
    source: () => createSource([status, "data: [DONE]\n\n"]).stream,
    want: ["status", "throws ended-early"],
    outcome: { type: "broken", error: { code: "ended-early" } },
  },
  {
    name: "a lost connection",
    source: () => createSource([status], new TypeError("terminated")).stream,
    want: ["status", "throws connection-lost"],
    outcome: { type: "broken", error: { code: "connection-lost", cause: new TypeError("terminated") } },
  },
  {
    name: "a source whose own signal aborted, which is no abort of the caller's",
    source: () => createSource([status], new DOMException("x", "AbortError")).stream,
    want: ["status", "throws connection-lost"],
    outcome: { type: "broken", error: { code: "connection-lost", cause: new DOMException("x", "AbortError") } },
  },
  {
    name: "an event over the bound",
    source: () => createSource([`${status}data: ${"x".repeat(200)}`], "hang").stream,
    want: ["status", "throws event-too-large"],
    outcome: { type: "broken", error: { code: "event-too-large" } },
  },
  {
    name: "a JSON body",
    source: () => new Response('{"detail":"x"}', { headers: { "content-type": "application/json" } }),
    want: ["throws not-a-stream"],
    outcome: { type: "broken", error: { code: "not-a-stream", head: '{"detail":"x"}', status: 200 } },
  },
  {
    name: "a JSON body that claims to be a stream",
    source: () => new Response('\n {"detail":"x"}', { headers: sse }),
    want: ["throws not-a-stream"],
    outcome: { type: "broken", error: { code: "not-a-stream", head: '\n {"detail":"x"}' } },
  },
  {
    name: "an HTML body that claims to be a stream",
    source: () => new Response("<html>\n<body>502</body>", { headers: sse }),
    want: ["throws not-a-stream"],
    outcome: { type: "broken", error: { code: "not-a-stream" } },
  },
  {
    name: "JSON lines without data:",
    source: () => createSource(['{"type":"status"}\n{"type":"done"}\n']).stream,
    want: ["throws not-a-stream"],
    outcome: { type: "broken", error: { code: "not-a-stream" } },
  },
  {
    name: "a content type that a proxy has written once more",
    source: () => new Response(done, { headers: { "content-type": "text/event-stream, text/event-stream" } }),
    want: ["done"],
    outcome: { type: "done" },
  },
  {
    name: "a body without a content type, which is a stream",
    source: () => new Response(new Blob([done])),
    want: ["done"],
    outcome: { type: "done" },
  },
  {
    name: "a response without a body",
    source: () => new Response(null, { headers: sse }),
    want: ["throws ended-early"],
    outcome: { type: "broken", error: { code: "ended-early" } },
  },
  {
    name: "a response with an error status, whatever its type",
    source: () => new Response(done, { status: 502, headers: sse }),
    want: ["throws http-status"],
    outcome: { type: "broken", error: { code: "http-status", status: 502, head: done } },
  },
  {
    name: "an async generator",
    source: async function* generate() {
      yield getBytes(status);
      yield getBytes(done);
    },
    want: ["status", "done"],
    outcome: { type: "done" },
  },
];
test.for(endings)("iterates to $name", async ({ source, want, outcome }) => {
  const stream = readAutomationStream(source(), { maxEventBytes: 100 });
  expect(await readTypes(stream)).toEqual(want);
  expect(await stream.outcome()).toMatchObject(outcome);
});
test.for(endings)("resolves the outcome without an iteration: $name", async ({ source, outcome }) => {
  expect(await readAutomationStream(source(), { maxEventBytes: 100 }).outcome()).toMatchObject(outcome);
});

test("comes to the same events and the same outcome at every chunking", async () => {
  const bytes = getBytes(`\uFEFF${status}${done}`.replaceAll("\n", "\r\n"));
  for (const { chunks } of listCuts(bytes)) {
    const stream = readAutomationStream(createSource(chunks).stream);
    expect(await readTypes(stream)).toEqual(["status", "done"]);
    expect((await stream.outcome()).type).toBe("done");
  }
});

test("calls `onOutcome` once, without reading by itself, before the iteration continues", async () => {
  const { stream } = createSource([status, done]);
  const reported: string[] = [];
  const events = readAutomationStream(stream, { onOutcome: ({ type }) => void reported.push(type) });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reported).toEqual([]);
  for await (const event of events) reported.push(event.type);
  expect(reported.filter((type) => type === "done")).toHaveLength(2);
  await events.outcome();
  expect(reported).toEqual(["status", "done", "done"]);
});

test("calls `onOutcome` when the caller leaves or aborts", async () => {
  const reported: string[] = [];
  const onOutcome = ({ type }: { type: string }): void => void reported.push(type);
  await readAutomationStream(createSource([status]).stream, { onOutcome }).cancel();
  const aborted = readAutomationStream(createSource([status]).stream, { onOutcome, signal: AbortSignal.abort() });
  await aborted.outcome();
  expect(reported).toEqual(["left", "broken"]);
});
