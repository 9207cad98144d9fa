import { describe, expect, test } from "vitest";
import { curlCommand } from "../../src/report/shell/curl.ts";
import type { Report } from "../../src/report/report.ts";
import { liveTarget, type LiveTargetOptions } from "../../src/run/live-target.ts";
import { prismTarget } from "../../src/embedded/mock.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { apiKey, sessionId, startServer, type Manners, type TestServer } from "../server.ts";

const words = { automationWord: "agents-2", serviceWord: "acme" } as const;

/** A server that has words of its own, and nothing at the neutral ones. */
const ownWords: Manners = {
  read: (request) => {
    const names = Object.keys(request.headers);
    if (names.some((name) => name.startsWith("x-service-"))) return { ...request, url: "/neutral-header" };
    const url = request.url
      .replace("/api/automation/start", "/neutral-path")
      .replace("/api/agents-2/start", "/api/automation/start");
    const headers = names.map((name) => [name.replace(/^x-acme-/, "x-service-"), request.headers[name]]);
    return { ...request, url, headers: Object.fromEntries(headers) };
  },
};

const only = [
  "automation/*",
  "scrape/accepts-request-origin",
  "scrape/accepts-sdk-version",
  "scrape/accepts-combinations",
];

function judge(server: TestServer, options: Partial<LiveTargetOptions>): Promise<Report> {
  const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, ...options });
  return runConformance(target, { only, profile: "full" });
}

describe("a server with words of its own", () => {
  test("conforms when they are given, and every address, header and command has them", async () => {
    await using server = await startServer(undefined, ownWords);
    const report = await judge(server, words);
    expect(report.checks.filter(({ status }) => status !== "pass").map(({ id, status }) => ({ id, status }))).toEqual(
      [],
    );
    expect(report.target).toMatchObject(words);
    const sent = report.exchanges.map((exchange) => `${curlCommand(exchange)} ${JSON.stringify(exchange.request)}`);
    expect(sent.filter((text) => /\/api\/automation\/|x-service-/i.test(text))).toEqual([]);
    expect(sent.some((text) => text.includes(`${server.url}/api/agents-2/start`))).toBe(true);
    expect(sent.some((text) => text.includes("x-acme-sdk-version"))).toBe(true);
  });

  test("has its word in the automation URL, too", async () => {
    await using server = await startServer(undefined, ownWords);
    const report = await judge(server, { automationUrl: `${server.url}/api/agents-2/start`, serviceWord: "acme" });
    expect(report.verdict).toBe("conforming");
  });

  test("is unfinished without them: it is said which address answered 404, and what sets the word", async () => {
    await using server = await startServer(undefined, ownWords);
    const { verdict, checks } = await judge(server, {});
    const started = checks.find(({ id }) => id === "automation/status-200");
    expect(started).toMatchObject({ status: "error" });
    expect(started?.reason).toContain(`404`);
    expect(started?.reason).toContain(`${server.url}/api/automation/start`);
    expect(started?.reason).toContain("--automation-word");
    expect(verdict).not.toBe("conforming");
  });

  test("whose automation is there but for a valid run, does not conform", async () => {
    const losesRuns: Manners = {
      read: (request) =>
        request.body.includes('"query"') && request.headers.authorization === `Bearer ${apiKey}`
          ? { ...request, url: "/lost" }
          : request,
    };
    await using server = await startServer(undefined, losesRuns);
    const { checks } = await judge(server, {});
    expect(checks.find(({ id }) => id === "automation/status-200")).toMatchObject({
      status: "fail",
      findings: [expect.objectContaining({ requirement: "automation.status-200", received: "404" })],
    });
  });
});

test("the mock answers at words that it is given", async () => {
  await using mock = await prismTarget(words);
  const report = await runConformance(mock.target, { only: ["automation/status-200", "scrape/accepts-sdk-version"] });
  expect(report.checks.map(({ status }) => status)).toEqual(["pass", "pass"]);
  const neutral = await fetch(`${mock.target.baseUrl}/api/automation/start`, { method: "POST" });
  expect(neutral.status).toBe(404);
});

test.for<[options: Partial<LiveTargetOptions>, says: string]>([
  [{ automationWord: "a/b" }, 'automationWord is "a/b"; give letters, digits'],
  [{ serviceWord: "" }, 'serviceWord is ""; give letters, digits'],
  [{ automationUrl: "http://a/api/agents/start", automationWord: "agent" }, 'the automation word is "agent"'],
  [{ automationUrl: "http://a/api/a%20b/start" }, 'automationWord is "a%20b"'],
])("the options %j are refused", ([options, says]) => {
  expect(() => liveTarget({ baseUrl: "http://a", apiKey, sessionId, ...options })).toThrow(says);
});
