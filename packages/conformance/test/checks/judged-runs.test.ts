/**
 * A billed run is judged, whatever request started it: with a budget of one run, a target that starts it for a request that it
 * should refuse is held against every rule of streams all the same.
 */
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { tryService } from "../kills/trial.ts";
import { json, listMembers, findOperation, type ReceivedRequest } from "../targets/messages.ts";
import { apiKey, correctService, findToken, type Service } from "../targets/service.ts";
import { run } from "../targets/parts.ts";

const lets = (isLetIn: (request: ReceivedRequest) => boolean): Partial<Service> => ({
  admits: (request) => correctService.admits(request) || (findOperation(request) === "automation" && isLetIn(request)),
});
const starts = (isStarted: (request: ReceivedRequest) => boolean): Partial<Service> => ({
  startsNoRun: (request) => (isStarted(request) ? undefined : correctService.startsNoRun(request)),
});
const answers = (status: number, isSuch: (request: ReceivedRequest) => boolean): Partial<Service> => ({
  turnsAway: (request) =>
    findOperation(request) === "automation" && isSuch(request) ? json(status, {}) : correctService.turnsAway(request),
});

/** Targets that start a run for a request that they should refuse, by what is wrong with it. */
const takers: Readonly<Record<string, Partial<Service>>> = {
  "with the key in X-API-Key": lets(({ headers }) => headers["x-api-key"] === apiKey),
  "with the key in a cookie": lets(({ headers }) => String(headers.cookie).includes(apiKey)),
  "with the key in the query": lets(({ query }) => [...query.values()].includes(apiKey)),
  "with the key under another scheme": lets(({ headers }) => String(headers.authorization).endsWith(` ${apiKey}`)),
  "with the key in X-API-Key, and fails": answers(500, ({ headers }) => headers["x-api-key"] === apiKey),
  "with the key in a cookie, and only takes notice": answers(202, ({ headers }) =>
    String(headers.cookie).includes(apiKey),
  ),
  "with the key as Basic, and finds nobody behind itself": answers(
    502,
    ({ headers }) => headers.authorization === `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
  ),
  "with the key in the other case": lets((request) => findToken(request)?.toLowerCase() === apiKey.toLowerCase()),
  "with part of the key": lets(
    (request) => (findToken(request) ?? "") !== "" && apiKey.startsWith(findToken(request) ?? ""),
  ),
  "without a key": lets(() => true),
  "with a body in single quotes": starts(({ body }) => body.startsWith("{'query'")),
  "with a trailing comma": starts(({ body }) => body.endsWith(",}")),
  "with `query` inside another field": starts((request) =>
    JSON.stringify([...listMembers(request)]).includes('"query"'),
  ),
};

/** Sentences that streams break, with what breaks them. */
const breaks: Readonly<Record<string, Partial<Service>>> = {
  "event.done.terminal": run((events) => [...events, { type: "status", status: "late" }]),
  "event.done.metadata": run((events) => events.map(({ metadata: _, ...event }) => event)),
  "stream.event-has-type": run((events) => [{ status: "starting" }, ...events]),
  "stream.line-form": { writes: (event) => `data:${JSON.stringify(event)}\n\n` },
};

/** Runs are started by nothing but requests of automations, right ones and wrong ones. */
const judgeRuns = (parts: Partial<Service>, maxRuns = 1): Promise<Report> =>
  tryService({ ...correctService, ...parts }, { maxRuns, options: { only: ["operation:automation_start"] } });

const listNames = ({ checks }: Report): Set<string> =>
  new Set(checks.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)));

describe("a target that starts the one run of the budget for a request", () => {
  test.for(
    Object.entries(takers).flatMap(([what, taker]) => Object.keys(breaks).map((row) => [what, row, taker] as const)),
  )("%s, and breaks %s, is found to", async ([, row, taker]) => {
    const report = await judgeRuns({ ...taker, ...breaks[row] });
    expect(listNames(report)).toContain(row);
  });
});

/** Looks at the body before it looks at the key, as some frameworks do. */
const bodyFirst: Partial<Service> = {
  turnsAway: (request) =>
    findOperation(request) === "automation" && correctService.startsNoRun(request) !== undefined
      ? json(400, { detail: "query is missing" })
      : correctService.turnsAway(request),
};

test("a target whose failures use up the budget of runs is not called conforming, and the reason says what to do", async () => {
  const fails = answers(502, ({ headers }) => String(headers.authorization).startsWith("Basic "));
  const { verdict, checks } = await judgeRuns(fails);
  expect(verdict).toBe("unfinished");
  const { status, reason } = checks.find(({ id }) => id === "automation/content-type") ?? {};
  expect([status, reason]).toEqual(["error", expect.stringMatching(/should be refused account for 1, so allow 2/)]);
  const more = await judgeRuns(fails, 2);
  expect(more.verdict).toBe("conforming");
});

/** Statuses of the checks of other schemes and of other places. */
const statuses = async (service: Partial<Service>): Promise<string[]> => {
  const { checks } = await judgeRuns(service);
  return checks
    .filter(({ id }) => id === "automation/refuses-key-elsewhere" || id === "automation/401-other-scheme")
    .map(({ status }) => status);
};

describe("the key in another place, in a request that starts no run", () => {
  test("is refused like a wrong one", async () => {
    expect(await statuses({})).toEqual(["pass", "pass"]);
  });

  test("was taken when the body is complained of, as it is with the key", async () => {
    expect(await statuses(lets(({ headers }) => headers["x-api-key"] === apiKey))).toEqual(["pass", "fail"]);
    expect(await statuses(lets(({ headers }) => headers.authorization === `Token ${apiKey}`))).toEqual([
      "fail",
      "pass",
    ]);
  });

  test("was taken behind a colon, too", async () => {
    expect(await statuses(lets(({ headers }) => headers.authorization === `Bearer: ${apiKey}`))).toEqual([
      "pass",
      "fail",
    ]);
  });

  test("was refused when a header that is not understood has the answer of every bad request", async () => {
    const strict: Partial<Service> = {
      turnsAway: (request) =>
        findOperation(request) === "automation" &&
        /^Bearer \S* |^Bearer[^ ]/.test(String(request.headers.authorization))
          ? json(400, { detail: "bad request" })
          : correctService.turnsAway(request),
      revises: (answer) => (answer.status === 400 ? json(400, { detail: "bad request" }) : answer),
    };
    expect(await statuses(strict)).toEqual(["pass", "pass"]);
  });

  test("can't be seen where the body is looked at first", async () => {
    expect(await statuses(bodyFirst)).toEqual(["skip", "skip"]);
  });
});
