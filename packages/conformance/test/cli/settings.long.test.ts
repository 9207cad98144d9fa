import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { conformance as conformanceIn } from "./command.ts";
import { key, ownFolder, session } from "./own-folder.ts";
import { listen } from "../listen.ts";
import { apiKey, endedSessionId, sessionId, startServer, withoutMarkdown, type Alter } from "../server.ts";

const folder = ownFolder();
const { conformance, judge, readReport } = folder;

describe("a run by settings", () => {
  test("starts no billed run unless the profile allows it", async () => {
    await judge(undefined, ["--out", "free"]);
    expect(readReport("free").summary.automationRuns).toBe(0);
    const { stdout } = await judge(undefined, ["--out", "full", "--profile", "full", "--max-cost-usd", "2"]);
    expect(readReport("full").summary).toMatchObject({ automationRuns: 1, costUsd: 0.0431 });
    expect(stdout).toContain("Profile: full, may start billed runs, at most 1, until they cost 2 US dollars");
  });

  test("says how many requests it will send, and for which checks", async () => {
    const { stdout } = await judge(undefined, ["--only", "cookies/refuses-wrong-key,cookies/json", "--skip", "*/json"]);
    expect(stdout).toMatch(/Plan: 1 request will be sent for 1 of \d+ checks \(seed 1\)/);
  });

  test("takes them from flags, environment and file, in this order, and tells in the report where each came from", async () => {
    await using server = await startServer();
    const file = {
      sessionId: "from-file",
      endedSessionId,
      seed: 7,
      out: "layers",
      profile: "full",
      only: ["cookies/json"],
    };
    folder.write("layers.json", file);
    const env = { ...key, CLOUD_BROWSER_BASE_URL: server.url, CLOUD_BROWSER_SESSION_ID: sessionId };
    const { code } = await conformance(["--config", "layers.json", "--profile", "free"], env);
    expect(code).toBe(0);
    const { run, target } = readReport("layers");
    expect(target).toMatchObject({ baseUrl: server.url, sessionId });
    const sources = Object.fromEntries(run.settings.map(({ name, source, value }) => [name, `${source}: ${value}`]));
    expect(sources).toMatchObject({
      baseUrl: `environment: ${server.url}`,
      sessionId: `environment: ${sessionId}`,
      profile: "flag: free",
      seed: "file: 7",
      maxRuns: "default: 1",
      apiKeyEnv: "default: CLOUD_BROWSER_API_KEY (holds a key)",
    });
  });

  test("reads conformance.config.ts of the working directory, with the types of the package", async () => {
    await using server = await startServer();
    mkdirSync(join(folder.path, "project"));
    const here = JSON.stringify(fileURLToPath(new URL("../../src/index.ts", import.meta.url)));
    folder.write(
      "project/conformance.config.ts",
      `import { defineConfig, type Configuration } from ${here};
       const only: Configuration["only"] = ["cookies/json"];
       export default defineConfig({ baseUrl: ${JSON.stringify(server.url)}, sessionId: ${JSON.stringify(sessionId)}, only });`,
    );
    const { code, stdout } = await conformanceIn(["run"], { env: key, cwd: join(folder.path, "project") });
    expect(stdout).toContain("1 passed, 0 failed, 0 skipped");
    expect(code).toBe(0);
  });

  test("sends the headers that are given", async () => {
    const headerValues = new Set<unknown>();
    const server = createServer((request, response) => {
      headerValues.add(request.headers["x-gateway"]);
      response.end("{}");
    });
    const flags = ["--base-url", await listen(server), ...session, "--header", "X-Gateway: one"];
    await conformance(["run", ...flags, "--only", "operation:page_scrape"], key);
    server.close();
    expect([...headerValues]).toEqual(["one"]);
  });
});

/** An entry of the known failures that expires so many days from now. */
function makeEntry(id: string, days: number): string {
  const expires = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return `- { id: ${id}, reason: known, owner: us, expires: ${expires} }\n`;
}

