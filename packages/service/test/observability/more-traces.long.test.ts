import { afterAll, beforeAll, expect, test } from "vitest";
import type { Collector, ReceivedSpan } from "./collector.ts";
import { headers, parent, startTracedService, trace, type TracedService } from "./traced-service.ts";
import { Place, type Served } from "../command-line.ts";
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
