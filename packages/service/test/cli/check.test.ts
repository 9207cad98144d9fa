import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite } from "@cloud-browser/testing/site.ts";
import { runHere } from "../command-line.ts";
import { startTestService } from "../running-service.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloud-browser-check-"));
});
afterAll(async () => rm(folder, { recursive: true }));

test("settings that are good are told part by part, and nothing is made", async () => {
  const data = join(folder, "new");
  const { code, stdout, stderr } = await runHere(["serve", "--check", "--data", data, "--port", "0"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trimEnd().split("\n")).toEqual([
    `✓ data folder  ${data}, which will be made`,
    "✓ API key      one will be made, and kept in the data folder",
    "✓ address      127.0.0.1, a free port",
    expect.stringMatching(/^✓ browser {6}the Chromium/u),
    expect.stringMatching(/^✓ encoder {6}the ffmpeg/u),
  ]);
});

test("a check beside a service that runs does not disturb it", async () => {
  const data = join(folder, "running");
  await using running = await startTestService({ data });
  const { port } = new URL(running.service.url);
  const { code, stdout } = await runHere(["serve", "--check", "--data", data, "--port", port]);
  expect(code).toBe(0);
  expect(stdout).toContain(`✓ address      127.0.0.1:${port}, where the service of this folder listens`);
  expect((await running.ask("GET", "/control/sessions")).status).toBe(200);
});

test("a port that another program has is told", async () => {
  await using site = await startSite({});
  const { port } = new URL(site.url);
  const { code, stdout } = await runHere(["serve", "--check", "--data", join(folder, "taken"), "--port", port]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^✗ address {6}this machine can't listen on 127\.0\.0\.1:\d+ \(.*EADDRINUSE.*--port\.?$/mu);
});

test("a folder that the start would refuse is told, as what an interrupted restore has left", async () => {
  const data = join(folder, "partly");
  await mkdir(data, { mode: 0o700 });
  await writeFile(join(data, "unfinished.1.partial"), "");
  const { code, stdout } = await runHere(["serve", "--check", "--data", data, "--port", "0"]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^✗ data folder {2}.*interrupted restore/mu);
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a folder with something of another user in it is told",
  async () => {
    const data = join(folder, "mixed");
    await mkdir(data, { mode: 0o700 });
    await writeFile(join(data, "records.sqlite"), "", { mode: 0o400 });
    const { code, stdout } = await runHere(["serve", "--check", "--data", data, "--port", "0"]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^✗ data folder {2}this user may not read and write .*records\.sqlite/mu);
  },
);

test("each part that is missing is told with what to do, and the exit code says so", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const bucket = "s3://none?endpoint=http://127.0.0.1:9&region=x";
  const parts = { "--chromium": file, "--ffmpeg": file, "--host": "192.0.2.1", "--bucket": bucket };
  const flags = { ...parts, "--data": join(file, "data"), "--cluster": "postgres://user:s3cret@127.0.0.1:9/db" };
  const { code, stdout } = await runHere(["serve", "--check", ...Object.entries(flags).flat()]);
  expect(code).toBe(3);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.slice(0, 13).trim())).toEqual([
    "✗ data folder",
    "✗ API key",
    "✗ address",
    "✗ browser",
    "✗ encoder",
    "✗ database",
    "✗ bucket",
  ]);
  expect(lines[1]).toContain("CLOUD_BROWSER_API_KEY");
  expect(lines[2]).toContain("192.0.2.1");
  expect(lines[5]).toContain("127.0.0.1:9/db");
  expect(stdout).not.toContain("s3cret");
});

test.skipIf(process.platform === "win32")("what the start would refuse or warn of is told", async () => {
  const data = join(folder, "shared");
  await mkdir(data);
  const readLines = async (env: Readonly<Record<string, string>> = {}): Promise<string[]> =>
    (await runHere(["serve", "--check", "--data", data], env)).stdout.split("\n");

  await chmod(data, 0o775);
  expect(await readLines({ CLOUD_BROWSER_API_KEY: "short" })).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^✓ data folder .*its group may exchange its files; .*chmod go-w/u),
      expect.stringMatching(/^✓ API key .*has 5 characters, and can be guessed/u),
    ]),
  );
  await chmod(data, 0o777);
  await writeFile(join(data, "api-key.secret"), "\n");
  expect(await readLines()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^✗ data folder .*everybody on this machine may exchange its files/u),
      expect.stringMatching(/^✗ API key .*has no valid API key/u),
    ]),
  );
});

test.runIf(existsSync("/proc/self"))("a file system without room is told", async () => {
  const { code, stdout } = await runHere(["serve", "--check", "--data", "/proc/cloud-browser"]);
  expect(code).toBe(3);
  // A user other than root is told that it can't be written to.
  expect(stdout).toMatch(
    /^✗ data folder {2}(?:the data folder has 0 MB left; .*free disk space|\/proc is not a folder)/mu,
  );
});

test.each([
  [["--max-sessions", "none"], "Give a whole number from 1 to 10000."],
  [["--public-url", "browsers"], "malformed public URL"],
  [["--settings", "/none.yaml"], "/none.yaml"],
])("%j is a wrong call", async (args, why) => {
  const { code, stdout, stderr } = await runHere(["serve", "--check", "--data", folder, ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(why);
});
