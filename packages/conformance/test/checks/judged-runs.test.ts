/**
 * A billed run is judged, whatever request started it: with a budget of one run, a target that starts it for a request that it
 * should refuse is held against every rule of streams all the same.
 */
import { describe, expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { tryService } from "../kills/trial.ts";
import { membersOf, operationOf, type Asked } from "../targets/asked.ts";
import { run } from "../targets/faulty-target.ts";
import { apiKey, correctService, tokenOf, type Service } from "../targets/service.ts";

const lets = (isLetIn: (asked: Asked) => boolean): Partial<Service> => ({
  admits: (asked) => correctService.admits(asked) || (operationOf(asked) === "automation" && isLetIn(asked)),
});
const starts = (isStarted: (asked: Asked) => boolean): Partial<Service> => ({
  startsNoRun: (asked) => (isStarted(asked) ? undefined : correctService.startsNoRun(asked)),
});

/** Targets that start a run for a request that they should refuse, by what is wrong with it. */
const takers: Readonly<Record<string, Partial<Service>>> = {
  "with the key in X-API-Key": lets(({ headers }) => headers["x-api-key"] === apiKey),
  "with the key in a cookie": lets(({ headers }) => String(headers.cookie).includes(apiKey)),
  "with the key in the query": lets(({ query }) => [...query.values()].includes(apiKey)),
  "with the key under another scheme": lets(({ headers }) => String(headers.authorization).endsWith(` ${apiKey}`)),
  "with the key in the other case": lets((asked) => tokenOf(asked)?.toLowerCase() === apiKey.toLowerCase()),
  "with part of the key": lets((asked) => (tokenOf(asked) ?? "") !== "" && apiKey.startsWith(tokenOf(asked) ?? "")),
  "without a key": lets(() => true),
  "with a body in single quotes": starts(({ body }) => body.startsWith("{'query'")),
  "with a trailing comma": starts(({ body }) => body.endsWith(",}")),
  "with `query` inside another field": starts((asked) => JSON.stringify([...membersOf(asked)]).includes('"query"')),
};

/** Sentences that streams break, with what breaks them. */
const breaks: Readonly<Record<string, Partial<Service>>> = {
  "event.done.terminal": run((events) => [...events, { type: "status", status: "late" }]),
  "event.done.metadata": run((events) => events.map(({ metadata: _, ...event }) => event)),
  "stream.event-has-type": run((events) => [{ status: "starting" }, ...events]),
  "stream.line-form": { writes: (event) => `data:${JSON.stringify(event)}\n\n` },
};

const named = ({ checks }: Report): Set<string> =>
  new Set(checks.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)));

describe("a target that starts the one run of the budget for a request", () => {
  test.for(
    Object.entries(takers).flatMap(([what, taker]) => Object.keys(breaks).map((row) => [what, row, taker] as const)),
  )("%s, and breaks %s, is found to", async ([, row, taker]) => {
    const report = await tryService({ ...correctService, ...taker, ...breaks[row] }, { maxRuns: 1 });
    expect(named(report)).toContain(row);
  });
});