const update = (file: string, alter: Alter): ReturnType<typeof judge> =>
  judge(alter, ["--expected-failures", file, "--update-expected-failures"]);

describe("known failures", () => {
  const missing = "scrape/markdown-present";
  const rows: readonly (readonly [name: string, text: string, code: number, says: string, alter?: Alter])[] = [
    ["do not decide", makeEntry(missing, 9), 0, "Conforming but for 1 known failure", withoutMarkdown],
    ["fail the run when they no longer fail", makeEntry(missing, 9), 1, "is expected to fail, but holds now"],
    ["fail the run when their day has passed", makeEntry(missing, -1), 1, "expected to fail until", withoutMarkdown],
    ["fail the run when nobody knows them", makeEntry("scrape/mark", 9), 1, "no check has this id"],
    ["are a mistake when they say too little", "- id: scrape/json\n", 2, "has no `owner`"],
  ];

  test.for(rows)("%s", async ([, text, code, says, alter]) => {
    folder.write("known.yaml", text);
    const outcome = await judge(alter, ["--expected-failures", "known.yaml"]);
    expect(outcome.stdout + outcome.stderr).toContain(says);
    expect(outcome.code).toBe(code);
  });

  test("that were not selected are neither stale nor unknown", async () => {
    folder.write("known.yaml", makeEntry(missing, 9));
    const flags = ["--expected-failures", "known.yaml", "--only", "operation:session_cookies"];
    expect((await judge(undefined, flags)).code).toBe(0);
  });

  test("are written on demand, for people to complete", async () => {
    const { code, stdout } = await update("new.yaml", withoutMarkdown);
    expect(code).toBe(1);
    expect(stdout).toContain("new.yaml: 1 added, 0 removed; fill in `reason` and `owner` of the new entries.");
    expect(readFileSync(join(folder.path, "new.yaml"), "utf8")).toContain("id: scrape/markdown-present");
    const { stderr } = await judge(withoutMarkdown, ["--expected-failures", "new.yaml"]);
    expect(stderr).toContain("has no `reason`");
  });

  test.for([
    ["in a folder that is not there", "gone/new.yaml", "could not be written"],
    ["where a folder is", ".", "could not be read"],
    ["over a file that is no list", "wrong.yaml", "can't be updated"],
  ] as const)("are not written %s, and nothing is sent", async ([, file, says]) => {
    folder.write("wrong.yaml", "a: b");
    let requests = 0;
    const { code, stderr } = await update(file, (answer) => {
      requests += 1;
      return answer;
    });
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("    at ");
    expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  });

  test("are told when they can't be written after the run", async () => {
    const place = join(folder.path, "late");
    mkdirSync(place);
    const { code, stdout, stderr } = await update("late/new.yaml", (answer, request) => {
      rmSync(place, { recursive: true, force: true });
      return withoutMarkdown(answer, request);
    });
    expect(stdout).toContain("FAIL scrape/markdown-present");
    expect(stderr).toContain("conformance: the expected failures could not be written");
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(2);
  });
});

test("on GitHub Actions a failure becomes an annotation, and the job summary is appended to", async () => {
  const summary = folder.write("summary.md", "# Before\n");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { stdout } = await judge(withoutMarkdown, ["--report", "json"], env);
  expect(stdout).toMatch(/^::error [^]*scrape\/markdown-present/m);
  expect(readFileSync(summary, "utf8")).toMatch(/^# Before\n[^]*scrape\/markdown-present/);
});

test("config shows each setting with its source, and sends nothing", async () => {
  const { code, stdout } = await conformance(["config", "--rate", "5"], { ...key, CLOUD_BROWSER_BASE_URL: "http://h" });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^rate +flag +5$/m);
  expect(stdout).toMatch(/^baseUrl +environment +http:\/\/h$/m);
  expect(stdout).not.toContain(apiKey);
});

test("config is JSON on demand", async () => {
  const { stdout } = await conformance(["config", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ file: null, settings: expect.any(Array) });
});
