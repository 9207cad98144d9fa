import { readAutomationStream, type StreamEvent } from "@cloud-browser/stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunView } from "../../src/control/run-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import { SqlRunStore } from "../../src/storage/sql/sql-run-store.ts";
import { call } from "../../../automation/test/agent/agent-harness.ts";
import { startStubModelServer, type StubModelServer } from "@cloud-browser/testing/model/stub-model-server.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

const prices = { input: "1000", cachedInput: "1000", cacheWrite: "1000", output: "1000" };
/** Price of a turn of the stub that says nothing of its usage: 100 tokens in, 10 out. */
const turnUsd = 0.11;

let stub: StubModelServer;
let running: TestService;
let impatient: TestService;
/** What the model does next. */
let script: StubTurn[] = [];

beforeAll(async () => {
  stub = await startStubModelServer(() => script.shift() ?? { failure: { kind: "status", status: 500 } });
  const model = { baseUrl: stub.baseUrl, name: "stub", prices, limits: { retries: 0 } };
  const runLimits = { budgetUsd: "1000000" };
  running = await startTestService({ model, runLimits });
  impatient = await startTestService({ model, runLimits: { ...runLimits, timeMs: 10_000 } });
});

afterAll(async () => {
  await Promise.all([running, impatient].map((each) => each[Symbol.asyncDispose]()));
  await stub.close();
});

async function automate(
  at: TestService,
  turns: StubTurn[],
  onEvent: (event: StreamEvent, leave: AbortController) => unknown = () => {},
): Promise<StreamEvent[]> {
  script = turns;
  const events: StreamEvent[] = [];
  const leave = new AbortController();
  const response = await fetch(`${at.service.url}/api/automation/start`, {
    method: "POST",
    headers: { authorization: `Bearer ${at.service.apiKey}` },
    body: JSON.stringify({ query: "Do it." }),
    signal: leave.signal,
  });
  try {
    for await (const event of readAutomationStream(response)) {
      events.push(event);
      await onEvent(event, leave);
    }
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  }
  return events;
}

const readRun = async (at: TestService, events: readonly StreamEvent[]): Promise<RunView> => {
  const event = events.find(({ type }) => type === "notte_session_data");
  const id = event && "session_id" in event ? String(event.session_id) : "";
  const { thread_id } = await readAnswer<SessionView>(await at.ask("GET", `/control/sessions/${id}`));
  return readAnswer<RunView>(await at.ask("GET", `/control/runs/${thread_id ?? ""}`));
};

const cancelAll = async (): Promise<void> => {
  const { runs } = await readAnswer<{ runs: RunView[] }>(await running.ask("GET", "/control/runs"));
  for (const { thread_id } of runs) await running.ask("POST", `/control/runs/${thread_id}/cancel`);
};

const waits = call("wait", { seconds: 30 });
const fails: StubTurn = { failure: { kind: "status", status: 500 } };

describe("the cost of a run is in its terminal event and its record", () => {
  test.each<[how: string, at: () => TestService, turns: StubTurn[], end: string, reason: string | null]>([
    ["by done", () => running, [call("finish", { answer: "Done." })], "done", null],
    ["by an error", () => running, [waits, fails].toSpliced(0, 1, call("go_back")), "error", "model_failed"],
    ["by its time", () => impatient, [waits], "timeout", "time_limit"],
    ["by cancelling", () => running, [waits], "cancelled", "requested"],
  ])("a run that ends %s", async (_, at, turns, end, reason) => {
    const events = await automate(at(), [...turns], async (event) => {
      if (end === "cancelled" && event.type === "tool_start") await cancelAll();
    });
    const run = await readRun(at(), events);
    expect(events.at(-1)).toMatchObject({
      type: end,
      total_cost_usd: turnUsd,
      metadata: { thread_id: run.thread_id },
    });
    expect(run).toMatchObject({ state: "ended", end, reason, cost_usd: String(turnUsd) });
  });

  test("a run whose reader has disconnected", async () => {
    const events = await automate(running, [{ ...waits }], (event, leave) => {
      if (event.type === "message_complete") leave.abort();
    });
    await expect.poll(async () => (await readRun(running, events)).state, { timeout: 20_000 }).toBe("ended");
    expect(await readRun(running, events)).toMatchObject({ end: "cancelled", reason: "reader_gone", cost_usd: "0.11" });
    const ended = await readAnswer<{ runs: RunView[] }>(await running.ask("GET", "/control/runs?state=ended"));
    expect(ended.runs[0]).toEqual(await readRun(running, events));
  });

  test("a run that ends during an answer of the model includes its cost", async () => {
    const slow: StubTurn = { text: "x".repeat(400), pieceLength: 1, delayMs: 50 };
    const events = await automate(running, [slow], async (event) => {
      if (event.type === "text_delta") await cancelAll();
    });
    const { cost_usd } = await readRun(running, events);
    expect(Number(cost_usd)).toBeGreaterThan(0);
    expect(events.at(-1)).toMatchObject({ type: "cancelled", total_cost_usd: Number(cost_usd) });
  });
});

test.each([
  ["GET", "/control/runs?state=odd", 422],
  ["GET", "/control/runs/7", 404],
])("%s %s is answered with %d", async (method, path, status) => {
  expect((await running.ask(method, path)).status).toBe(status);
});

test("a run that a service left open is ended at the next start, with its known cost", async () => {
  const database = openDatabase(":memory:");
  const dead = new SqlRunStore(new SqliteDatabase(database));
  await dead.create("old", 1);
  await dead.change("old", { ended_ms: 2, end: "done" });
  await dead.create("left", 3);
  await dead.change("left", { session_id: "s", cost_usd: "0.5" });
  const records = new SqlRunStore(new SqliteDatabase(database));
  await records.recover(9 * 86_400_000);
  expect(await records.get("old")).toBeUndefined();
  expect(await records.listOfSessions(["s"])).toEqual([await records.get("left")]);
  expect(await records.listEnded(10)).toMatchObject([{ thread_id: "left", end: "service-died", cost_usd: "0.5" }]);
});
