import { Command } from "commander";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { register } from "../../src/cli/runs.ts";
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
  const [active, ended] = (await call("runs")).split("\n");
  expect(active).toMatch(new RegExp(`^${next}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  active +0 steps, 0 USD$`));
  expect(ended).toMatch(new RegExp(`^${id}  .{16}  done +2 steps, 0 USD  Open about:blank, wait 1 second$`));
  const following = call("runs", "follow", next);
  await call("runs", "cancel", next);
  await expect(following).rejects.toThrow("the run was cancelled (requested)");
  output = [];
  expect(JSON.parse(await call("runs", "--json"))).toMatchObject([
    { thread_id: next, end: "cancelled" },
    { thread_id: id, end: "done" },
  ]);
  await expect(call("runs", "cancel", id)).rejects.toThrow("no active run");
  await expect(call("runs", "follow", "x")).rejects.toThrow("there is no such run");
});
