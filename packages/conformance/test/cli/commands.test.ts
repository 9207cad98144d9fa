import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { register as registerList } from "../../src/cli/list.ts";
import { register as registerRun } from "../../src/cli/run.ts";
import { listFiles } from "../../src/cli/report-writers.ts";
import { reportFormats } from "../../src/configuration/configuration.ts";
import { commandHere, type EndedHere } from "./command-here.ts";
import { ownFolder, session } from "./own-folder.ts";
import { apiKey, startServer, withCookies, withoutMarkdown, type Alter } from "../server.ts";

const folder = ownFolder();
const { conformance } = folder;

test("a wrong call ends with exit code 2 and a sentence that says what to do", async () => {
  const { code, stderr } = await conformance(["run", "--base-url", "http://127.0.0.1:1", ...session]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("CLOUD_BROWSER_API_KEY is not set") });
});

/** Judges a server by the command line, in this process. */
async function runOn(alter?: Alter, args: readonly string[] = []): Promise<EndedHere> {
  await using server = await startServer(alter);
  const out = ["--out", join(folder.path, "here")];
  return await commandHere(registerRun, "run", "--base-url", server.url, ...session, ...out, ...args);
}

beforeEach(() => void vi.stubEnv("CLOUD_BROWSER_API_KEY", apiKey));
afterEach(() => void vi.unstubAllEnvs());

const echo: Alter = (answer) => ({ ...answer, body: answer.body.replace(/^\{/, `{"echo":"${apiKey}",`) });

describe("a run", () => {
  test("on a server that conforms ends with 0, writes four reports, and says where", async () => {
    const { code, stdout } = await folder.judge();
    expect(code).toBe(0);
    expect(stdout).toContain("Conforming: all ");
    expect(stdout).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m);
    const names = ["report.html", "report.json", "junit.xml", "report.md"];
    expect(stdout).toContain(`Reports: ${names.map((name) => `reports/${name}`).join(", ")}`);
    expect(names.filter((name) => !existsSync(join(folder.path, "reports", name)))).toEqual([]);
    expect(folder.readReport().verdict).toBe("conforming");
  });

  test("on a server that omits markdown ends with 1, and names the requirement, the field, and what came", async () => {
    const { code, stdout } = await runOn(withoutMarkdown, ["--only", "scrape/markdown-*"]);
    expect(code).toBe(1);
    expect(stdout).toContain("FAIL scrape/markdown-present");
    expect(stdout).toMatch(/requirement +scrape\.response\.markdown\.required/);
    expect(stdout).toMatch(/where +body \/markdown/);
    expect(stdout).toMatch(/expected +a string/);
    expect(stdout).toMatch(/received +nothing/);
  });

  test("writes no secret into any report", async () => {
    const all = ["--report", reportFormats.join(","), "--profile", "full"];
    const some = ["--only", "scrape/status-*,cookies/*,replay/*,stream/*"]; // all requests: redaction/secrets.long.test.ts
    await runOn(echo, [...all, ...some, "--header", `x-gateway-token: ${apiKey.length}-gateway-secret`]);
    for (const name of reportFormats.flatMap(listFiles)) {
      const text = readFileSync(join(folder.path, "here", name), "utf8");
      for (const secret of [apiKey, "gateway-secret", "example-session-value", "signature=example", "token=example"]) {
        expect(text).not.toContain(secret);
      }
    }
  });
});

test("list names every check with its requirements", async () => {
  const { code, stdout } = await commandHere(registerList, "list", "--json");
  const rows: { id: string; requirements: string[] }[] = JSON.parse(stdout);
  expect(rows.find(({ id }) => id === "scrape/rejects-unknown-property")?.requirements).toContain(
    "scrape.unknown-property-rejected",
  );
  expect(code).toBeUndefined();
});

const nulls = withCookies({ cookies: [{ name: "a", expires: null }] });

test("a reading that is pinned decides, and the report tells what the other value would", async () => {
  const args = ["--only", "cookies/*", "--report", "json"];
  const usual = await runOn(nulls, args);
  expect(usual).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("cookies.null-fields=absent it would be: not conforming"),
  });
  const pinned = await runOn(nulls, [...args, "--reading", "cookies.null-fields=absent"]);
  expect(pinned).toMatchObject({ code: 1, stdout: expect.stringContaining("FAIL cookies/fields-not-null") });
  const strict = await runOn(nulls, [...args, "--strict", "--reading", "cookies.null-fields=nullable"]);
  expect(strict.code).toBe(0);
  const wrong = runOn(nulls, ["--reading", "cookies.null-fields"]);
  await expect(wrong).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("--reading must be id=value"),
  });
});
