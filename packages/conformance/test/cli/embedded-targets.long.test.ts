import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownFolder } from "./own-folder.ts";

const folder = ownFolder();
const { conformance } = folder;
const withoutBrowser = { CLOUD_BROWSER_CHROMIUM: "/nowhere/chromium" };
const reason = "/nowhere/chromium is not an executable file";

describe("where no browser can start", () => {
  test("the verdict on the mock stands, and why the service was not judged is told at the end", async () => {
    const { code, stdout } = await conformance(
      ["--target", "prism,service", "--only", "cookies/status-200"],
      withoutBrowser,
    );
    expect(code).toBe(0);
    const end = stdout.slice(stdout.lastIndexOf("Starting service"));
    expect(end).toMatch(/prism +conforming: 1 passed, 0 failed, 0 skipped/);
    expect(end).toContain(join("reports", "prism", "report.html"));
    expect(end).toMatch(/service +not judged: /);
    expect(end).toContain(reason);
    expect(end).toContain("--base-url");
    expect(existsSync(join(folder.path, "reports", "prism", "report.json"))).toBe(true);
  });

  test("a run on the service alone ends with 3", async () => {
    const { code, stderr } = await conformance(["--target", "service", "--only", "cookies/status-200"], withoutBrowser);
    expect(code).toBe(3);
    expect(stderr).toContain(reason);
  });
});

test("two targets have two folders, and so no file of expected failures is made of both", async () => {
  const update = ["--update-expected-failures", "--expected-failures", "known.json"];
  const { code, stderr } = await conformance(["--target", "prism", "--target", "service", ...update]);
  expect(stderr).toContain("name one with --target");
  expect(code).toBe(2);
});
