import { Command } from "commander";
import { startSite } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { register as registerHandover } from "../../src/cli/handover.ts";
import { register } from "../../src/cli/runs.ts";
import type { HandoverView } from "../../src/control/handover-view.ts";
import type { RunView } from "../../src/control/run-view.ts";
import { answerOf, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let output: string[];
let progress: string[];

beforeAll(async () => void (running = await startTestService()));
afterAll(() => running[Symbol.asyncDispose]());
beforeEach(() => {
  output = [];
  progress = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void output.push(text));
  vi.spyOn(console, "error").mockImplementation((text: string) => void progress.push(text));
  return () => vi.restoreAllMocks();
});

/** Runs a command as the command line does; gives what it writes to standard output. */
async function call(...words: readonly string[]): Promise<string> {
  const program = new Command("cloud-browser").exitOverride().configureOutput({ writeErr: () => {} });
  register(program);
  registerHandover(program);
  await program.parseAsync([...words, "--data", running.data], { from: "user" });
  return output.join("\n");
}

async function detached(query: string): Promise<string> {
  const headers = { authorization: `Bearer ${running.service.apiKey}`, prefer: "respond-async" };
  const body = JSON.stringify({ query });
  const response = await fetch(`${running.service.url}/api/automation/start`, { method: "POST", headers, body });
  return (await answerOf<RunView>(response)).thread_id;
}

test("runs are listed, followed to their end and cancelled", async () => {
  expect(await call("runs")).toBe("No runs. An automation is one, and so is a function that is run again.");
  const id = await detached("Open about:blank, wait 1 second");
  await call("runs", "follow", id);
  expect(progress.map((line) => line.split(" ", 1)[0])).toEqual(["open_page", "wait"]);
  const next = await detached("wait 100 seconds");
  output = [];
  const [headers, active, ended] = (await call("runs")).split("\n");
  expect(headers).toMatch(/^RUN {35}STARTED {11}STATE {3}STEPS {2}USD {2}TASK$/u);
  expect(active).toMatch(new RegExp(`^${next}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  active +0 +0$`));
  expect(ended).toMatch(new RegExp(`^${id}  .{16}  done +2 +0  Open about:blank, wait 1 second$`));
  await Promise.all([
    expect(call("runs", "follow", next)).rejects.toThrow("the run was cancelled (requested)"),
    call("runs", "cancel", next),
  ]);
  output = [];
  expect(JSON.parse(await call("runs", "--json"))).toMatchObject([
    { thread_id: next, end: "cancelled" },
    { thread_id: id, end: "done" },
  ]);
  await expect(call("runs", "cancel", id)).rejects.toThrow("no active run");
  await expect(call("runs", "follow", "x")).rejects.toThrow("there is no such run");
});

test("requests for a person are listed and answered", async () => {
  expect(await call("handover", "ls")).toBe("No requests for a person.");
  const { session_id: id } = await running.open();
  const body = { message: "log in\u001b[2J, please" };
  const asked = await answerOf<HandoverView>(await running.ask("POST", `/control/sessions/${id}/handover`, body));
  output = [];
  expect(await call("handover", "ls")).toMatch(
    new RegExp(
      `^${asked.handover_id}  ${id}  open until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  log in[^\\u001b]*, please$`,
      "u",
    ),
  );
  output = [];
  expect(await call("handover", "answer", asked.handover_id, "done", "--note", "as Anna")).toBe("");
  expect(JSON.parse(await call("handover", "ls", "--all", "--json"))).toMatchObject([
    { answer: "done", note: "as Anna" },
  ]);
  await expect(call("handover", "answer", asked.handover_id, "declined")).rejects.toThrow("answered before (done)");
  await expect(call("handover", "answer", "x", "done")).rejects.toThrow("there is no such request");
  await expect(call("handover", "answer", asked.handover_id, "expired")).rejects.toThrow();
  await running.end(id);
});

test("a run is followed over connections that break off, each event once", async () => {
  const events = ["wait", "click"].flatMap((name) => [
    { type: "tool_start", name },
    { type: "tool_result", content: "done" },
  ]);
  const blocks = [
    ...events,
    { type: "done", metadata: { thread_id: "a", data: { name: "tea" } }, total_cost_usd: 0 },
  ].map((event, index) => `id: ${index === 4 ? "end" : index + 1}\ndata: ${JSON.stringify(event)}\n\n`);
  const asked: unknown[] = [];
  await using site = await startSite({
    "/control/runs/a/events": (request, response) => {
      const last = request.headers["last-event-id"];
      asked.push(last);
      if (asked.length === 2) return void response.writeHead(503).end("{}");
      response.writeHead(200, { "content-type": "text/event-stream" });
      const rest = blocks.slice(Number(last)).join("");
      // Of the first answer one event comes whole, and of the third one some more; what is cut off is sent again.
      const length = [70, Infinity, 120][asked.length - 1] ?? Infinity;
      response.write(rest.slice(0, length), () => (length < rest.length ? response.destroy() : response.end()));
    },
  });
  vi.stubEnv("CLOUD_BROWSER_API_KEY", "key");
  const text = await call("runs", "follow", "a", "--base-url", site.url).finally(() => vi.unstubAllEnvs());
  expect(JSON.parse(text)).toEqual({ name: "tea" });
  expect(progress.map((line) => line.split(" ", 1)[0])).toEqual(["wait", "click"]);
  expect(asked).toEqual(["0", "1", "1", "3"]);
});

test("an event without an end is given up in bounded memory", async () => {
  const piece = "x".repeat(2 ** 20);
  const most = 2 ** 26;
  let taken = 0;
  await using site = await startSite({
    "/control/runs/a/events": (_, response) => {
      // The second connection of a reader that did not give up in time: its run has no events.
      if (taken > most) return response.writeHead(204).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      const write = (): void => {
        if (response.destroyed) return;
        if ((taken += piece.length) > most) response.end();
        else response.write(piece, write);
      };
      return write();
    },
  });
  vi.stubEnv("CLOUD_BROWSER_API_KEY", "key");
  const following = call("runs", "follow", "a", "--base-url", site.url).finally(() => vi.unstubAllEnvs());
  await expect(following).rejects.toThrow("event-too-large");
});
