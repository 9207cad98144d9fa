import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { conformance as conformanceIn, type Outcome } from "./command.ts";
import { listen } from "../listen.ts";
import { apiKey, endedSessionId, sessionId, startServer, type Alter } from "../server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conformance-settings-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const key = { CLOUD_BROWSER_API_KEY: apiKey };
const session = ["--session-id", sessionId, "--ended-session-id", endedSessionId];
const conformance = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  conformanceIn(args, { env, cwd: folder });

async function runOn(alter?: Alter, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
  await using server = await startServer(alter);
  return await conformance(["run", "--base-url", server.url, ...session, ...args], {
    ...key,
    ...env,
  });
}

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(folder, out, "report.json"), "utf8"));

const withoutMarkdown: Alter = (answer, { url }) =>
  url.includes("/scrape") && answer.status === 200 ? { ...answer, body: "{}" } : answer;

describe("a run by settings", () => {
  test("starts no billed run unless the profile allows it", async () => {
    await runOn(undefined, ["--out", "free"]);
    expect(reportIn("free").summary.automationRuns).toBe(0);
    const { stdout } = await runOn(undefined, ["--out", "full", "--profile", "full", "--max-cost-usd", "2"]);
    expect(reportIn("full").summary).toMatchObject({ automationRuns: 1, costUsd: 0.0431 });
    expect(stdout).toContain("Profile: full, may start billed runs, at most 1, until they cost 2 US dollars");
  });

  test("says how many requests it will send, and for which checks", async () => {
    const { stdout } = await runOn(undefined, ["--only", "cookies/refuses-wrong-key,cookies/json", "--skip", "*/json"]);
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
    writeFileSync(join(folder, "layers.json"), JSON.stringify(file));
    const env = { ...key, CLOUD_BROWSER_BASE_URL: server.url, CLOUD_BROWSER_SESSION_ID: sessionId };
    const { code } = await conformance(["--config", "layers.json", "--profile", "free"], env);
    expect(code).toBe(0);
    const { run, target } = reportIn("layers");
    const source = new Map(run.settings.map((setting) => [setting.name, `${setting.source}: ${setting.value}`]));
    expect(target).toMatchObject({ baseUrl: server.url, sessionId });
    expect(source.get("baseUrl")).toBe(`environment: ${server.url}`);
    expect(source.get("sessionId")).toBe(`environment: ${sessionId}`);
    expect(source.get("profile")).toBe("flag: free");
    expect(source.get("seed")).toBe("file: 7");
    expect(source.get("maxRuns")).toBe("default: 1");
    expect(source.get("apiKeyEnv")).toBe("default: CLOUD_BROWSER_API_KEY (holds a key)");
  });

  test("reads conformance.config.ts of the working directory, with the types of the package", async () => {
    await using server = await startServer();
    const place = join(folder, "project");
    mkdirSync(place);
    const here = JSON.stringify(fileURLToPath(new URL("../../src/index.ts", import.meta.url)));
    writeFileSync(
      join(place, "conformance.config.ts"),
      `import { defineConfig, type Configuration } from ${here};
       const only: Configuration["only"] = ["cookies/json"];
       export default defineConfig({ baseUrl: ${JSON.stringify(server.url)}, sessionId: ${JSON.stringify(sessionId)}, only });`,
    );
    const { code, stdout } = await conformanceIn(["run"], { env: key, cwd: place });
    expect(stdout).toContain("1 passed, 0 failed, 0 skipped");
    expect(code).toBe(0);
  });

  test("sends the headers that are given", async () => {
    const seen = new Set<unknown>();
    const server = createServer((request, response) => {
      seen.add(request.headers["x-gateway"]);
      response.end("{}");
    });
    const flags = ["--base-url", await listen(server), ...session, "--header", "X-Gateway: one"];
    await conformance(["run", ...flags, "--only", "operation:page_scrape"], key);
    server.close();
    expect([...seen]).toEqual(["one"]);
  });
});

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const entry = (id: string, expires: string): string =>
  `- { id: ${id}, reason: known, owner: us, expires: ${expires} }\n`;

