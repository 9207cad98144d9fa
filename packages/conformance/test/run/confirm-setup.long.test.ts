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

const busy: Alter = (answer, { body }) => (body.includes("conformance_unknown") ? json(409, {}) : answer);
const bodiesFirst: Alter = (answer, { url, body }) =>
  url.startsWith("/api") ? json(body === "{}" ? 400 : 401, {}) : answer;

describe("an invalid request that is answered as if the setup were wrong", () => {
  const rejects = "scrape/rejects-unknown-property";

  const [withoutQuery, broken] = ["automation/400-query-missing", "automation/400-invalid-json"];
  const free: RunOptions = { profile: "free" };
  const later = sessionGoneAfter("conformance_unknown");
  const limiting: Alter = (answer, request) =>
    answer.status === 422 ? { ...refused(answer, request), status: 429 } : answer;
  const forbidding = automation((answer) => (answer.status === 400 ? json(403, {}) : answer));
  const distinguishing = automation((answer, { body }) => (body === "{}" ? answer : json(401, {})));
  const unauthorized = automation(() => json(401, {}));
  type Case = readonly [name: string, alter: Alter, check: string, want: string, options?: RunOptions];
  const cases: readonly Case[] = [
    ["with 404 is the target's fault when the plain request succeeds before and after", refused, rejects, "fail"],
    ["with 404 tells of the setup when the session is gone by then", later, rejects, "error"],
    ["with 429 tells of the moment, whatever else succeeds", limiting, rejects, "error"],
    ["with 409 tells of the suite when it sends several at a time", busy, rejects, "error", { concurrency: 4 }],
    ["with 404 tells nothing without the plain request", refused, rejects, "error", { only: [rejects] }],
    ["with 403 is the automation's fault when the key has started a run", forbidding, withoutQuery, "fail"],
    ["with 401 is the automation's fault when the key makes a difference", distinguishing, broken, "fail", free],
    ["with 401 tells of the key when bodies are looked at before keys", bodiesFirst, broken, "error", free],
    ["with 401 tells of the key when nothing shows that it is good", unauthorized, withoutQuery, "error"],
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
