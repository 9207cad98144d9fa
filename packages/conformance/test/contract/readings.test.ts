/** Sentences that can be understood in two ways or more: each value decides as it says, and the report tells what the others would. */
import { describe, expect, test } from "vitest";
import type { ReadingServer } from "../kills/open/reading-servers.ts";
import { tryService } from "../kills/trial.ts";
import { checks } from "../../src/run/suite.ts";
import type { Fields } from "../targets/messages.ts";
import { recording } from "../targets/content.ts";
import { correctService } from "../targets/service.ts";
import {
  aboutReading,
  once,
  collectOutcomes,
  listOutcomes,
  readings,
  reportFrom,
  strictest,
  turners,
} from "./reading-outcomes.ts";
import { run } from "../targets/parts.ts";

/** The first server of each value of a reading. */
const firstOfEach = turners.filter(
  ({ reading, not }, at) => turners.findIndex((other) => other.reading === reading && other.not === not) === at,
);

/** Judged by the checks of the sentence; all of them, by all of the suite, in readings.long.test.ts. */
describe("a server that", () => {
  test.for(firstOfEach.map((server) => [server.does, server.reading, server.not, server] as const))(
    "%s conforms until %s is %s",
    async ([, , , { judge, ...turning }]) => {
      const only = aboutReading(turning.reading);
      const judgedOnce = once((how) => judge({ only, ...how }));
      expect(await collectOutcomes(turning, judgedOnce)).toEqual(listOutcomes(turning));
    },
  );

  test("is there for every value that is stricter than the first", () => {
    const held = new Set(turners.map(({ reading, not }) => `${reading}=${not}`));
    const all = readings.flatMap(({ id, values }) => values.slice(1).map(({ value }) => `${id}=${value}`));
    expect(all.filter((name) => !held.has(name))).toEqual([]);
  });
});

const film = (more: Fields): Pick<ReadingServer, "parts"> => ({
  parts: { recording: () => ({ ...recording, ...more }) },
});

describe("a server that breaks what each reading states", () => {
  test.for([
    [
      "a list of playlists by relative addresses",
      "session_replay",
      film({ playlist_content: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=8\nlow.m3u8\n" }),
    ],
    ["a time of expiry without an offset", "session_replay", film({ expires_at: "2036-11-21 09:30:00" })],
    ["a month that there is not", "session_replay", film({ expires_at: "2036-13-01" })],
    [
      "a type that is misspelled",
      "automation_start",
      { parts: run((all) => [{ type: "Status", status: "x" }, ...all]) },
    ],
    [
      "a stream that ends with an event of another type",
      "automation_start",
      { parts: run((all) => [...all.slice(0, -1), { type: "finished" }]) },
    ],
  ] as const)("by %s does not conform", async ([, operation, server]) => {
    const report = await reportFrom(server, { only: [`operation:${operation}`] });
    expect(report.verdict).toBe("not-conforming");
  });
});

describe("readings and checks are in step:", () => {
  const ids = new Map(checks.map((check) => [check.id, check.level]));

  test.for(readings)("$id names checks that there are, with the level of the default", ({ default: usual, values }) => {
    const at = values.findIndex(({ value }) => value === usual);
    for (const [place, { checks: named }] of values.entries())
      for (const check of named) expect([check, ids.get(check)]).toEqual([check, place > at ? "assumed" : "stated"]);
  });
});

describe("--strict", () => {
  test("takes the strictest value of every reading that is not pinned, and lets every check decide", async () => {
    const report = await reportFrom({ parts: {} }, { strict: true, readings: { "events.unknown-type": "open" } });
    expect(report.verdict).toBe("conforming");
    expect(report.checks.filter(({ level }) => level === "assumed").map(({ id }) => id)).toEqual([
      "stream/types-are-listed",
    ]);
    expect(report.readings?.filter(({ value, id }) => value !== strictest[id]).map(({ id, by }) => [id, by])).toEqual([
      ["events.unknown-type", "pinned"],
    ]);
  });
});

test("what another value would change is not known when its checks were not selected", async () => {
  const report = await tryService(correctService, { options: { only: ["cookies/json"] } });
  expect(new Set(report.readings?.flatMap(({ others }) => others.map(({ verdict }) => verdict)))).toEqual(
    new Set([null]),
  );
});
