import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "../command-line.ts";
import { startTestService } from "../running-service.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloud-browser-check-"));
});
afterAll(async () => rm(folder, { recursive: true }));

test("settings that are good are told part by part, and nothing is made", async () => {
  const data = join(folder, "new");
  const { code, stdout, stderr } = await runHere(["serve", "--check", "--data", data]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trimEnd().split("\n")).toEqual([
    `✓ data folder  ${data}, which will be made`,
    expect.stringMatching(/^✓ browser {6}the Chromium/u),
    expect.stringMatching(/^✓ encoder {6}the ffmpeg/u),
  ]);
});

test("a check beside a service that runs does not disturb it", async () => {
  const data = join(folder, "running");
  await using running = await startTestService({ data });
  expect((await runHere(["serve", "--check", "--data", data])).code).toBe(0);
  expect((await running.ask("GET", "/control/sessions")).status).toBe(200);
});

test("each part that is missing is told with what to do, and the exit code says so", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const { code, stdout } = await runHere([
    ...["serve", "--check", "--data", join(file, "data"), "--chromium", file, "--ffmpeg", file],
    ...[
      "--bucket",
      "s3://none?endpoint=http://127.0.0.1:9&region=x",
      "--cluster",
      "postgres://user:s3cret@127.0.0.1:9/db",
    ],
  ]);
  expect(code).toBe(3);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.slice(0, 13).trim())).toEqual([
    "✗ data folder",
    "✗ browser",
    "✗ encoder",
    "✗ database",
    "✗ bucket",
  ]);
  expect(lines[3]).toContain("127.0.0.1:9/db");
  expect(stdout).not.toContain("s3cret");
});

test.each([
  [["--max-sessions", "none"], "Give a whole number above 0."],
  [["--public-url", "browsers"], "malformed public URL"],
  [["--settings", "/none.yaml"], "/none.yaml"],
])("%j is a wrong call", async (args, why) => {
  const { code, stdout, stderr } = await runHere(["serve", "--check", "--data", folder, ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(why);
});
