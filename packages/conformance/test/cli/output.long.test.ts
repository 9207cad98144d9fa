import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { program, startCommand, type Output } from "./command.ts";
import { key, ownFolder, session } from "./own-folder.ts";
import { startServer, withoutMarkdown, type Alter, type TestServer } from "../server.ts";

const folder = ownFolder();
const only = ["--only", "scrape/markdown-present"];

function listWords({ url }: TestServer): string[] {
  return ["run", "--base-url", url, ...session, ...only];
}

/** Runs the CLI with that as its output, or with a reader that goes after the first piece. */
async function writingTo(output: Output, args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const { child, ended } = startCommand(args, { env: key, cwd: folder.path, output });
  child.stdout?.once("data", () => child.stdout?.destroy());
  const { code, stderr } = await ended;
  return { code, stderr: stderr.replaceAll(/^ *\d+\/\d+ \S+\n/gm, "") };
}

describe("when the reader of the output goes, the verdict still decides:", () => {
  test.for<[name: string, code: number, alter?: Alter]>([
    ["conforming", 0],
    ["not conforming", 1, withoutMarkdown],
  ])("%s", async ([, code, alter]) => {
    await using server = await startServer(alter);
    expect(await writingTo("pipe", listWords(server))).toEqual({ code, stderr: "" });
    expect(existsSync(join(folder.path, "reports", "report.json"))).toBe(true);
  });

  test("through a pipe of the shell", async () => {
    await using server = await startServer();
    const line = `{ "$@"; echo "ended with $?" >&2; } | head -n 1`;
    const call = [...program, ...listWords(server)];
    const stderr = await new Promise<string>((resolve) => {
      const shell = spawn("/bin/sh", ["-c", line, "sh", ...call], {
        cwd: folder.path,
        env: { ...process.env, ...key },
      });
      let text = "";
      shell.stderr.on("data", (piece: Buffer) => (text += piece.toString()));
      shell.once("close", () => resolve(text));
    });
    expect(stderr).toContain("ended with 0");
    expect(stderr).not.toContain("    at ");
  });
});

describe("when the output can't be written, the exit code is 3, and a line says why:", () => {
  test.for(["run", "list"])("%s", async (command, { skip }) => {
    skip(!existsSync("/dev/full"), "this platform has no /dev/full");
    await using server = await startServer(withoutMarkdown);
    const full = openSync("/dev/full", "w");
    const { code, stderr } = await writingTo(full, command === "run" ? listWords(server) : [command]);
    closeSync(full);
    expect(stderr).toMatch(/^conformance: the output could not be written \(.*ENOSPC.*\)\n$/);
    expect(code).toBe(3);
  });
});

describe("a run that could not write its reports sends nothing:", () => {
  test.for<[name: string, says: string, prepare: (out: string) => void, below?: string]>([
    ["a file is where the folder should be", "exists and is not a folder", (out) => writeFileSync(out, "")],
    ["a file is above the folder", "exists and is not a folder", (out) => writeFileSync(out, ""), "a/b"],
    ["a link that leads nowhere is there", "is a broken symbolic link", (out) => symlinkSync(`${out}-gone`, out), "a"],
    [
      "a folder is where a report should be",
      "is a folder",
      (out) => mkdirSync(`${out}/report.md`, { recursive: true }),
    ],
  ])("%s", async ([, says, prepare, below = ""], { task }) => {
    const out = join(folder.path, task.id);
    prepare(out);
    let requests = 0;
    const count: Alter = (answer) => {
      requests += 1;
      return answer;
    };
    const { code, stderr } = await folder.judge(count, [...only, "--out", join(out, below)]);
    expect(stderr).toContain(says);
    expect(stderr).toContain("choose another folder with --out");
    expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  });

  test("none can be made, though the folder above is there to be written to", async () => {
    const { code, stderr } = await folder.judge(undefined, [...only, "--out", "/proc/conformance/reports"]);
    expect(stderr).toContain("choose another folder with --out");
    expect(code).toBe(2);
  });
});

describe("when writing fails after the run, the summary is printed, and then the error:", () => {
  test("a report", async () => {
    const makeFolder: Alter = (answer, request) => {
      mkdirSync(join(folder.path, "late", "report.html"), { recursive: true });
      return withoutMarkdown(answer, request);
    };
    const { code, stdout, stderr } = await folder.judge(makeFolder, [...only, "--out", "late"]);
    expect(stdout).toContain("FAIL scrape/markdown-present");
    expect(stdout).toContain("Not conforming: ");
    expect(stderr).toContain("conformance: the reports could not be written");
    expect(code).toBe(2);
    // What can be written is.
    expect(folder.readReport("late")).toMatchObject({ verdict: "not-conforming" });
  });

  test("the job summary", async () => {
    const env = { GITHUB_STEP_SUMMARY: join(folder.path, "gone", "summary.md") };
    const { code, stdout, stderr } = await folder.judge(undefined, only, env);
    expect(stdout).toContain("Conforming: ");
    expect(stderr).toContain("conformance: the job summary could not be written");
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(2);
  });
});
