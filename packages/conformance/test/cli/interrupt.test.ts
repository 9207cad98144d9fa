import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { compileCache } from "./compile-cache.ts";
import { json, apiKey, endedSessionId, sessionId, startServer, type Alter } from "../server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conformance-interrupt-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const reason = "The run was interrupted before its requests were answered.";

/** The checks that the tests look at, and some more of the operation at which a run hangs. */
const judged = [
  "cookies/*",
  "replay/status-200",
  "scrape/status-200",
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
    return await runConformance(server.target, { signal: controller.signal, only: judged });
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
    const seen: string[] = [];
    await using server = await startServer((answer, { url }) => {
      seen.push(url);
      return answer;
    });
    const report = await runConformance(server.target, { signal: AbortSignal.abort() });
    expect(seen).toEqual([]);
    expect(report).toMatchObject({ verdict: "unfinished", summary: { exchanges: 0, checks: { pass: 0 } } });
  });
});

/** Starts the CLI on a server that hangs at the cookies, and interrupts it once it does. */
async function stopped(): Promise<{ code: number | null; stderr: string }> {
  const { promise: hangs, resolve: reached } = Promise.withResolvers<void>();
  await using server = await startServer(hangingAt("/cookies", reached));
  const flags = [
    "--base-url",
    server.url,
    "--session-id",
    sessionId,
    "--ended-session-id",
    endedSessionId,
    "--only",
    judged.join(","),
    "--out",
    "reports",
  ];
  const child = spawn(
    process.execPath,
    ["--conditions=@cloud-browser/source", cli, "run", ...flags, "--report", "json"],
    {
      cwd: folder,
      env: { PATH: process.env["PATH"], NO_COLOR: "1", ...compileCache, CLOUD_BROWSER_API_KEY: apiKey },
    },
  );
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await hangs;
  child.kill("SIGINT");
  return { code: await ended, stderr };
}

describe("Ctrl-C", () => {
  test("ends a run with its reports and exit code 3", async () => {
    const { code, stderr } = await stopped();
    expect(code).toBe(3);
    expect(stderr).toContain("Interrupted");
    const report: Report = JSON.parse(readFileSync(join(folder, "reports", "report.json"), "utf8"));
    expect(report.run.interrupted).toBe(true);
    expect(report.checks.find(({ id }) => id === "replay/status-200")?.reason).toBe(reason);
  });

  test("after SIGTERM, which interrupts as well, ends the process at once with exit code 130, whatever it does", async () => {
    const script = join(folder, "busy.ts");
    const interruption = JSON.stringify(fileURLToPath(new URL("../../src/cli/interruption.ts", import.meta.url)));
    writeFileSync(
      script,
      `import { Interruption } from ${interruption};
       const { signal } = new Interruption(() => console.log("first"));
       signal.addEventListener("abort", () => console.log("aborted"));
       setInterval(() => {}, 1_000);
       console.log("ready");`,
    );
    const child = spawn(process.execPath, [script]);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    let said = "";
    child.stdout.on("data", (text: Buffer) => {
      said += text.toString();
      if (said === "ready\n") child.kill("SIGTERM");
      if (said.endsWith("aborted\n")) child.kill("SIGINT");
    });
    expect(await ended).toBe(130);
    expect(said).toBe("ready\nfirst\naborted\n");
  });
});
