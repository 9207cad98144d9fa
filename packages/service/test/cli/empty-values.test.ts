import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DataFolder, findDefaultDataFolder } from "../../src/data-folder.ts";
import { startService } from "../../src/service.ts";
import { runHere } from "../command-line.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "cli-empty-"))));
afterEach(() => rmSync(root, { recursive: true }));

describe("an empty value is refused by name, with exit code 2:", () => {
  test.each<[args: readonly string[], env: Record<string, string>, words: RegExp]>([
    [["serve"], { CLOUD_BROWSER_API_KEY: "" }, /CLOUD_BROWSER_API_KEY must not be empty; unset it/],
    [["serve"], { CLOUD_BROWSER_API_KEY: " " }, /CLOUD_BROWSER_API_KEY must not be empty/],
    [["serve"], { CLOUD_BROWSER_HOST: "" }, /CLOUD_BROWSER_HOST must not be empty/],
    [["serve", "--host", ""], {}, /--host must not be empty; omit it/],
    [["serve"], { CLOUD_BROWSER_DATA: "" }, /CLOUD_BROWSER_DATA must not be empty/],
    [["serve"], { CLOUD_BROWSER_CHROMIUM: "" }, /CLOUD_BROWSER_CHROMIUM must not be empty/],
    [["serve"], { CLOUD_BROWSER_FFMPEG: "" }, /CLOUD_BROWSER_FFMPEG must not be empty/],
    [["serve"], { CLOUD_BROWSER_ALLOW: "" }, /CLOUD_BROWSER_ALLOW must not be empty/],
    [["serve", "--allow", " , "], {}, /--allow must not be empty/],
    [["serve"], { CLOUD_BROWSER_PUBLIC_URL: "" }, /CLOUD_BROWSER_PUBLIC_URL must not be empty/],
    [["serve"], { CLOUD_BROWSER_RUN_BUDGET: "" }, /CLOUD_BROWSER_RUN_BUDGET/],
    [["serve"], { CLOUD_BROWSER_RUNS_OUTLIVE_READERS: "" }, /CLOUD_BROWSER_RUNS_OUTLIVE_READERS|Give true or false/],
    [["serve"], { CLOUD_BROWSER_PORT: "" }, /CLOUD_BROWSER_PORT/],
    [["serve"], { CLOUD_BROWSER_MAX_SESSIONS: "" }, /CLOUD_BROWSER_MAX_SESSIONS/],
    [
      ["serve", "--model", "m", "--model-url", "http://127.0.0.1:9/v1", "--model-prices", "1/1"],
      { CLOUD_BROWSER_MODEL_KEY: "" },
      /CLOUD_BROWSER_MODEL_KEY must not be empty/,
    ],
  ])("%j %j", async (args, env, words) => {
    const { code, stderr } = await runHere(args, { HOME: root, CLOUD_BROWSER_DATA: join(root, "data"), ...env });
    expect(stderr).toMatch(words);
    expect(code).toBe(2);
  });

  test.each(["host", "chromium", "ffmpeg", "publicUrl", "apiKey", "data"])("option %s of a program", async (name) => {
    await expect(startService({ data: join(root, "data"), [name]: "" })).rejects.toMatchObject({ code: "usage" });
  });
});

const file = (): string => join(root, "api-key.secret");

describe("the file of the API key", () => {
  test("holds the key as it is sent, for its owner alone", () => {
    const key = new DataFolder(root).readApiKey();
    expect(key).toMatch(/^cb_[\w-]{43}$/);
    expect(readFileSync(file(), "utf8")).toBe(`${key}\n`);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe("600");
    expect(new DataFolder(root).readApiKey()).toBe(key);
  });

  test("of a version before is brought to that form, and the key stays the same", () => {
    const text = "a".repeat(43);
    writeFileSync(file(), text);
    expect(new DataFolder(root).readApiKey()).toBe(`cb_${text}`);
    expect(readFileSync(file(), "utf8")).toBe(`cb_${text}\n`);
    expect(new DataFolder(root).readApiKey()).toBe(`cb_${text}`);
  });

  test("reads a key that was put there", () => {
    writeFileSync(file(), "a-key-of-my-own\n");
    expect(new DataFolder(root).readApiKey()).toBe("a-key-of-my-own");
  });

  test.each(["", "two words"])("without a valid key (%j) is reported, and not replaced", (text) => {
    writeFileSync(file(), text);
    expect(() => new DataFolder(root).readApiKey()).toThrow(expect.objectContaining({ code: "usage" }));
    expect(readFileSync(file(), "utf8")).toBe(text);
  });
});

test.each(["", "relative/path"])("XDG_DATA_HOME that is %j is ignored, as its specification says", (value) => {
  vi.stubEnv("XDG_DATA_HOME", value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(findDefaultDataFolder()).toBe(join(homedir(), ".local/share/cloud-browser"));
});

test.for<[url: string, want: string]>([
  ["https://docs.example/cb/", "See https://docs.example/cb/errors/service/#usage\n"],
  ["docs.example", ""],
  ["https://me:hunter2@docs.example", ""],
])("an error leads to its page where the documentation is at %s", async ([url, want]) => {
  const { code, stderr } = await runHere(["serve", "--host", ""], { CLOUD_BROWSER_DOCS_URL: url });
  expect(code).toBe(2);
  expect(stderr.split("\n").slice(1).join("\n")).toBe(want);
});

test.for(["docs.example", "https://docs.example/?token=hunter2", "https://me:hunter2@docs.example"])(
  "an address of the documentation that is none is refused, and not echoed where it may hold a secret: %s",
  async (url) => {
    const { code, stderr } = await runHere(["serve", "--check", "--docs-url", url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("malformed docs URL")]);
    expect(stderr).not.toContain("hunter2");
  },
);
