import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere, type Ended } from "../command-line.ts";

let data: string;
beforeAll(async () => void (data = await mkdtemp(join(tmpdir(), "cloud-browser-cli-profiles-"))));
afterAll(() => rm(data, { recursive: true }));

const readFile = async (name: string, text: string): Promise<string> => {
  const file = join(data, name);
  await writeFile(file, text);
  return file;
};

test("a key of profiles comes from the environment or a file, and errors do not repeat it", async () => {
  const check = (flags: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    runHere(
      ["serve", "--check", "--port", "0", "--data", join(data, "unused"), "--log-level", "silent", ...flags],
      env,
    );
  const good = await readFile("keys", `${randomBytes(32).toString("hex")}\n${randomBytes(32).toString("base64")}\n`);
  expect((await check(["--profile-key-file", good])).code).toBe(0);
  const bad = await check([], { CLOUD_BROWSER_PROFILE_KEY: "correct-horse" });
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("a key has 32 bytes") });
  expect(bad.stderr).not.toContain("correct-horse");
  expect(await check(["--profile-key-file", join(data, "none")])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can't be read (ENOENT"),
  });
  expect(await check(["--profile-key-file", good], { CLOUD_BROWSER_PROFILE_KEY: "x" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not both"),
  });
});
