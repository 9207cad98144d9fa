import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { apiKey, endedSessionId, json, sessionId, startServer, type Alter } from "../server.ts";

async function judge(alter?: Alter, options: RunOptions = {}): Promise<Report> {
  await using server = await startServer(alter);
  const target = liveTarget({ baseUrl: server.url, apiKey, sessionId, endedSessionId });
  return await runConformance(target, { profile: "full", ...options });
}

const refused: Alter = (answer, { body }) => (body.includes("conformance_unknown") ? json(404, {}) : answer);

describe("an invalid request that is answered as if the setup were wrong", () => {
  const rejects = "scrape/rejects-unknown-property";

  const cases: readonly (readonly [name: string, alter: Alter, check: string, want: string, options?: RunOptions])[] = [
    ["with 404 is the target's fault when the plain request succeeds before and after", refused, rejects, "fail"],
    [
      "with 404 tells of the setup when the session is gone by then",
      sessionGoneAfter("conformance_unknown"),
      rejects,
      "error",
    ],
    [
      "with 429 tells of the moment, whatever else succeeds",
      (answer, request) => (answer.status === 422 ? { ...refused(answer, request), status: 429 } : answer),
      rejects,
      "error",
    ],
    [
      "with 409 tells of the suite itself when requests are sent at the same time",
      (answer, { body }) => (body.includes("conformance_unknown") ? json(409, {}) : answer),
      rejects,
      "error",
      { concurrency: 4 },
    ],
    ["with 404 tells nothing when the plain request was not selected", refused, rejects, "error", { only: [rejects] }],
    [
      "with 403 is the target's fault on the automation operation when a run was started with the key",
      automation((answer) => (answer.status === 400 ? json(403, {}) : answer)),
      "automation/400-query-missing",
      "fail",
    ],
    [
      "with 401 is the target's fault on the automation operation when the key makes a difference elsewhere",
      automation((answer, { body }) => (body === "{}" ? answer : json(401, {}))),
      "automation/400-invalid-json",
      "fail",
      { profile: "free" },
    ],
    [
      "with 401 tells of the key when bodies are looked at before keys",
      (answer, { url, body }) => {
        if (!url.startsWith("/api")) return answer;
        return body === "{}" ? json(400, {}) : json(401, {});
      },
      "automation/400-invalid-json",
      "error",
      { profile: "free" },
    ],
    [
      "with 401 tells of the key when nothing shows that it is good for automation",
      automation(() => json(401, {})),
      "automation/400-query-missing",
      "error",
    ],
  ];

  test.for(cases)("%s", async ([, alter, check, want, options]) => {
    const report = await judge(alter, options);
    expect(report.checks.find(({ id }) => id === check)?.status).toBe(want);
  });

  test.for<{ name: string; alter: Alter | undefined }>([
    { name: "no answer leaves open whose fault it is", alter: undefined },
    {
      name: "the answer is judged by no check",
      alter: (answer, { body }) => (body.includes("conformance-no-such-element") ? json(404, {}) : answer),
    },
  ])("costs nothing more where $name", async ({ alter }) => {
    const report = await judge(alter);
    expect(report.summary.exchanges).toBe(report.run.requests);
  });
});

/** Answers of the automation operation to requests with the key. */
function automation(alter: Alter): Alter {
  return (answer, request) =>
    request.url.startsWith("/api") && answer.status !== 401 ? alter(answer, request) : answer;
}

/** From the first request on that has the word in its body, the session is unknown. */
function sessionGoneAfter(word: string): Alter {
  let gone = false;
  return (answer, { url, body }) => {
    gone ||= body.includes(word);
    return gone && url.includes("/scrape") ? json(404, {}) : answer;
  };
}
