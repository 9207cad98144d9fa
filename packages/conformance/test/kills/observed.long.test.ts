/** An observation tells what a server makes use of: each row of what is left open tells another thing of one of its servers than of the one that all differ from. */
import { beforeAll, expect, test } from "vitest";
import { loadRequirements } from "../../src/contract/requirements.ts";
import type { Report } from "../../src/report/report.ts";
import { openServers } from "./open/open-servers.ts";
import { judgeParts } from "./trial.ts";

/** Rows whose servers differ in less than a report tells, or only from run to run. */
const coarse: ReadonlySet<string> = new Set([
  "open.stream.socket-after-terminal", // times below 100 ms are told alike
]);

const rows = loadRequirements().unspecified.filter(({ observable }) => ["mock", "live"].includes(observable));

const formatValues = (report: Report, row: string): string =>
  JSON.stringify(report.observations.find(({ id }) => id === row)?.values ?? []);

/** Observations of the service that the others differ from, by the number of runs. */
const plain = new Map<number, Report>();

beforeAll(async () => {
  for (const runs of [1, 8]) plain.set(runs, await judgeParts({}, { maxRuns: runs }));
});

test.for(rows.filter(({ id }) => !coarse.has(id)))("$id is told", { timeout: 120_000 }, async ({ id }) => {
  for (const server of openServers.filter(({ row }) => row === id)) {
    const report = plain.get(server.maxRuns ?? 1);
    if (report && formatValues(await judgeParts(server.parts, server), id) !== formatValues(report, id)) return;
  }
  expect.unreachable(`${id}: every server is told as the one that they differ from`);
});
