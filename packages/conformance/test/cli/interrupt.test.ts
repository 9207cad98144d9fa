import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { startCommand, type Outcome } from "./command.ts";
import { key, ownFolder, session } from "./own-folder.ts";
import { json, startServer, type Alter } from "../server.ts";

const folder = ownFolder();
const reason = "The run was interrupted before its requests were answered.";

/** The checks that the tests look at, and some more of the operation at which a run hangs. */
const selection = [
  "cookies/*",
  "{replay,scrape}/status-200",
  "scrape/rejects-unknown-property",
  "automation/400-query-missing",
];

/** Leaves the request of one probe without an end, so that the run hangs there. */
function hangingAt(url: string, reached: () => void): Alter {
  return (answer, request) => {
    if (!request.url.includes(url)) return answer;
    reached();
    return { status: 200, headers: { "content-type": "application/json" }, body: "{", leaveOpen: true };
  };
}

/** Runs on a server that hangs; interrupts the run once it has received the head of the answer that has no end. */
async function interrupted(alter: (hangs: () => void) => Alter): Promise<Report> {
  const controller = new AbortController();
  let hangs = false;
  const onHead = (): void => {
    if (hangs) setImmediate(() => controller.abort());
  };
  await using server = await startServer(alter(() => (hangs = true)));
  subscribe("http.client.response.finish", onHead);
  try {
    return await runConformance(server.target, { signal: controller.signal, only: selection });
  } finally {
    unsubscribe("http.client.response.finish", onHead);
  }
}

describe("a run that is interrupted", () => {
  test("makes a report of what was done, and skips the rest with the reason", async () => {
    const report = await interrupted((stop) => hangingAt("/cookies", stop));
    expect(report).toMatchObject({ verdict: "unfinished", exitCode: 3, run: { interrupted: true } });
    expect(report.sentence).toMatch(/^Interrupted: \d+ stated checks were judged until then, 0 of them fail/);
    const status = new Map(report.checks.map((check) => [check.id, check]));
    expect(status.get("scrape/status-200")?.status).toBe("pass");
    for (const id of ["cookies/status-200", "replay/status-200", "automation/400-query-missing"]) {
      expect(status.get(id)).toMatchObject({ status: "skip", reason });
    }
    expect(report.exchanges.at(-1)).toMatchObject({ operation: "session_cookies", response: { end: "interrupted" } });
    expect(report.summary.exchanges).toBeLessThan(report.run.requests);
  });

  test("passes no check of which a request is still out, and fails one that has a finding already", async () => {
    const report = await interrupted((stop) => (answer, request) => {
      if (request.body.includes("conformance_unknown")) return json(200, {});
      return request.prefer === "example=typical" ? hangingAt("/cookies", stop)(answer, request) : answer;
    });
    const status = new Map(report.checks.map((check) => [check.id, check.status]));
    expect(status.get("scrape/rejects-unknown-property")).toBe("fail");
    expect(status.get("cookies/json")).toBe("skip");
    expect(report).toMatchObject({ verdict: "unfinished", exitCode: 3 });
    expect(report.sentence).toMatch(/, [1-9]\d* of them fails?\.$/);
    expect(report.exchanges.some(({ id }) => id === "cookies/read")).toBe(true);
  });

  test("before it began sends nothing", async () => {
    const urls: string[] = [];
    await using server = await startServer((answer, { url }) => {
      urls.push(url);
      return answer;
    });
    const report = await runConformance(server.target, { signal: AbortSignal.abort() });
    expect(urls).toEqual([]);
    expect(report).toMatchObject({ verdict: "unfinished", summary: { exchanges: 0, checks: { pass: 0 } } });
  });
});

/** Starts the CLI on a server that hangs at the cookies, and interrupts it once it does. */
async function interruptCommand(): Promise<Outcome> {
  const { promise: hangs, resolve: reached } = Promise.withResolvers<void>();
  await using server = await startServer(hangingAt("/cookies", reached));
  const flags = [...session, "--only", selection.join(","), "--report", "json"];
  const call = startCommand(["run", "--base-url", server.url, ...flags], { env: key, cwd: folder.path });
  await hangs;
  call.child.kill("SIGINT");
  return await call.ended;
}

describe("Ctrl-C", () => {
  test("ends a run with its reports and exit code 3", async () => {
    const { code, stderr } = await interruptCommand();
    expect(code).toBe(3);
    expect(stderr).toContain("Interrupted");
    const report = folder.readReport();
    expect(report.run.interrupted).toBe(true);
    expect(report.checks.find(({ id }) => id === "replay/status-200")?.reason).toBe(reason);
  });

  test("after SIGTERM, which interrupts as well, ends the process at once with exit code 130, whatever it does", async () => {
    const interruption = JSON.stringify(fileURLToPath(new URL("../../src/cli/interruption.ts", import.meta.url)));
    const script = folder.write(
      "busy.ts",
      `import { Interruption } from ${interruption};
       const interruption = new Interruption();
       interruption.onFirst = () => console.log("first");
       interruption.signal.addEventListener("abort", () => console.log("aborted"));
       setInterval(() => {}, 1_000);
       console.log("ready");`,
    );
    const child = spawn(process.execPath, [script]);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    let output = "";
    child.stdout.on("data", (text: Buffer) => {
      output += text.toString();
      if (output === "ready\n") child.kill("SIGTERM");
      if (output.endsWith("aborted\n")) child.kill("SIGINT");
    });
    expect(await ended).toBe(130);
    expect(output).toBe("ready\nfirst\naborted\n");
  });
});
