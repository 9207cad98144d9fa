import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { key, Place, runHere, type Served } from "../command-line.ts";
import { serveHttp, type HttpServer } from "../http-server.ts";
import { Collector, type ReceivedSpan } from "./collector.ts";

/** Trace of a client. */
const trace = "0af7651916cd43dd8448eb211c80319c";

/** Span of the client that its requests belong to. */
const parent = "b7ad6b7169203331";

/** Headers of the client's requests. */
const headers = { authorization: `Bearer ${key}`, traceparent: `00-${trace}-${parent}-01` };

const closing = new AsyncDisposableStack();
let collector: Collector;
let served: Served;
let page: HttpServer;

beforeAll(async () => {
  collector = closing.use(await Collector.start());
  page = closing.use(
    await serveHttp((_, response) => {
      response.setHeader("content-type", "text/html").end("<title>Traced</title><p>A page.</p>");
    }),
  );
  served = await closing.use(new Place()).serving(["--traces", collector.url], {
    OTEL_SERVICE_NAME: "browsers of team a",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
});
afterAll(async () => closing.disposeAsync());

/** Returns the spans of a trace that were received so far. */
const listSpans = (id: string): readonly ReceivedSpan[] => collector.spans.filter(({ traceId }) => traceId === id);

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

test("a failed request marks its span, with the code of the error", async () => {
  const refused = await fetch(`${served.url}/control/sessions`, {
    method: "POST",
    headers: {
      ...headers,
      traceparent: `00-${trace.replace("0", "1")}-${parent}-01`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ url: "http://127.0.0.1:1/" }),
  });
  expect(refused.status).toBe(502);
  await expect.poll(() => listSpans(trace.replace("0", "1")).length).toBe(4);
  const failed = listSpans(trace.replace("0", "1")).filter(({ status }) => status?.code === 2);
  expect(new Map(failed.map(({ name, attributes }) => [name, attributes["error.type"]]))).toEqual(
    new Map([
      ["page.goto", "Error"],
      ["session.create", "page-failed"],
      ["POST /control/sessions", "502"],
    ]),
  );
});

test("a run is traced with its tool calls, by their names alone", async () => {
  const id = trace.replace("0", "3");
  const answer = await fetch(`${served.url}/api/automation/start`, {
    method: "POST",
    headers: { ...headers, traceparent: `00-${id}-${parent}-01`, "content-type": "application/json" },
    body: JSON.stringify({ query: `Open ${page.url}/?password=hush` }),
  });
  expect(await answer.text()).toContain('"type":"done"');
  await expect.poll(() => listSpans(id).map(({ name }) => name)).toContain("automation.run");
  const spans = listSpans(id);
  const run = spans.find(({ name }) => name === "automation.run");
  expect(run?.attributes).toMatchObject({ "cloud_browser.run_end": "done", "cloud_browser.cost_usd": "0" });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId).map(({ name }) => name);
  expect(below).toEqual(["session.create", expect.stringMatching(/^automation\.tool \w+$/)]);
  expect(collector.bodies.join("")).not.toContain("hush");
});

test("the last spans are sent before the process ends", async () => {
  await using other = new Place();
  const service = await other.serving(["--traces", `${collector.url}/custom`]);
  const last = trace.replace("0", "2");
  await fetch(`${service.url}/health`, { headers: { traceparent: `00-${last}-${parent}-01` } });
  service.process.kill("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 0 });
  expect(collector.paths).toContain("/custom");
  expect(listSpans(last)[0]?.name).toBe("GET /health");
});

test.each([
  [["--traces", "collector:4318"], {}, "malformed URL of a collector of traces"],
  [["--traces", "http://127.0.0.1:1"], { OTEL_TRACES_SAMPLER_ARG: "half" }, "malformed OTEL_TRACES_SAMPLER_ARG half"],
])("%j %j is a usage error", async (flags, env, message) => {
  const { code, stderr } = await runHere(["serve", "--port", "0", ...flags], env);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
