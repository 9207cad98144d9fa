import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { beforeAll, expect, test } from "vitest";
import { Forwarding } from "../../src/http/nodes/forwarding.ts";
import { PublicUrl } from "../../src/request-context.ts";
import { runInSpan } from "../../src/tracing/spans.ts";
import { serveHttp } from "../http-server.ts";

const exporter = new InMemorySpanExporter();

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
});

const never = (): Promise<never> => Promise.reject(new Error("the test has no session"));

test("a forwarded request carries the span of the forwarding node in place of the client's", async () => {
  await using owner = await serveHttp((_, response) => void response.end("{}"));
  const forwarding = new Forwarding({
    recordings: { isShared: async () => false },
    peers: { findOwner: async () => "own" },
    sessions: { has: () => false, get: never, getRecord: never, end: never },
    tokens: { findSession: () => undefined },
    credential: "shared",
    publicUrl: new PublicUrl("http://clients.example"),
  });
  const sent = new Request("http://clients.example/control/sessions", { headers: { traceparent: "the client's" } });
  await runInSpan("asked", {}, () => forwarding.ask({ url: owner.url, gone: new AbortController().signal }, sent));
  const [forward, ask] = exporter.getFinishedSpans();
  expect([forward?.name, ask?.name]).toEqual(["node.forward", "asked"]);
  expect(forward?.parentSpanContext?.spanId).toBe(ask?.spanContext().spanId);
  const { traceId, spanId } = forward?.spanContext() ?? {};
  expect(owner.requests.map(({ headers }) => headers["traceparent"])).toEqual([`00-${traceId}-${spanId}-01`]);
});
