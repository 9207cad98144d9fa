import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listOwnBrowsers } from "@cloud-browser/testing/browser-processes.ts";
import { parser } from "@prometheus-io/lezer-promql";
import { readAutomationStream } from "@cloud-browser/stream";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import dashboard from "../../deploy/grafana-dashboard.json" with { type: "json" };
import { ServiceMetrics } from "../../src/metrics/service-metrics.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: Site;
let folder: string;

/** An ffmpeg that can be asked for its encoders, and fails at everything else. */
async function failingFfmpeg(): Promise<string> {
  const program = join(folder, "ffmpeg.sh");
  const text = `#!/bin/sh\ncase "$*" in *-encoders*) echo " V..... libx264" ;; *) exit 1 ;; esac\n`;
  await writeFile(program, text);
  await chmod(program, 0o755);
  return program;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-metrics-"));
  running = await startTestService({ limits: { count: 3 }, ffmpeg: await failingFfmpeg() });
  site = await startSite({
    "/": "<title>Teas</title><h1>Teas</h1><p>Green tea and black tea.</p>",
    "/blocked": '<title>Blocked</title><img src="http://169.254.169.254/">',
  });
});
afterAll(async () => {
  await Promise.all([running[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
  await rm(folder, { recursive: true });
});

/** Samples by name and labels, as `name{label="value"}`. */
function listSamples(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

async function sample(name: string): Promise<number | undefined> {
  return listSamples(await (await running.ask("GET", "/metrics")).text()).get(`cloud_browser_${name}`);
}

test("metrics need the key, and are in the text format of Prometheus", async () => {
  expect((await fetch(`${running.service.url}/metrics`)).status).toBe(401);
  const answer = await running.ask("GET", "/metrics");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  await answer.body?.cancel();
});

test("sessions, scrapes and recordings are counted and timed", async () => {
  expect(await sample("sessions_limit")).toBe(3);
  const { session_id: id } = await running.open({ url: `${site.url}/` });
  expect(await sample("sessions_open")).toBe(1);
  expect(await sample("sessions_waiting")).toBe(0);
  expect(await sample("sessions_created_total")).toBe(1);
  expect(await sample('session_creation_duration_seconds_count{outcome="ok"}')).toBe(1);
  const scraped = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
  expect(scraped.status).toBe(200);
  const refused = await running.ask("POST", `/sessions/${id}/page/scrape`, { selector: "##" });
  expect(refused.status).toBe(422);
  expect(await sample('scrape_duration_seconds_count{outcome="ok"}')).toBe(1);
  expect(await sample('scrape_duration_seconds_count{outcome="failed"}')).toBe(1);
  await expect.poll(() => sample("recording_bytes_total"), { timeout: 30_000 }).toBeGreaterThan(1_000);
  expect(await sample("recording_lag_seconds")).toBeGreaterThanOrEqual(0);
  await running.end(id);
  const bytes = await sample("recording_bytes_total");
  expect(bytes).toBeGreaterThan(1_000);
  expect(await sample("sessions_open")).toBe(0);
  expect(await sample('sessions_ended_total{reason="requested"}')).toBe(1);
  await expect.poll(() => sample("recording_encoder_failures_total"), { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await sample("recording_lag_seconds")).toBe(0);
  expect(await sample("recording_bytes_total")).toBe(bytes);
});

test("a session whose creation fails is counted as one that failed", async () => {
  const answer = await running.ask("POST", "/control/sessions", { url: "http://169.254.169.254/" });
  expect(answer.status).toBe(422);
  expect(await sample('session_creation_duration_seconds_count{outcome="failed"}')).toBe(1);
  expect(await sample("sessions_waiting")).toBe(0);
});

test("runs are counted, with their ends", async () => {
  const answer = await running.ask("POST", "/api/automation/start", { query: `Open ${site.url}/` });
  for await (const event of readAutomationStream(answer)) void event;
  expect(await sample("runs_started_total")).toBe(1);
  expect(await sample('runs_ended_total{end="done"}')).toBe(1);
  expect(await sample("run_cost_usd_total")).toBe(0);
  await expect.poll(() => sample("runs_open")).toBe(0);
});

test("every name follows the rules of Prometheus, and no label has a value of a client", async () => {
  const { session_id: id } = await running.open({ url: `${site.url}/` });
  const text = await (await running.ask("GET", "/metrics")).text();
  await running.end(id);
  const metrics = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)].map(([, name = "", type = ""]) => ({ name, type }));
  expect(metrics.length).toBeGreaterThan(12);
  for (const { name, type } of metrics) {
    expect(name).toMatch(/^(?:cloud_browser|process|nodejs)_[a-z_]+$/u);
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
  }
  const times = metrics.filter(({ type }) => type === "histogram").map(({ name }) => name);
  expect(times.filter((name) => !name.endsWith("_duration_seconds"))).toEqual([]);
  const labels = [...text.matchAll(/[{,]([a-z]+)="([^"]*)"/gu)].filter(([, name]) => name !== "le");
  const names = ["outcome", "reason", "end", "by", "method", "route", "status", "key", "version", "node", "browser"];
  expect(new Set(labels.map(([, name]) => name))).toEqual(new Set(names));
  const free = /^(?:route|version|node|browser|status|method)$/u;
  const words = labels.filter(([, name = ""]) => !free.test(name)).map(([, , value]) => value);
  for (const word of words) expect(word).toMatch(/^[a-z-]+$/u);
  expect(text).not.toContain(id);
  expect(text).not.toContain(running.service.apiKey);
  expect(text).not.toContain(site.url);
});

test("requests are counted by route and status, and what a client makes up is in no label", async () => {
  const before = await sample('key_requests_total{key="main"}');
  await running.ask("GET", "/control/sessions/made-up-by-a-client");
  await running.ask("GET", "/made-up-by-a-client");
  await running.ask("PROPFIND", "/control/sessions");
  await fetch(`${running.service.url}/control/sessions`);
  const text = await (await running.ask("GET", "/metrics")).text();
  const count = (labels: string): number | undefined =>
    listSamples(text).get(`cloud_browser_http_request_duration_seconds_count{${labels}}`);
  expect(count('method="GET",route="/control/sessions/:session_id",status="404"')).toBe(1);
  expect(count('method="GET",route="none",status="404"')).toBe(1);
  expect(count('method="other",route="none",status="405"')).toBe(1);
  expect(count('method="GET",route="/control/sessions",status="401"')).toBe(1);
  expect(listSamples(text).get('cloud_browser_key_requests_total{key="main"}')).toBe((before ?? 0) + 4);
  expect(text).not.toContain("made-up-by-a-client");
  expect(text).not.toContain("PROPFIND");
});

test("what keys use is counted by their names", async () => {
  const created = await running.ask("POST", "/control/keys", { name: "team" });
  const { key } = await readAnswer<{ key: string }>(created);
  const headers = { authorization: `Bearer ${key}` };
  const opened = await fetch(`${running.service.url}/control/sessions`, { method: "POST", headers });
  const { session_id: id } = await readAnswer<{ session_id: string }>(opened);
  expect(await sample('key_sessions_open{key="team"}')).toBe(1);
  expect(await sample('key_sessions_open{key="main"}')).toBeUndefined();
  await running.end(id);
  expect(await sample('key_sessions_open{key="team"}')).toBeUndefined();
  const stream = await fetch(`${running.service.url}/api/automation/start`, {
    method: "POST",
    headers,
    body: JSON.stringify({ query: `Open ${site.url}/` }),
  });
  await stream.text();
  await expect.poll(() => sample('key_run_cost_usd_total{key="team"}')).toBe(0);
});

test("the process, the room in its folder, blocked requests and what runs are shown", async () => {
  const text = await (await running.ask("GET", "/metrics")).text();
  const value = (name: string): number => listSamples(text).get(name) ?? Number.NaN;
  expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(value("process_open_fds")).toBeGreaterThan(3);
  expect(value("process_start_time_seconds")).toBeLessThan(Date.now() / 1_000);
  expect(value("nodejs_eventloop_utilization")).toBeLessThanOrEqual(1);
  expect(value("cloud_browser_data_folder_free_bytes")).toBeLessThanOrEqual(
    value("cloud_browser_data_folder_size_bytes"),
  );
  expect(text).toMatch(/^cloud_browser_build_info\{version="[\d.]+",node="[\d.]+",browser="[^"]+"\} 1$/mu);
  expect(await sample('egress_blocked_total{reason="not-global"}')).toBeUndefined();
  const { session_id: id } = await running.open({ url: `${site.url}/blocked` });
  await expect.poll(() => sample('egress_blocked_total{reason="not-global"}')).toBe(1);
  await running.end(id);
});

test("a browser that dies is counted, and the sessions that end with it", async () => {
  await running.open();
  expect(await sample("browser_deaths_total")).toBe(0);
  for (const pid of listOwnBrowsers()) process.kill(pid, "SIGKILL");
  await expect.poll(() => sample('sessions_ended_total{reason="browser-crashed"}'), { timeout: 30_000 }).toBe(1);
  expect(await sample("browser_deaths_total")).toBe(1);
});

test("the metrics have costs, leases and unshipped bytes", async () => {
  const metrics = new ServiceMetrics();
  const none = { open: [] };
  const recordings = { bytes: 0, lagMs: 0, shippingLagMs: 2_500, unshippedBytes: 70 };
  const sessions = { ...none, queue: { length: 2, oldestMs: 1_500 } };
  const build = { version: "1", browser: "a Chromium" };
  const limits = { sessionLimit: 1, runLimit: 1 };
  metrics.observe({ sessions, runs: none, recordings, ...limits, dataFolder: folder, build, leases: async () => 3 });
  metrics.countEndedRun("error", "0.0125", null);
  metrics.countEndedRun("done", "0.5", "team");
  const samples = listSamples(await metrics.writeText());
  expect(samples.get("cloud_browser_run_cost_usd_total")).toBeCloseTo(0.5125, 10);
  expect(samples.get('cloud_browser_key_run_cost_usd_total{key="team"}')).toBe(0.5);
  expect(samples.get("cloud_browser_leases_held")).toBe(3);
  expect(samples.get("cloud_browser_session_queue_length")).toBe(2);
  expect(samples.get("cloud_browser_session_queue_age_seconds")).toBe(1.5);
  expect(samples.get("cloud_browser_recording_shipping_lag_seconds")).toBe(2.5);
  expect(samples.get("cloud_browser_recording_unshipped_bytes")).toBe(70);
});

function isPromQl(expression: string): boolean {
  let isFine = true;
  parser.parse(expression).iterate({ enter: ({ type }) => void (isFine &&= !type.isError) });
  return isFine;
}

test("the dashboard asks for nothing but metrics that there are", async () => {
  const text = await (await running.ask("GET", "/metrics")).text();
  const series = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const { panels, templating } = dashboard;
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(10);
  const named = [...expressions, ...templating.list.map(({ query }) => query)].flatMap(
    (expr) => expr.match(/\b(?:cloud_browser|process|nodejs)_\w+/gu) ?? [],
  );
  for (const expr of expressions) {
    expect(expr).toMatch(/cloud_browser_|process_|nodejs_/u);
    expect([expr, isPromQl(expr.replaceAll("$__rate_interval", "5m"))]).toEqual([expr, true]);
  }
  expect(named.filter((name) => !series.has(name))).toEqual([]);
  expect(isPromQl("sum(rate(x[5m])")).toBe(false);
  // And each metric is shown.
  const shown = (name: string): boolean => named.some((one) => one.replace(/_(?:bucket|count|sum)$/u, "") === name);
  const names = [...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name = ""]) => name);
  expect(names.filter((name) => !shown(name))).toEqual([]);
});
