import { readAutomationStream, type StreamEvent } from "@cloud-browser/stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HandoverView } from "../../src/control/handover-view.ts";
import { LiveClient } from "../live/live-client.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { listDescendants } from "@cloud-browser/testing/process-tree.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let impatient: TestService;
let site: Site;

beforeAll(async () => {
  running = await startTestService({ limits: { count: 5 }, runLimits: { count: 5, askMs: 600_000 } });
  impatient = await startTestService({ runLimits: { timeMs: 1_500 } });
  site = await startSite({
    "/": "<title>Teas</title><h1>Teas</h1><table><tr><th>Tea</th><th>Price</th></tr><tr><td>Green</td><td>4.50</td></tr></table>",
    "/away": (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    "/account": (request, response) => {
      const isIn = request.headers.cookie?.includes("in=yes") === true;
      const form = `<h1>Sign in</h1><form action="/enter"><label>User <input name="user"></label>
        <label>Password <input type="password" name="password" autofocus></label><button>Sign in</button></form>`;
      const account =
        "<h1>Account</h1><table><tr><th>Item</th><th>Sum</th></tr><tr><td>Tea</td><td>12.30</td></tr></table>";
      response
        .setHeader("content-type", "text/html")
        .end(isIn ? `<title>Account</title>${account}` : `<title>Bank</title>${form}`);
    },
    "/enter": (_, response) => response.writeHead(302, { location: "/account", "set-cookie": "in=yes" }).end(),
    "/drop": (request) => request.socket.destroy(),
  });
});

afterAll(async () => {
  await Promise.all([site, running, impatient].map((each) => each[Symbol.asyncDispose]()));
});

/** Starts a run, and tells its events. */
async function automate(
  query: string,
  at: TestService = running,
  onEvent: (event: StreamEvent) => unknown = () => {},
): Promise<{ readonly events: StreamEvent[]; readonly text: string }> {
  const events: StreamEvent[] = [];
  for await (const event of readAutomationStream(await at.ask("POST", "/api/automation/start", { query }))) {
    events.push(event);
    await onEvent(event);
  }
  const text = events.map((event) => (event.type === "text_delta" ? event.delta : "")).join("");
  return { events, text };
}

const types = (events: readonly StreamEvent[]): string[] => events.map(({ type }) => type);

test("a task is performed step by step, and ends with its data and a function", async () => {
  const { events, text } = await automate(`Open ${site.url}/ and extract the table`);
  expect(types(events)).toEqual([
    "status",
    "notte_session_data",
    "status",
    "thinking_delta",
    "tool_start",
    "tool_result",
    "tool_start",
    "tool_result",
    "text_delta",
    "message_complete",
    "function_uploaded",
    "done",
  ]);
  expect(text).toContain("| Green | 4.50 |");
  const done = events.at(-1);
  expect(done).toMatchObject({
    type: "done",
    total_cost_usd: 0,
    metadata: { data: { table: [{ Tea: "Green", Price: "4.50" }] } },
  });
});

/** A person who is asked by a run: acts at the live socket, and answers. */
async function help(
  event: StreamEvent,
  answer: "done" | "declined",
  act: (viewer: LiveClient) => unknown,
): Promise<void> {
  const { handover_id: id } = Object(event);
  const listed = await readAnswer<{ handovers: HandoverView[] }>(
    await running.ask("GET", "/control/handovers?state=open"),
  );
  const request = listed.handovers.find(({ handover_id }) => handover_id === id);
  expect(request).toMatchObject({ asked_by: "run", message: expect.stringMatching(/^Log in on 127\.0\.0\.1:\d+: /u) });
  const tokens = `/control/sessions/${request?.session_id}/tokens`;
  const { live_url } = await readAnswer<{ live_url: string }>(await running.ask("POST", tokens, { scope: "steer" }));
  const viewer = await LiveClient.open(live_url);
  viewer.send({ type: "control", action: "take" });
  await viewer.next(({ type, you }) => type === "control" && you === true);
  await act(viewer);
  viewer.send({ type: "handover", handover_id: id, answer, note: "as asked" });
}

test("a run asks a person where a page wants a login that the task does not give, and goes on from the page as it is then", async () => {
  const waits: StreamEvent[] = [];
  const { events } = await automate(`Open ${site.url}/account and extract the table`, running, async (event) => {
    if (event.type !== "status" || event.status !== "waiting_for_person") return;
    waits.push(event);
    await help(event, "done", async (viewer) => {
      viewer.send({ type: "text", text: "secret" });
      for (const action of ["down", "up"]) viewer.send({ type: "key", action, key: "Enter" });
      await viewer.next(({ type, title }) => type === "page" && title === "Account");
    });
  });
  expect(waits).toHaveLength(1);
  const after = events.slice(events.indexOf(waits[0] ?? { type: "status", status: "" }) + 1);
  expect(after[0]).toMatchObject({ type: "status", status: "running" });
  expect(events.at(-1)).toMatchObject({
    type: "done",
    metadata: {
      data: { table: [{ Item: "Tea", Sum: "12.30" }] },
      notes: [expect.stringMatching(/^A person was asked/u)],
    },
  });
});

test("a run whose person declines fails, and says so; without anybody to ask it fails as it did", async () => {
  const task = `Open ${site.url}/account and extract the table`;
  const { events } = await automate(task, running, async (event) => {
    if (event.type === "status" && event.status === "waiting_for_person") await help(event, "declined", () => {});
  });
  expect(events.at(-1)).toMatchObject({
    type: "error",
    error: "step_failed",
    detail: expect.stringMatching(/wants a login.*declined: as asked/u),
  });
  const { events: alone } = await automate(task, impatient);
  expect(alone.at(-1)?.type).toMatch(/error|timeout/u);
  expect(JSON.stringify(alone)).not.toMatch(/person/u);
});

test("the first event is sent before the browser is ready", async () => {
  // From here on browsers answer nothing.
  const browsers = listDescendants(process.pid);
  for (const pid of browsers) process.kill(pid, "SIGSTOP");
  let first: StreamEvent | undefined;
  await automate("Open about:blank", running, (event) => {
    if (first !== undefined) return;
    first = event;
    for (const pid of browsers) process.kill(pid, "SIGCONT");
  });
  expect(browsers).not.toEqual([]);
  expect(first).toMatchObject({ type: "status" });
});

test("the recording of a run can be read with its session_id", async () => {
  const { events } = await automate(`Open ${site.url}/, wait 1 second`);
  const opened = events.find(({ type }) => type === "notte_session_data");
  const id = String(opened && "session_id" in opened ? opened.session_id : "");
  await expect
    .poll(async () => (await running.ask("GET", `/sessions/${id}/replay`)).status, { timeout: 60_000 })
    .toBe(200);
});

test("the viewer_url shows the session while it is open, and only with its token", async () => {
  let shown: Promise<Response> | undefined;
  let viewer = "";
  await automate(`Open ${site.url}/, wait 2 seconds`, running, (event) => {
    if (event.type !== "notte_session_data") return;
    viewer = event.viewer_url;
    shown = fetch(viewer.replace("/page?", "/pictures?"));
  });
  const response = await shown;
  expect(response?.headers.get("content-type")).toMatch(/^multipart\/x-mixed-replace/);
  const bytes = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(bytes.includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(true);
  const after = await fetch(viewer);
  expect(after.status).toBe(200);
  expect(await after.text()).toMatch(/>ended<(?:(?!<img).)*This session has ended/s);
  const strange = await fetch(`${running.service.url}/viewer/some-session/page?token=abc`);
  expect(strange.status).toBe(403);
});

describe("each run ends in one event", () => {
  const ends: readonly [string, () => Promise<{ readonly events: StreamEvent[] }>, object][] = [
    [
      "a task beyond the planner",
      () => automate("Find the cheapest flight to Oslo"),
      { type: "error", error: "model_needed" },
    ],
    [
      "a part that is not there",
      () => automate(`Open ${site.url}/, click Buy now`),
      { type: "error", error: "step_failed" },
    ],
    [
      "a server that answers nothing",
      () => automate(`Open ${site.url}/drop`),
      { type: "error", error: "step_failed", detail: expect.stringContaining("the server could not be reached") },
    ],
    [
      "a server that leads to what is refused",
      () => automate(`Open ${site.url}/away`),
      { type: "error", error: "step_failed", detail: expect.stringContaining("allow list") },
    ],
    [
      "an address that is refused",
      () => automate("Open http://169.254.169.254/latest"),
      { type: "error", error: "address_refused" },
    ],
    [
      "a run that takes too long",
      () => automate("wait 30 seconds", impatient),
      { type: "timeout", reason: "time_limit" },
    ],
    [
      "a run that is cancelled",
      () =>
        automate("wait 30 seconds", running, async (event) => {
          if (event.type !== "thinking_delta") return;
          const { runs } = await readAnswer<{
            runs: { thread_id: string }[];
          }>(await running.ask("GET", "/control/runs"));
          for (const { thread_id } of runs) await running.ask("POST", `/control/runs/${thread_id}/cancel`);
        }),
      { type: "cancelled", reason: "requested" },
    ],
    [
      "a run whose browser goes",
      () =>
        automate("wait 30 seconds", running, async (event) => {
          if (event.type === "notte_session_data" && "session_id" in event) await running.end(String(event.session_id));
        }),
      { type: "error", error: "session_lost" },
    ],
  ];
  test.each(ends)("%s", async (_, automated, end) => {
    const { events } = await automated();
    expect(events.at(-1)).toMatchObject(end);
    expect(types(events).filter((type) => ["done", "error", "timeout", "cancelled"].includes(type))).toHaveLength(1);
  });
});

test("a reader that disconnects ends the run and its browser", async () => {
  const leaving = new AbortController();
  const response = await fetch(`${running.service.url}/api/automation/start`, {
    method: "POST",
    headers: { authorization: `Bearer ${running.service.apiKey}` },
    body: JSON.stringify({ query: "wait 60 seconds" }),
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();
  const left = async (): Promise<unknown> => {
    const { sessions } = await readAnswer<{ sessions: number }>(await fetch(`${running.service.url}/health`));
    const { runs } = await readAnswer<{ runs: unknown[] }>(await running.ask("GET", "/control/runs"));
    return { sessions, runs };
  };
  await expect.poll(left, { timeout: 60_000 }).toEqual({ sessions: 0, runs: [] });
});

test("a run beyond the limit is answered with 502, like any run that can't be started", async () => {
  await using one = await startTestService({ runLimits: { count: 1 } });
  const first = await one.ask("POST", "/api/automation/start", { query: "wait 30 seconds" });
  const second = await one.ask("POST", "/api/automation/start", { query: "Open about:blank" });
  expect(second.status).toBe(502);
  expect(await second.json()).toEqual({ error: expect.stringContaining("the agent failed to start") });
  await first.body?.cancel();
});
