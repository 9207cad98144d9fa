/** Servers that turn on the reading of a sentence, judged once with each value of it: what each decides, and what the report says of the others. */
import { inNeutralWords } from "../targets/own-words.ts";
import { loadReadings, type Reading } from "../../src/contract/readings.ts";
import type { Report } from "../../src/report/report.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { checks as suite } from "../../src/run/suite.ts";
import type { Transmit } from "../../src/http/transport.ts";
import { each } from "../kills/ways.ts";
import { wireTo } from "../kills/memory.ts";
import { pictureFolder, pictureNames } from "../../src/site/pages/pictures.ts";
import { readingServers, type ReadingServer } from "../kills/open/reading-servers.ts";
import { judgeParts, tryService } from "../kills/trial.ts";
import { runSuite as runOnPages } from "../pages/run-suite.ts";
import type { Twist } from "../pages/site-server.ts";
import { correctService, type Service } from "../targets/service.ts";

export const readings = loadReadings();
/** The strictest value of every reading. */
export const strictest = Object.fromEntries(readings.map(({ id, values }) => [id, values.at(-1)?.value ?? ""]));

function findReading(id: string): Reading {
  const reading = readings.find((known) => known.id === id);
  if (!reading) throw new Error(`there is no reading ${id}`);
  return reading;
}

/** Options of judging a server: its readings, and a selection. Default: all checks. */
export type How = Pick<RunOptions, "readings" | "strict" | "only">;

/** Judges a server, without a socket where that is enough. */
export const reportFrom = ({ parts }: Pick<ReadingServer, "parts">, options: How = {}): Promise<Report> =>
  judgeParts(parts, { options });

/** Judges a server once in each way. */
export function once(judge: (how: How) => Promise<Report>): (how: How) => Promise<Report> {
  const known = new Map<string, Promise<Report>>();
  return (how) => {
    const report = known.get(JSON.stringify(how)) ?? judge(how);
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
  readonly verdicts: readonly (string | null | undefined)[];
  /** True when the checks of the stricter value fail, and decide. */
  readonly decides: boolean;
}

const findTold = ({ readings: rows = [], verdict }: Report, id: string, value: string): string | null | undefined => {
  const row = rows.find((one) => one.id === id);
  return row?.value === value ? verdict : row?.others.find((one) => one.value === value)?.verdict;
};

/** The reading that a server turns on, and the first value with which it does not conform. */
type Turning = Pick<ReadingServer, "reading" | "not" | "neverComes">;

/** Returns the results of a server with each value of a reading. */
export function collectOutcomes(
  { reading: id, not }: Turning,
  judge: (how: How) => Promise<Report>,
): Promise<Outcome[]> {
  const { values } = findReading(id);
  const stricter = values.find(({ value }) => value === not)?.checks ?? [];
  return Promise.all(
    values.map(async ({ value }) => {
      const [usual, pinned] = await Promise.all([judge({}), judge({ readings: { [id]: value } })]);
      const decides = failing(pinned, "stated").some((check) => stricter.includes(check));
      return {
        value,
        verdict: pinned.verdict,
        verdicts: [usual, pinned].map((one) => findTold(one, id, value)),
        decides,
      };
    }),
  );
}

/** Returns the expected results: conforming, or unfinished, with each value before the given one, and with no other. */
export function listOutcomes({ reading: id, not, neverComes }: Turning): Outcome[] {
  const { values } = findReading(id);
  const from = values.findIndex(({ value }) => value === not);
  return values.map(({ value }, at) => {
    const tolerated = neverComes ? "unfinished" : "conforming";
    const verdict = at < from ? tolerated : "not-conforming";
    return { value, verdict, verdicts: [verdict, verdict], decides: at >= from };
  });
}

/** Returns the unexpected findings when every other reading has its strictest value, or its default. Only warnings of this reading are expected. */
export async function listUnexpectedFailures(
  { reading: id, not, neverComes }: Turning,
  judge: (how: How) => Promise<Report>,
): Promise<string[]> {
  const { values } = findReading(id);
  const from = values.findIndex(({ value }) => value === not);
  const [usual, others] = await Promise.all([
    judge({}),
    judge({ readings: { ...strictest, [id]: values[from - 1]?.value ?? "" } }),
  ]);
  const ids = new Set(values[from]?.checks);
  return [...usual.checks, ...others.checks]
    .filter(
      ({ status, level, id: check }) =>
        (status === "error" && !neverComes) || (status === "fail" && (level === "stated" || !ids.has(check))),
    )
    .map((check) => check.id);
}

/** A server that turns on a reading, and a way to judge it. */
export interface Turner extends Turning {
  /** Behaviour of the server, as the end of a sentence that begins with "A server that". */
  readonly does: string;
  readonly judge: (how: How) => Promise<Report>;
}

/** The two content images of the article, as they may stand in Markdown. */
const pictures = Object.entries({ content: pictureNames.content, second: pictureNames["second content"] })
  .map(([text, name]) => `![${text}](${pictureFolder}/${name})`)
  .join("\n");

/** Servers whose sessions are on known pages. */
const twists: readonly (Turning & { does: string; twist: Twist; only: readonly string[] })[] = [
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
  {
    does: "shows images in the Markdown when none are asked for",
    reading: "scrape.images-in-markdown",
    not: "none",
    twist: {
      scrape: (answer, { scrape_images: images, only_images: only }) =>
        images === true || only === true ? answer : { ...answer, markdown: `${answer.markdown}\n\n${pictures}` },
    },
    only: ["page/scrape_images-*"],
  },
  {
    does: "brings no images with only_images alone",
    reading: "scrape.only-images-alone",
    not: "implied",
    twist: {
      scrape: (answer, { scrape_images: images, only_images: only }) =>
        only === true && images !== true ? { ...answer, images: null } : answer,
    },
    only: ["page/only_images-*"],
  },
];

/** Closes its streams some seconds after their end: nothing is waited for, as only the times that a run has measured tell it. */
function closingLate(service: Service, seconds: number): Transmit {
  const address = "http://target.example";
  const wire = wireTo(service, address, inNeutralWords);
  return async (...sending) => {
    const sent = await wire(...sending);
    const { exchange } = sent;
    const isRun = exchange.operation === "automation_start" && exchange.response?.status === 200;
    return isRun ? { ...sent, exchange: { ...exchange, durationMs: exchange.durationMs + seconds * 1_000 } } : sent;
  };
}

/** Every such server. Those on pages are judged by what the twist bears on alone. */
export const turners: readonly Turner[] = [
  ...each(readingServers, ({ parts }) => ({
    judge: (how: How) => reportFrom({ parts }, how),
  })),
  {
    does: "closes the stream of a run eight seconds after its end",
    reading: "stream.close-delay",
    not: "soon",
    judge: (how: How) => tryService(correctService, { options: how }, closingLate(correctService, 8)),
  },
  ...each(twists, ({ twist, only }) => ({
    judge: (how: How) => runOnPages(twist, { ...how, only }),
  })),
];

/**
 * The checks that a reading turns on, and those of the sentence that it is about. One more passes on all of these servers: a run of nothing
 * else would have checked nothing.
 */
export function aboutReading(id: string): string[] {
  const { requirements, values } = findReading(id);
  const judge = requirements.filter((row) => suite.some((check) => check.requirements.includes(row)));
  return [...values.flatMap(({ checks }) => checks), ...judge, "cookies/refuses-missing-key"];
}
