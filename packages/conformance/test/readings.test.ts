/** Sentences that can be understood in two ways or more: each value decides as it says, and the report tells what the others would. */
import { describe, expect, test } from "vitest";
import { loadReadings, type Reading } from "../src/contract/readings.ts";
import type { Report } from "../src/report/report.ts";
import type { RunOptions } from "../src/run/run-options.ts";
import { checks } from "../src/run/suite.ts";
import { NeedsSocket } from "./kills/memory.ts";
import { readingServers, type ReadingServer } from "./kills/open/reading-servers.ts";
import { tryService } from "./kills/trial.ts";
import { judge as judgePages } from "./pages/judged.ts";
import type { Fields } from "./targets/asked.ts";
import { recording } from "./targets/content.ts";
import { judge as judgeOnSocket } from "./targets/judged.ts";
import { run } from "./targets/faulty-target.ts";
import { correctService } from "./targets/service.ts";

const readings = loadReadings();
const strictest = Object.fromEntries(readings.map(({ id, values }) => [id, values.at(-1)?.value ?? ""]));

function readingOf(id: string): Reading {
  const reading = readings.find((known) => known.id === id);
  if (!reading) throw new Error(`there is no reading ${id}`);
  return reading;
}

type How = Pick<RunOptions, "readings" | "strict">;

async function judge({ parts }: Pick<ReadingServer, "parts">, options: How = {}): Promise<Report> {
  try {
    return await tryService({ ...correctService, ...parts }, { options });
  } catch (error) {
    if (!(error instanceof NeedsSocket)) throw error;
    return judgeOnSocket(parts, { options });
  }
}

const failing = (report: Report, level: string): string[] =>
  report.checks.filter((check) => check.status === "fail" && check.level === level).map(({ id }) => id);

/** Each value of a reading: what it decides with the value itself, and what the report of another one says of it. */
async function holdTo(
  { reading: id, not }: Pick<ReadingServer, "reading" | "not">,
  judged: (how: How) => Promise<Report>,
): Promise<void> {
  const { values } = readingOf(id);
  const usual = await judged({});
  expect(usual.checks.filter(({ status }) => status === "error")).toEqual([]);
  expect(failing(usual, "stated")).toEqual([]);
  expect(usual.verdict).toBe("conforming");
  const from = values.findIndex(({ value }) => value === not);
  const deciding = values[from]?.checks ?? [];
  expect(failing(usual, "assumed").filter((check) => !deciding.includes(check))).toEqual([]);
  expect(failing(usual, "assumed").length).toBeGreaterThan(0);
  for (const [at, { value }] of values.entries()) {
    const pinned = await judged({ readings: { [id]: value } });
    expect(pinned.verdict).toBe(at < from ? "conforming" : "not-conforming");
    expect(failing(pinned, at < from ? "assumed" : "stated").filter((check) => deciding.includes(check))).not.toEqual(
      [],
    );
    for (const report of [usual, pinned]) {
      const row = report.readings?.find((one) => one.id === id);
      const told = row?.value === value ? report.verdict : row?.others.find((one) => one.value === value)?.verdict;
      expect(told).toBe(pinned.verdict);
    }
  }
  const others = await judged({ readings: { ...strictest, [id]: values[from - 1]?.value ?? "" } });
  expect(others.verdict).toBe("conforming");
}

describe("a server that", () => {
  test.for(readingServers.map((server) => [server.does, server.reading, server.not, server] as const))(
    "%s conforms until %s is %s",
    async ([, , , server]) => {
      await holdTo(server, (how) => judge(server, how));
    },
  );

  test("answers with an expiry that has passed conforms until replay.expires_at-past is future", async () => {
    const past = "2020-01-01T00:00:00+00:00";
    await holdTo({ reading: "replay.expires_at-past", not: "future" }, (how) =>
      judgePages(
        { replay: (answer) => ({ ...answer, expires_at: past }) },
        { only: ["recording/expires-later", "recording/exists", "replay/json"], ...how },
      ),
    );
  });

  test("is there for every value that is stricter than the first", () => {
    const held = new Set(readingServers.map(({ reading, not }) => `${reading}=${not}`));
    const all = readings.flatMap(({ id, values }) => values.slice(1).map(({ value }) => `${id}=${value}`));
    expect(all.filter((name) => !held.has(name))).toEqual(["replay.expires_at-past=future"]);
  });
});

describe("a server that breaks what each reading states", () => {
  const film = (more: Fields): Pick<ReadingServer, "parts"> => ({
    parts: { recording: () => ({ ...recording, ...more }) },
  });

  test.for([
    [
      "a list of playlists by relative addresses",
      film({ playlist_content: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=8\nlow.m3u8\n" }),
    ],
    ["a time of expiry without an offset", film({ expires_at: "2036-11-21 09:30:00" })],
    ["a month that there is not", film({ expires_at: "2036-13-01" })],
    ["a type that is misspelled", { parts: run((all) => [{ type: "Status", status: "x" }, ...all]) }],
    [
      "a stream that ends with an event of another type",
      { parts: run((all) => [...all.slice(0, -1), { type: "finished" }]) },
    ],
  ] as const)("by %s does not conform", async ([, server]) => {
    const report = await judge(server);
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
    const report = await judge({ parts: {} }, { strict: true, readings: { "events.unknown-type": "open" } });
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
