import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pino } from "pino";
import { listen } from "../src/http/listening.ts";
import { startService } from "../src/service.ts";
import { Shutdown } from "../src/shutdown.ts";
import { readAnswer, startTestService } from "./running-service.ts";

let site: Site;
beforeAll(async () => void (site = await startSite({ "/": "<title>Ferries</title><h1>Harbour</h1>" })));
afterAll(() => site[Symbol.asyncDispose]());

test("a draining service refuses new sessions, reports it, and stops when the last one has ended", async () => {
  await using running = await startTestService({ drainMs: 600_000 });
  const { session_id: id } = await running.open({ url: `${site.url}/` });
  const answer = await running.ask("GET", "/control/sessions");
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "keep-alive"]);
  const readHealth = async (): Promise<unknown> => (await running.ask("GET", "/health")).json();
  await expect.poll(readHealth).toMatchObject({ status: "ok", sessions: 1 });
  // A console that follows changes keeps no node from stopping.
  const changes = await running.ask("GET", "/control/changes");
  let isClosed = false;
  const closed = running.service.close().then(() => (isClosed = true));

  const health = await running.ask("GET", "/health");
  expect([health.status, health.headers.get("connection")]).toEqual([503, "close"]);
  expect(await health.json()).toMatchObject({ status: "draining", sessions: 1, checks: { storage: null } });
  const refused = await running.ask("POST", "/control/sessions", {});
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toEqual({
    detail: "the service is stopping and accepts no new sessions; ask another node, or try again later",
  });
  await expect(running.service.open()).rejects.toMatchObject({ code: "stopping" });
  const run = await running.ask("POST", "/api/automation/start", { query: `Open ${site.url}/` });
  expect([run.status, await run.text()]).toEqual([502, expect.stringContaining("is stopping")]);
  expect(await (await running.ask("GET", "/metrics")).text()).toContain("\ncloud_browser_draining 1\n");
  const scraped = await running.ask("POST", `/sessions/${id}/page/scrape`, {});
  expect((await readAnswer<{ markdown: string }>(scraped)).markdown).toContain("Harbour");
  expect(isClosed).toBe(false);

  expect(await running.end(id)).toMatchObject({ end_reason: "requested" });
  await closed;
  expect(await changes.text()).toContain('"sessions"');
  await expect(fetch(`${running.service.url}/health`)).rejects.toThrow("fetch failed");
});

test("sessions that outlast draining end then, with their recordings", async () => {
  const data = await mkdtemp(join(tmpdir(), "cb-drain-"));
  try {
    const before = await startTestService({ drainMs: 1_500, data });
    const { session_id: id } = await before.open({ url: `${site.url}/` });
    const begun = performance.now();
    await before.service.close();
    expect(performance.now() - begun).toBeGreaterThan(1_400);
    await using after = await startTestService({ data });
    const view = await after.ask("GET", `/control/sessions/${id}`);
    expect(await view.json()).toMatchObject({ state: "ended", end_reason: "shutdown" });
    expect((await after.ask("GET", `/sessions/${id}/replay`)).status).toBe(200);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test("a service that drains waits for requests that are being answered, as it may pass on what another node has", async () => {
  const http = await listen("127.0.0.1", 0);
  const answer = Promise.withResolvers<Response>();
  const arrived = Promise.withResolvers<void>();
  http.answerWith(() => {
    arrived.resolve();
    return answer.promise;
  });
  const stops: string[] = [];
  const response = fetch(http.url).then((result) => result.text());
  await arrived.promise;
  const sessions = { count: 0, drain: async () => undefined };
  const shutdown = new Shutdown({
    sessions,
    requests: http,
    endStreams: () => {},
    drainMs: 600_000,
    log: pino({ enabled: false }),
  });
  const closed = shutdown.close(async () => void stops.push("stop"));
  await new Promise<void>((resolve) => void setImmediate(resolve));
  expect([shutdown.state, stops]).toEqual(["draining", []]);
  answer.resolve(new Response("answered"));
  expect(await response).toBe("answered");
  await closed;
  expect([shutdown.state, stops]).toEqual(["stopping", ["stop"]]);
  await http.close();
});

test("a service without sessions does not wait", async () => {
  const running = await startTestService({ drainMs: 600_000 });
  const begun = performance.now();
  await running[Symbol.asyncDispose]();
  expect(performance.now() - begun).toBeLessThan(300_000);
});

test.each([-1, Number.NaN, 2 ** 31])("a time of %d ms to drain is refused", async (drainMs) => {
  await expect(startService({ drainMs })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("`drainMs` is"),
  });
});
