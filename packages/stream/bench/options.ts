import { parseArgs } from "node:util";
import { corpusNames, type CorpusName } from "./corpus.ts";

/** The parts of the benchmark. */
export const suites = ["shapes", "sync", "async", "snapshot"] as const;

/** One part of the benchmark. */
export type Suite = (typeof suites)[number];

/** What to measure. */
export interface Options {
  /** Parts to run. */
  readonly suites: readonly Suite[];
  /** Corpora to read. */
  readonly corpora: readonly CorpusName[];
  /** Part of the name of the shapes to read; undefined for all. */
  readonly shape: string | undefined;
  /** Events per stream instead of the default of each part. */
  readonly events: number | undefined;
  /** Fewer rounds, shorter streams. */
  readonly quick: boolean;
  /** Modules to compare with, beside the sources of this package. */
  readonly ours: readonly string[];
}

/** What `--help` prints. */
export const usage = `Compares @cloud-browser/stream with its peers. README.md says how to read the tables.

  --quick            under 15 s instead of under 60 s; for a first look
  --only <part>      ${suites.join(", ")}
  --shape <text>     shapes whose name contains this
  --corpus <name>    ${corpusNames.join(", ")}
  --events <n>       events per stream
  --ours <module>    also measures this module, which exports createAutomationDecoder; may be repeated
`;

/** @returns `undefined` when help is wanted. @throws {TypeError} when an argument makes no sense. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      corpus: { type: "string" },
      shape: { type: "string" },
      events: { type: "string" },
      ours: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const events = values.events === undefined ? undefined : Number(values.events);
  if (events !== undefined && !(Number.isInteger(events) && events > 1)) {
    throw new TypeError("--events needs an integer above 1");
  }
  return {
    suites: choose("--only", suites, values.only),
    corpora: choose("--corpus", corpusNames, values.corpus),
    shape: values.shape,
    events,
    quick: values.quick,
    ours: values.ours,
  };
}

function choose<T extends string>(option: string, all: readonly T[], name: string | undefined): readonly T[] {
  if (name === undefined) return all;
  const matches = all.filter((item) => item === name);
  if (matches.length === 0) throw new TypeError(`${option} needs one of: ${all.join(", ")}`);
  return matches;
}
