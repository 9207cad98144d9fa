import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Collector, ReceivedSpan } from "./collector.ts";
import { headers, parent, startTracedService, trace, type TracedService } from "./traced-service.ts";
import { key, runHere, type Served } from "../command-line.ts";
import type { HttpServer } from "../http-server.ts";

let traced: TracedService;
let collector: Collector;
let served: Served;
let page: HttpServer;

beforeAll(async () => {
  traced = await startTracedService();
  ({ collector, served, page } = traced);
});
afterAll(async () => {
  await traced?.[Symbol.asyncDispose]();
});

const listSpans = (id: string): readonly ReceivedSpan[] => traced.listSpans(id);

/** The spans of the client's trace, once one of that name is among them. */
async function spansUntil(name: string): Promise<readonly ReceivedSpan[]> {
  await expect.poll(() => listSpans(trace).map((span) => span.name)).toContain(name);
  return listSpans(trace);
}

test("a client's trace is continued by the service up to the page, and contains no secret", async () => {
  const created = await fetch(`${served.url}/control/sessions`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ url: `${page.url}/?password=hush` }),
  });
  const { session_id: session, cdp_url: cdp }: { session_id: string; cdp_url: string } = await created.json();
  const scrape = await fetch(`${served.url}/sessions/${session}/page/scrape?update_metadata=false`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: "{}",
  });
  expect([created.status, scrape.status]).toEqual([201, 200]);
  const socket = new WebSocket(cdp, { headers: { traceparent: headers.traceparent } });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.terminate();
  const gone = await fetch(`${served.url}/sessions/00000000-0000-4000-8000-000000000000/cookies`, { headers });
  expect(gone.status).toBe(404);

  await spansUntil("GET /control/sessions/:session_id/cdp");
  const spans = await spansUntil("GET /sessions/:session_id/cookies");
  const named = new Map(spans.map((span) => [span.name, span]));
  const above = (name: string): string | undefined =>
    spans.find(({ spanId }) => spanId === named.get(name)?.parentSpanId)?.name ?? named.get(name)?.parentSpanId;
  expect(Object.fromEntries([...named.keys()].map((name) => [name, above(name)]))).toEqual({
    "POST /control/sessions": parent,
    "session.create": "POST /control/sessions",
    "browser.open": "session.create",
    "page.goto": "session.create",
    "POST /sessions/:session_id/page/scrape": parent,
    "page.scrape": "POST /sessions/:session_id/page/scrape",
    "GET /control/sessions/:session_id/cdp": parent,
    "GET /sessions/:session_id/cookies": parent,
  });
  expect(named.get("POST /sessions/:session_id/page/scrape")?.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/sessions/:session_id/page/scrape",
    "http.response.status_code": "200",
    "cloud_browser.session_id": session,
    "cloud_browser.request_id": scrape.headers.get("x-request-id"),
  });
  expect(named.get("page.goto")).toMatchObject({
    attributes: { "server.address": "127.0.0.1" },
    resource: { "service.name": "browsers of team a" },
  });
  expect(new Set(collector.paths)).toEqual(new Set(["/v1/traces"]));
  const sent = collector.bodies.join("");
  for (const secret of [key, "hush", new URL(cdp).searchParams.get("token")]) expect(sent).not.toContain(secret);
  expect(page.requests.filter((message) => message.headers["traceparent"] !== undefined)).toEqual([]);
  const line = served
    .stderr()
    .split("\n")
    .find((text) => text.includes(scrape.headers.get("x-request-id") ?? "-"));
  expect(JSON.parse(line ?? "{}")).toMatchObject({ trace_id: trace });
});

test.each([
  [["--traces", "collector:4318"], {}, "malformed URL of a collector of traces"],
  [["--traces", "http://127.0.0.1:1"], { OTEL_TRACES_SAMPLER_ARG: "half" }, "malformed OTEL_TRACES_SAMPLER_ARG half"],
])("%j %j is a usage error", async (flags, env, message) => {
  const { code, stderr } = await runHere(["serve", "--port", "0", ...flags], env);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
