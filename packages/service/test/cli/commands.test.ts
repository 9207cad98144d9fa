import { Command } from "commander";
import { describe, expect, test, vi } from "vitest";
import { addServeFlags } from "../../src/cli/serve/serve-flags.ts";
import { runHere } from "../command-line.ts";

test.each<readonly [setting: Record<string, string> | string[], expected: boolean | undefined]>([
  [{}, undefined],
  [{ CLOUD_BROWSER_RUNS_OUTLIVE_READERS: "false" }, false],
  [{ CLOUD_BROWSER_RUNS_OUTLIVE_READERS: "0" }, false],
  [{ CLOUD_BROWSER_RUNS_OUTLIVE_READERS: "true" }, true],
  [["--runs-outlive-readers"], true],
])("a switch is set by its variable or its flag: %j", (setting, expected) => {
  const isFlag = Array.isArray(setting);
  for (const [name, value] of Object.entries(isFlag ? {} : setting)) vi.stubEnv(name, value);
  const flags = addServeFlags(new Command()).parse(isFlag ? setting : [], { from: "user" });
  vi.unstubAllEnvs();
  expect(flags.opts()["runsOutliveReaders"]).toBe(expected);
});

describe("help", () => {
  test.each([
    [["--help"], ["serve", "bucket"]],
    [
      ["serve", "--help"],
      ["--port", "--allow", "--max-sessions", "CLOUD_BROWSER_API_KEY"],
    ],
  ])("%j tells how", async (args, words) => {
    const { code, stdout, stderr } = await runHere(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const word of words) expect(stdout).toContain(word);
  });

  test("the version is one", async () => {
    const { code, stdout } = await runHere(["--version"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each(["ls", "open", "close"])("the command %s is that of another package, which is named", async (name) => {
    const { code, stdout, stderr } = await runHere([name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`unknown command '${name}'`);
    expect(stderr).toContain("npx @cloud-browser/cli --help");
  });
});
