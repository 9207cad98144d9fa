import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControlFunction, ControlSession } from "@cloud-browser/client/control";
import { runHere, type CommandResult } from "../run-cli.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { startTestService, type TestService } from "../../../service/test/running-service.ts";

let running: TestService;
let nowhere: string;
let site: Site;
beforeAll(async () => {
  site = await startSite({
    "/": `<label>Attachment <input type=file onchange="document.title = 'Got ' + files[0].name + ' ' + files[0].size"></label>`,
  });
  nowhere = await mkdtemp(join(tmpdir(), "cloud-browser-nowhere-"));
  running = await startTestService();
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
  await rm(nowhere, { recursive: true });
});

const run = (...args: readonly string[]): Promise<CommandResult> => runHere([...args, "--data", running.data]);
const runFiles = (...args: readonly string[]): Promise<CommandResult> => run("files", ...args);

describe("files", () => {
  test("are uploaded, listed and fetched, and replace none that is here", async () => {
    const id = (await running.open()).session_id;
    const path = join(nowhere, "note.txt");
    await writeFile(path, "a note");
    const put = await runFiles("put", id, path);
    expect([put.code, put.stderr, put.stdout]).toEqual([
      0,
      "",
      expect.stringMatching(/^\/session-files\/.*\/note\.txt\n$/),
    ]);
    const list = await runFiles("ls", id);
    expect(list.stdout).toMatch(/^FILE .*\n[\da-f-]{36}  upload {6}6  complete  note\.txt\n$/);
    const to = join(nowhere, "fetched");
    expect((await runFiles("get", id, "note.txt", "--output", to)).stdout).toBe(`${to}\n`);
    expect(await readFile(to, "utf8")).toBe("a note");
    for (const [args, why, code = 2] of [
      [["get", id, "other"], /no file other/, 6],
      [["get", id, "note.txt", "--output", nowhere], /could not be written/],
      [["put", id, nowhere], /not a regular file/],
      [["put", id, join(nowhere, "none")], /could not be read/],
    ] as const) {
      const refusal = await runFiles(...args);
      expect([refusal.code, refusal.stderr]).toEqual([code, expect.stringMatching(why)]);
    }
    await running.end(id);
    expect((await runFiles("ls", id, "--json")).stdout).toContain('"path": null');
  });
});

describe("--file", () => {
  let path: string;
  beforeAll(() => void (path = join(nowhere, "May report.txt")));

  test.each([["of a request", 1_000], ["larger than a request", 2_000_000]])("gives a run a file %s", async (_, size) => {
    await writeFile(path, "x".repeat(size));
    const task = `Open ${site.url}, upload "May report.txt" to Attachment, extract the title`;
    const { code, stdout, stderr } = await run("automate", task, "--file", path);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining(`Got May report.txt ${size}`), expect.any(String)]);
    const sessions: readonly ControlSession[] = JSON.parse((await run("ls", "--json")).stdout);
    expect(sessions.filter(({ state }) => state !== "ended")).toEqual([]);
  }); // prettier-ignore

  test("gives a function another file", async () => {
    await writeFile(path, "x");
    const functions: readonly ControlFunction[] = JSON.parse((await run("functions", "ls", "--json")).stdout);
    const [first] = functions;
    const june = join(nowhere, "june.txt");
    await writeFile(june, "of June");
    const value = `${first?.variables[0]?.name}=june.txt`;
    const { code, stdout, stderr } = await run("run", first?.function_id ?? "none", "--var", value, "--file", june);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("Got june.txt 7"), expect.any(String)]);
  });
});
