import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Outcome } from "./command.ts";
import { key, ownFolder, session } from "./own-folder.ts";
import { listen } from "../listen.ts";
import { startServer, type Alter } from "../server.ts";

const folder = ownFolder();
const { conformance } = folder;

async function runOn(alter?: Alter, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
  await using server = await startServer(alter);
  return await conformance(["run", "--base-url", server.url, ...session, ...args], {
    ...key,
    ...env,
  });
}

describe("a run", () => {
  test("prints no control character that a server sent", async () => {
    const { stdout } = await runOn((answer, { url }) =>
      url.endsWith("/replay") ? { ...answer, body: '{"expires_at":"\\u001b[2Jgone","mp4_url":"\u009b2J"}' } : answer,
    );
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test("that can't write its reports ends with 2", async () => {
    await using server = await startServer();
    const file = join(folder.path, "taken");
    writeFileSync(file, "");
    const { code, stderr } = await conformance(["run", "--base-url", server.url, ...session, "--out", file], key);
    expect(stderr).toContain("choose another folder with --out");
    expect(code).toBe(2);
  });

  test("against an address where nobody listens ends with 3", async () => {
    const free = createServer();
    const baseUrl = await listen(free);
    await new Promise((resolve) => free.close(resolve));
    const { code, stderr } = await conformance(["run", "--base-url", baseUrl, ...session], key);
    expect(stderr).toContain(`no connection to ${baseUrl}`);
    expect(code).toBe(3);
  });

  test("without anything is one on the embedded mock", async () => {
    const { code, stdout } = await conformance([]);
    expect(stdout).toContain("Target: prism");
    expect(code).toBe(0);
  });
});