describe("known failures", () => {
  const rows: readonly (readonly [name: string, text: string, code: number, says: string, alter?: Alter])[] = [
    [
      "do not decide",
      entry("scrape/markdown-present", day(9)),
      0,
      "Conforming but for 1 known failure",
      withoutMarkdown,
    ],
    [
      "fail the run when they no longer fail",
      entry("scrape/markdown-present", day(9)),
      1,
      "scrape/markdown-present is expected to fail, but holds now",
    ],
    [
      "fail the run when their day has passed",
      entry("scrape/markdown-present", day(-1)),
      1,
      "scrape/markdown-present was expected to fail until",
      withoutMarkdown,
    ],
    ["fail the run when nobody knows them", entry("scrape/mark", day(9)), 1, "no check has this id"],
    ["are a mistake when they say too little", "- id: scrape/json\n", 2, "has no `owner`"],
  ];

  test.for(rows)("%s", async ([, text, code, says, alter]) => {
    writeFileSync(join(folder, "known.yaml"), text);
    const outcome = await runOn(alter, ["--expected-failures", "known.yaml"]);
    expect(outcome.stdout + outcome.stderr).toContain(says);
    expect(outcome.code).toBe(code);
  });

  test("that were not selected are neither stale nor unknown", async () => {
    writeFileSync(join(folder, "known.yaml"), entry("scrape/markdown-present", day(9)));
    const flags = ["--expected-failures", "known.yaml", "--only", "operation:session_cookies"];
    expect((await runOn(undefined, flags)).code).toBe(0);
  });

  test("are written on demand, for people to complete", async () => {
    const flags = ["--expected-failures", "new.yaml", "--update-expected-failures"];
    const { code, stdout } = await runOn(withoutMarkdown, flags);
    expect(code).toBe(1);
    expect(stdout).toContain("new.yaml: 1 added, 0 removed; fill in `reason` and `owner` of the new entries.");
    expect(readFileSync(join(folder, "new.yaml"), "utf8")).toContain("id: scrape/markdown-present");
    const { stderr } = await runOn(withoutMarkdown, ["--expected-failures", "new.yaml"]);
    expect(stderr).toContain("has no `reason`");
  });

  test.for([
    { name: "in a folder that is not there", file: "gone/new.yaml", says: "could not be written" },
    { name: "where a folder is", file: ".", says: "could not be read" },
    { name: "over a file that is no list", file: "wrong.yaml", says: "can't be updated" },
  ])("are not written $name, and nothing is sent", async ({ file, says }) => {
    writeFileSync(join(folder, "wrong.yaml"), "a: b");
    let requests = 0;
    const counted: Alter = (answer) => {
      requests += 1;
      return answer;
    };
    const { code, stderr } = await runOn(counted, ["--expected-failures", file, "--update-expected-failures"]);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("    at ");
    expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  });

  test("are told when they can't be written after the run", async () => {
    const place = join(folder, "late");
    const late: Alter = (answer, asked) => {
      rmSync(place, { recursive: true, force: true });
      return withoutMarkdown(answer, asked);
    };
    mkdirSync(place);
    const { code, stdout, stderr } = await runOn(late, [
      "--expected-failures",
      "late/new.yaml",
      "--update-expected-failures",
    ]);
    expect(stdout).toContain("FAIL scrape/markdown-present");
    expect(stderr).toContain("conformance: the expected failures could not be written");
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(2);
  });
});

describe("on GitHub Actions", () => {
  test("a failure becomes an annotation, and the job summary is appended to", async () => {
    const summary = join(folder, "summary.md");
    writeFileSync(summary, "# Before\n");
    const { stdout } = await runOn(withoutMarkdown, ["--report", "json"], {
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(stdout).toMatch(/^::error [^]*scrape\/markdown-present/m);
    const text = readFileSync(summary, "utf8");
    expect(text).toMatch(/^# Before\n/);
    expect(text).toContain("scrape/markdown-present");
  });
});

describe("config", () => {
  test("shows each setting with its source, and sends nothing", async () => {
    const { code, stdout } = await conformance(["config", "--rate", "5"], {
      ...key,
      CLOUD_BROWSER_BASE_URL: "http://h",
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rate +flag +5$/m);
    expect(stdout).toMatch(/^baseUrl +environment +http:\/\/h$/m);
    expect(stdout).not.toContain(apiKey);
  });

  test("is JSON on demand", async () => {
    const { stdout } = await conformance(["config", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ file: null, settings: expect.any(Array) });
  });
});
