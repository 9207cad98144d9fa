/** Sentences that can be understood in two ways or more: each value decides as it says, and the report tells what the others would. */
import { describe, expect, test } from "vitest";
import { loadReadings, type Reading } from "../../src/contract/readings.ts";
import type { Report } from "../../src/report/report.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { checks } from "../../src/run/suite.ts";
import { NeedsSocket } from "../kills/memory.ts";
import { readingServers, type ReadingServer } from "../kills/open/reading-servers.ts";
import { tryService } from "../kills/trial.ts";
import type { Twist } from "../pages/site-server.ts";
import { runSuite as runOnPages } from "../pages/run-suite.ts";
import type { Fields } from "../targets/asked.ts";
import { recording } from "../targets/content.ts";
import { runSuite as runOnSocket } from "../targets/run-suite.ts";
import { run } from "../targets/faulty-target.ts";
import { correctService } from "../targets/service.ts";

const readings = loadReadings();
const strictest = Object.fromEntries(readings.map(({ id, values }) => [id, values.at(-1)?.value ?? ""]));

function readingOf(id: string): Reading {
  const reading = readings.find((known) => known.id === id);
  if (!reading) throw new Error(`there is no reading ${id}`);
  return reading;
}

type How = Pick<RunOptions, "readings" | "strict">;

async function reportFrom({ parts }: Pick<ReadingServer, "parts">, options: How = {}): Promise<Report> {
  try {
    return await tryService({ ...correctService, ...parts }, { options });
  } catch (error) {
    if (!(error instanceof NeedsSocket)) throw error;
    return runOnSocket(parts, { options });
  }
}

/** Judges a server once in each way. */
function once(judged: (how: How) => Promise<Report>): (how: How) => Promise<Report> {
  const known = new Map<string, Promise<Report>>();
  return (how) => {
    const report = known.get(JSON.stringify(how)) ?? judged(how);
    known.set(JSON.stringify(how), report);
    return report;
  };
}

const failing = (report: Report, level: string): string[] =>
  report.checks.filter((check) => check.status === "fail" && check.level === level).map(({ id }) => id);

/** Result of a server with one value of a reading. */
interface Outcome {
  readonly value: string;
  readonly verdict: string | undefined;
  /** Texts on the value in the report with the default, and in the report with this value. */
  readonly told: readonly (string | null | undefined)[];
  /** True when the checks of the stricter value fail, and decide. */
  readonly decides: boolean;
}

const toldOf = ({ readings: rows = [], verdict }: Report, id: string, value: string): string | null | undefined => {
  const row = rows.find((one) => one.id === id);
  return row?.value === value ? verdict : row?.others.find((one) => one.value === value)?.verdict;
};

type Turning = Pick<ReadingServer, "reading" | "not">;

/** Returns the results of a server with each value of a reading. */
function outcomesOf({ reading: id, not }: Turning, judged: (how: How) => Promise<Report>): Promise<Outcome[]> {
  const { values } = readingOf(id);
  const stricter = values.find(({ value }) => value === not)?.checks ?? [];
  return Promise.all(
    values.map(async ({ value }) => {
      const [usual, pinned] = await Promise.all([judged({}), judged({ readings: { [id]: value } })]);
      const decides = failing(pinned, "stated").some((check) => stricter.includes(check));
      return { value, verdict: pinned.verdict, told: [usual, pinned].map((one) => toldOf(one, id, value)), decides };
    }),
  );
}

/** Returns the expected results: conforming with each value before the given one, and with no other. */
function promised({ reading: id, not }: Turning): Outcome[] {
  const { values } = readingOf(id);
  const from = values.findIndex(({ value }) => value === not);
  return values.map(({ value }, at) => {
    const verdict = at < from ? "conforming" : "not-conforming";
    return { value, verdict, told: [verdict, verdict], decides: at >= from };
  });
}

/** Returns the unexpected findings when every other reading has its strictest value, or its default. Only warnings of this reading are expected. */
async function wronglyBlamed({ reading: id, not }: Turning, judged: (how: How) => Promise<Report>): Promise<string[]> {
  const { values } = readingOf(id);
  const from = values.findIndex(({ value }) => value === not);
  const [usual, others] = await Promise.all([
    judged({}),
    judged({ readings: { ...strictest, [id]: values[from - 1]?.value ?? "" } }),
  ]);
  const known = new Set(values[from]?.checks);
  return [...usual.checks, ...others.checks]
    .filter(
      ({ status, level, id: check }) =>
        status === "error" || (status === "fail" && (level === "stated" || !known.has(check))),
    )
    .map((check) => check.id);
}

/** Servers whose sessions are on known pages. */
const onPages: readonly (Turning & { does: string; twist: Twist; only: readonly string[] })[] = [
  {
    does: "answers with an expiry that has passed",
    reading: "replay.expires_at-past",
    not: "future",
    twist: { replay: (answer) => ({ ...answer, expires_at: "2020-01-01T00:00:00+00:00" }) },
    only: ["recording/expires-later", "recording/exists", "replay/json"],
  },
  {
    does: "keeps the text of ignored elements",
    reading: "scrape.ignored-tags",
    not: "element",
    twist: {
      scrape: (answer, { ignored_tags: tags }) =>
        tags?.includes("table") ? { ...answer, markdown: `${answer.markdown}\n\nKelvarine mossofern` } : answer,
    },
    only: ["page/ignored_tags-*", "relations/ignored_tags-exclude"],
  },
];

describe("a server that", () => {
  test.for(readingServers.map((server) => [server.does, server.reading, server.not, server] as const))(
    "%s conforms until %s is %s",
    async ([, , , server]) => {
      const judged = once((how) => reportFrom(server, how));
      expect(await outcomesOf(server, judged)).toEqual(promised(server));
      expect(await wronglyBlamed(server, judged)).toEqual([]);
    },
  );

  test.for(onPages.map((server) => [server.does, server.reading, server.not, server] as const))(
    "%s conforms until %s is %s",
    async ([, , , { twist, only, ...turning }]) => {
      const judged = once((how) => runOnPages(twist, { only, ...how }));
      expect(await outcomesOf(turning, judged)).toEqual(promised(turning));
      expect(await wronglyBlamed(turning, judged)).toEqual([]);
    },
  );

  test("is there for every value that is stricter than the first", () => {
    const held = new Set(readingServers.map(({ reading, not }) => `${reading}=${not}`));
    const all = readings.flatMap(({ id, values }) => values.slice(1).map(({ value }) => `${id}=${value}`));
    expect(all.filter((name) => !held.has(name)).sort()).toEqual(
      onPages.map(({ reading, not }) => `${reading}=${not}`).sort(),
    );
  });
});

const film = (more: Fields): Pick<ReadingServer, "parts"> => ({
  parts: { recording: () => ({ ...recording, ...more }) },
});

describe("a server that breaks what each reading states", () => {
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
    const report = await reportFrom(server);
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
