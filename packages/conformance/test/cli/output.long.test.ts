import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conformance } from "./command.ts";
import { compileCache } from "./compile-cache.ts";
import { apiKey, endedSessionId, sessionId, startServer, type Alter, type TestServer } from "../server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conformance-output-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const env = { CLOUD_BROWSER_API_KEY: apiKey };
const withoutMarkdown: Alter = (answer, { url }) =>
  url.includes("/scrape") && answer.status === 200 ? { ...answer, body: "{}" } : answer;

function runFlags({ url }: TestServer, ...more: readonly string[]): string[] {
  const session = ["--session-id", sessionId, "--ended-session-id", endedSessionId];
  return ["run", "--base-url", url, ...session, "--only", "scrape/markdown-present", ...more];
}

/** Runs the CLI with that as its output, or with a reader that goes after the first piece. */
function writingTo(
  output: number | "a reader that goes",
  args: readonly string[],
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const goes = output === "a reader that goes";
    const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", cli, ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"], NO_COLOR: "1", ...compileCache, ...env },
      stdio: ["ignore", goes ? "pipe" : output, "pipe"],
    });
    child.stdout?.once("data", () => child.stdout?.destroy());
    let stderr = "";
    child.stderr?.on("data", (text: Buffer) => (stderr += text.toString()));
    child.once("close", (code) => resolve({ code, stderr: stderr.replaceAll(/^\d+\/\d+ \S+\n/gm, "") }));
  });
}

describe("when the reader of the output goes, the verdict still decides:", () => {
  test.for<{ name: string; alter?: Alter; code: number }>([
    { name: "conforming", code: 0 },
    { name: "not conforming", alter: withoutMarkdown, code: 1 },
  ])("$name", async ({ alter, code }) => {
    await using server = await startServer(alter);
    expect(await writingTo("a reader that goes", runFlags(server))).toEqual({ code, stderr: "" });
    expect(existsSync(join(folder, "reports", "report.json"))).toBe(true);
  });

  test("through a pipe of the shell", async () => {
    await using server = await startServer();
    const line = `{ "$@"; echo "ended with $?" >&2; } | head -n 1`;
    const call = [process.execPath, "--conditions=@cloud-browser/source", cli, ...runFlags(server)];
    const said = await new Promise<string>((resolve) => {
      const shell = spawn("/bin/sh", ["-c", line, "sh", ...call], { cwd: folder, env: { ...process.env, ...env } });
      let text = "";
      shell.stderr.on("data", (piece: Buffer) => (text += piece.toString()));
      shell.once("close", () => resolve(text));
    });
    expect(said).toContain("ended with 0");
    expect(said).not.toContain("    at ");
  });
});

describe("when the output can't be written, the exit code is 3, and a line says why:", () => {
  test.for(["run", "list"])("%s", async (command, { skip }) => {
    skip(!existsSync("/dev/full"), "this platform has no /dev/full");
    await using server = await startServer(withoutMarkdown);
    const full = openSync("/dev/full", "w");
    const { code, stderr } = await writingTo(full, command === "run" ? runFlags(server) : [command]);
    closeSync(full);
    expect(stderr).toMatch(/^conformance: the output could not be written \(.*ENOSPC.*\)\n$/);
    expect(code).toBe(3);
  });
});

describe("a run that could not write its reports sends nothing:", () => {
  test.for<{ name: string; prepare: (out: string) => string; says: string }>([
    {
      name: "a file is where the folder should be",
      prepare: (out) => {
        writeFileSync(out, "");
        return out;
      },
      says: "exists and is not a folder",
    },
    {
      name: "a file is above the folder",
      prepare: (out) => {
        writeFileSync(out, "");
        return join(out, "a", "b");
      },
      says: "exists and is not a folder",
    },
    {
      name: "a link that leads nowhere is where the folder should be",
      prepare: (out) => {
        symlinkSync(`${out}-gone`, out);
        return join(out, "a");
      },
      says: "is a broken symbolic link",
    },
    {
      name: "a folder is where a report should be",
      prepare: (out) => {
        mkdirSync(join(out, "report.md"), { recursive: true });
        return out;
      },
      says: "is a folder",
    },
  ])("$name", async ({ prepare, says }, { task }) => {
    const out = prepare(join(folder, task.id));
    let requests = 0;
    await using server = await startServer((answer) => {
      requests += 1;
      return answer;
    });
    const { code, stderr } = await conformance(runFlags(server, "--out", out), { env, cwd: folder });
    expect(stderr).toContain(says);
    expect(stderr).toContain("choose another folder with --out");
    expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  });
});

describe("when writing fails after the run, the summary is printed, and then the error:", () => {
  test("a report", async () => {
    const out = join(folder, "late");
    await using server = await startServer((answer, request) => {
      mkdirSync(join(out, "report.html"), { recursive: true });
      return withoutMarkdown(answer, request);
    });
    const { code, stdout, stderr } = await conformance(runFlags(server, "--out", out), { env, cwd: folder });
    expect(stdout).toContain("FAIL scrape/markdown-present");
    expect(stdout).toContain("Not conforming: ");
    expect(stderr).toContain("conformance: the reports could not be written");
    expect(code).toBe(2);
    // What can be written is.
    expect(JSON.parse(readFileSync(join(out, "report.json"), "utf8"))).toMatchObject({ verdict: "not-conforming" });
  });

  test("a folder where none can be made, though it is there to be written to", async () => {
    await using server = await startServer();
    const { code, stderr } = await conformance(runFlags(server, "--out", "/proc/conformance/reports"), {
      env,
      cwd: folder,
    });
    expect(stderr).toContain("choose another folder with --out");
    expect(code).toBe(2);
  });

  test("the job summary", async () => {
    await using server = await startServer();
    const environment = { ...env, GITHUB_STEP_SUMMARY: join(folder, "gone", "summary.md") };
    const { code, stdout, stderr } = await conformance(runFlags(server), { env: environment, cwd: folder });
    expect(stdout).toContain("Conforming: ");
    expect(stderr).toContain("conformance: the job summary could not be written");
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(2);
  });
});
