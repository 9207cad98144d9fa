import { liveTarget, runConformance } from "@cloud-browser/conformance";
import { readAutomationStream, type StreamEvent } from "@cloud-browser/stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let impatient: TestService;
let site: Site;

beforeAll(async () => {
  running = await startTestService({ limits: { count: 30 }, runLimits: { count: 20 } });
  impatient = await startTestService({ runLimits: { timeMs: 1_500 } });
  site = await startSite({
    "/n": (request, response) => {
      const number = new URL(request.url ?? "", "http://x").searchParams.get("is");
      response.setHeader("content-type", "text/html");
      response.end(`<title>${number}</title><ul><li>number ${number}</li></ul>`);
    },
  });
});

afterAll(async () => {
  await Promise.all([site, running, impatient].map((each) => each[Symbol.asyncDispose]()));
});

/** The last event of a run. */
async function findLast(query: string): Promise<StreamEvent | undefined> {
  const events: StreamEvent[] = [];
  const started = await running.ask("POST", "/api/automation/start", { query });
  for await (const event of readAutomationStream(started)) events.push(event);
  return events.at(-1);
}

test("twenty concurrent runs don't mix, and leave nothing behind", async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const all = await Promise.all(
    numbers.map((number) => findLast(`Open ${site.url}/n?is=${number} and extract the list`)),
  );
  expect(all).toMatchObject(
    numbers.map((number) => ({ type: "done", metadata: { data: { list: [`number ${number}`] } } })),
  );
  await expect
    .poll(async () => (await fetch(`${running.service.url}/health`)).json(), { timeout: 60_000 })
    .toMatchObject({ status: "ok", sessions: 0 });
});

describe("streams pass the conformance checks, whatever the end", () => {
  const ends: readonly [string, string, () => TestService][] = [
    ["success", "Open about:blank", () => running],
    ["failure", "Find the cheapest flight to Oslo", () => running],
    ["timeout", "wait 30 seconds", () => impatient],
  ];
  test.each(ends)("%s", async (_, query, at) => {
    const { service, open } = at();
    const { session_id: sessionId } = await open();
    const target = liveTarget({ baseUrl: service.url, apiKey: service.apiKey, sessionId, query });
    const report = await runConformance(target, { profile: "full", only: ["stream/*", "event/*", "automation/*"] });
    const unsound = report.checks.filter(({ status }) => status === "fail" || status === "error");
    expect(unsound.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
    expect(report.checks.filter(({ status }) => status === "pass").length).toBeGreaterThan(10);
    await at().end(sessionId);
  });

  test("cancel", async () => {
    const { service, open, ask, end } = running;
    const { session_id: sessionId } = await open();
    const cancelling = setInterval(() => void cancelAll(), 300);
    const cancelAll = async (): Promise<void> => {
      const { runs } = await readAnswer<{ runs: { thread_id: string }[] }>(await ask("GET", "/control/runs"));
      for (const { thread_id } of runs) await ask("POST", `/control/runs/${thread_id}/cancel`);
    };
    const query = "wait 60 seconds";
    const target = liveTarget({ baseUrl: service.url, apiKey: service.apiKey, sessionId, query });
    const report = await runConformance(target, { profile: "full", only: ["stream/*", "event/*", "automation/*"] });
    clearInterval(cancelling);
    const status = (id: string): unknown => report.checks.find((check) => check.id === id)?.status;
    expect(report.exitCode).toBe(0);
    expect(status("stream/closes-after-cancelled")).toBe("pass");
    await end(sessionId);
  });
});
