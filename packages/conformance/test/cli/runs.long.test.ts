import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conformance as conformanceIn, type Outcome } from "./command.ts";
import { apiKey, endedSessionId, sessionId, startServer, type Alter } from "../server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conformance-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const key = { CLOUD_BROWSER_API_KEY: apiKey };
const conformance = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  conformanceIn(args, { env, cwd: folder });
const session = ["--session-id", sessionId, "--ended-session-id", endedSessionId];

async function runOn(alter?: Alter, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
  await using server = await startServer(alter);
  return await conformance(["run", "--base-url", server.url, "--timeout", "5", ...session, ...args], {
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
    const taken = join(folder, "taken");
    writeFileSync(taken, "");
    const { code, stderr } = await conformance(["run", "--base-url", server.url, ...session, "--out", taken], key);
    expect(stderr).toContain("choose another folder with --out");
    expect(code).toBe(2);
  });
});
