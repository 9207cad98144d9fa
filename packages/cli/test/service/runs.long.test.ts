import { afterAll, beforeAll, expect, test } from "vitest";
import type { ControlHandover, ControlRun } from "@cloud-browser/client/control";
import { runHere } from "../run-cli.ts";
import { readAnswer, startTestService, type TestService } from "../../../service/test/running-service.ts";

let running: TestService;
let progress: string[];

beforeAll(async () => void (running = await startTestService()));
afterAll(() => running[Symbol.asyncDispose]());

/** Runs a command; gives what it writes to standard output, and throws its exit code and what it writes to standard error when it fails. */
async function call(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere([...words, "--data", running.data]);
  progress = stderr.split("\n").filter((line) => line !== "");
  if (code !== 0) throw Object.assign(new Error(stderr), { code });
  return stdout.trimEnd();
}

async function detached(query: string): Promise<string> {
  const headers = { authorization: `Bearer ${running.service.apiKey}`, prefer: "respond-async" };
  const body = JSON.stringify({ query });
  const response = await fetch(`${running.service.url}/api/automation/start`, { method: "POST", headers, body });
  return (await readAnswer<ControlRun>(response)).thread_id;
}

test("runs are listed, followed to their end and cancelled", async () => {
  expect(await call("runs")).toBe("No runs. An automation is one, and so is a function that is run again.");
  const id = await detached("Open about:blank, wait 1 second");
  await call("runs", "follow", id);
  expect(progress.map((line) => line.split(" ", 1)[0])).toEqual(["open_page", "wait", "done"]);
  const next = await detached("wait 100 seconds");
  const [headers, active, ended] = (await call("runs")).split("\n");
  expect(headers).toMatch(/^RUN {35}STARTED {11}STATE {3}STEPS {2}USD {2}TASK$/u);
  expect(active).toMatch(new RegExp(`^${next}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  active +0 +0$`));
  expect(ended).toMatch(new RegExp(`^${id}  .{16}  done +2 +0  Open about:blank, wait 1 second$`));
  await Promise.all([
    expect(call("runs", "follow", next)).rejects.toMatchObject({ code: 8 }),
    call("runs", "cancel", next),
  ]);
  expect(JSON.parse(await call("runs", "--json"))).toMatchObject([
    { thread_id: next, end: "cancelled" },
    { thread_id: id, end: "done" },
  ]);
  await expect(call("runs", "cancel", id)).rejects.toMatchObject({ code: 6 });
  await expect(call("runs", "follow", "x")).rejects.toMatchObject({ code: 6 });
});

test("requests for a person are listed and answered", async () => {
  expect(await call("handover", "ls")).toBe("No requests for a person.");
  const { session_id: id } = await running.open();
  const body = { message: "log in\u001b[2J, please" };
  const handover = await readAnswer<ControlHandover>(
    await running.ask("POST", `/control/sessions/${id}/handover`, body),
  );
  expect(await call("handover", "ls")).toMatch(
    new RegExp(
      `\\n${handover.handover_id}  ${id}  open until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  log in[^\\u001b]*, please$`,
      "u",
    ),
  );
  expect(await call("handover", "answer", handover.handover_id, "done", "--note", "as Anna")).toBe("");
  expect(JSON.parse(await call("handover", "ls", "--all", "--json"))).toMatchObject([
    { answer: "done", note: "as Anna" },
  ]);
  await expect(call("handover", "answer", handover.handover_id, "declined")).rejects.toMatchObject({ code: 3 });
  await expect(call("handover", "answer", "x", "done")).rejects.toMatchObject({ code: 6 });
  await expect(call("handover", "answer", handover.handover_id, "expired")).rejects.toThrow();
  await running.end(id);
});
