import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Collector, type ReceivedSpan } from "../observability/collector.ts";
import { key } from "../command-line.ts";
import { openOn, startCluster, type TestCluster, type TestNode } from "./cluster.ts";

let site: Site;
let collector: Collector;
let cluster: TestCluster;
let entry: TestNode;
let owner: TestNode;
beforeAll(async () => {
  site = await startSite({ "/": "<title>Harbour</title><h1>Ferries</h1>" });
  collector = await Collector.start();
  cluster = await startCluster(0);
  const traced = { args: ["--traces", collector.url], env: { OTEL_BSP_SCHEDULE_DELAY: "100" } };
  entry = await cluster.add({ ...traced, name: "entry" });
  owner = await cluster.add({ ...traced, name: "owner" });
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** A span, and the node that sent it. */
const at = ({ name, resource }: ReceivedSpan): string => `${resource["service.instance.id"]} ${name}`;

const trace = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";

test("one trace leads from the client over the node that it asks to the owner of the session, and to its page", async () => {
  const { session_id: session } = await openOn(owner, `${site.url}/`);
  const scrape = await fetch(`${entry.served.url}/sessions/${session}/page/scrape`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      traceparent: `00-${trace}-${parent}-01`,
    },
    body: "{}",
  });
  expect(scrape.status).toBe(200);

  const spans = (): readonly ReceivedSpan[] => collector.spans.filter(({ traceId }) => traceId === trace);
  await expect.poll(() => spans().length, { timeout: 30_000 }).toBe(4);
  const byId = new Map(spans().map((span) => [span.spanId, span]));
  const edges = spans().map((span) => {
    const above = byId.get(span.parentSpanId ?? "");
    return [at(span), above ? at(above) : span.parentSpanId];
  });
  const route = "POST /sessions/:session_id/page/scrape";
  expect(Object.fromEntries(edges)).toEqual({
    [`entry ${route}`]: parent,
    "entry node.forward": `entry ${route}`,
    [`owner ${route}`]: "entry node.forward",
    "owner page.scrape": `owner ${route}`,
  });

  // A line of the log on each node leads to the trace.
  const request = scrape.headers.get("x-request-id");
  for (const { served } of [entry, owner]) {
    const lines = served.stderr().split("\n");
    const line = lines.find((text) => text.includes(trace) && text.includes("page/scrape"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({ trace_id: trace, request, session });
  }
});
