import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere, type Ended } from "../run-cli.ts";
import { startTestService, type TestService } from "../../../service/test/running-service.ts";

let running: TestService;
let nowhere: string;
beforeAll(async () => {
  nowhere = await mkdtemp(join(tmpdir(), "cloud-browser-nowhere-"));
  running = await startTestService();
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await rm(nowhere, { recursive: true });
});

const files = (...args: readonly string[]): Promise<Ended> => runHere(["files", ...args, "--data", running.data]);

describe("files", () => {
  test("are uploaded, listed and fetched, and replace none that is here", async () => {
    const id = (await running.open()).session_id;
    const path = join(nowhere, "note.txt");
    await writeFile(path, "a note");
    const put = await files("put", id, path);
    expect([put.code, put.stderr, put.stdout]).toEqual([
      0,
      "",
      expect.stringMatching(/^\/session-files\/.*\/note\.txt\n$/),
    ]);
    const listed = await files("ls", id);
    expect(listed.stdout).toMatch(/^FILE .*\n[\da-f-]{36}  upload {6}6  complete  note\.txt\n$/);
    const to = join(nowhere, "fetched");
    expect((await files("get", id, "note.txt", "--output", to)).stdout).toBe(`${to}\n`);
    expect(await readFile(to, "utf8")).toBe("a note");
    for (const [args, why, code = 2] of [
      [["get", id, "other"], /no file other/, 6],
      [["get", id, "note.txt", "--output", nowhere], /could not be written/],
      [["put", id, nowhere], /not a regular file/],
      [["put", id, join(nowhere, "none")], /could not be read/],
    ] as const) {
      const refused = await files(...args);
      expect([refused.code, refused.stderr]).toEqual([code, expect.stringMatching(why)]);
    }
    await running.end(id);
    expect((await files("ls", id, "--json")).stdout).toContain('"path": null');
  });
});
