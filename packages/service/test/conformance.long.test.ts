import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Report } from "@cloud-browser/conformance";
import { expect, test } from "vitest";
import { pages } from "./conformance-site.ts";

const suite = fileURLToPath(new URL("../../conformance/src/cli.ts", import.meta.url));

test("the service conforms, as a process that the suite starts: every stated requirement that can be seen holds", async () => {
  const out = await mkdtemp(join(tmpdir(), "service-conformance-"));
  try {
    const judge = ["--conditions=@cloud-browser/source", suite, "run", "--target", "service", "--out", out];
    const run = promisify(execFile)(process.execPath, [...judge, "--report", "json"]);
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed, \d+ skipped$/m);
    const report: Report = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    const passed = new Set(report.checks.filter(({ status }) => status === "pass").map(({ id }) => id));
    expect([...passed]).toEqual(expect.arrayContaining(pages));
    expect(report.exitCode).toBe(0);
  } finally {
    await rm(out, { recursive: true });
  }
});
