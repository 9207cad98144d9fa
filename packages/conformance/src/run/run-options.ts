import type { Configuration } from "../configuration/configuration.ts";
import { checkedConfiguration } from "../configuration/configuration-file.ts";
import type { PageTimeouts } from "../target/opened-pages.ts";
import type { Profile } from "../http/profile.ts";
import type { ExpectedFailure, Setting } from "../report/report.ts";
import { defaults, shownReadings } from "../configuration/settings.ts";
import type { PinnedReadings } from "../contract/readings.ts";
import type { Limits } from "../http/limits.ts";

/** Progress of a run. */
export interface Progress {
  /** Requests begun, the ones under way among them. */
  readonly sent: number;
  /** Requests that the run will send in all. */
  readonly total: number;
  /** Id of the probe that is under way, or what is done meanwhile where no request is. */
  readonly probe: string;
  /** Data lines of the event stream that is being read; absent when none is. */
  readonly events?: number;
}

/** Plan of a run, reported before the first request. */
export interface RunPlan {
  /**
   * How many requests it will send. One or two more follow only when an answer leaves open whose fault it is; and when a
   * recording is judged, those that wait for it and those that download it.
   */
  readonly requests: number;
  /** How many more there are, left out because the limit of requests allows fewer: those that tell least. */
  readonly leftOut: number;
  /** How many checks will be judged, and how many the suite has. */
  readonly checks: { readonly selected: number; readonly all: number };
  /** Which requests may be sent. */
  readonly profile: Profile;
  /** Seed of generated requests. */
  readonly seed: number;
}

/** How a run is made. */
export interface RunOptions {
  /** Which requests may be sent. Default: `free`, which starts no billed automation run. */
  profile?: Profile;
  /** Most billed automation runs; only the profile `full` starts any. Default: 1. */
  maxRuns?: number;
  /**
   * Once so many billed runs were started by requests that a target has to refuse, no further such request is sent; 0: the
   * automation gets none of them. Default: 1.
   */
  maxUnintendedRuns?: number;
  /** No further run starts once the runs have cost this much, in US dollars, or one of them never told. Default: no limit. */
  maxCostUsd?: number;
  /** Patterns of the checks that are judged: globs over ids of checks and requirements, `operation:NAME`, `level:NAME`. Default: all. */
  only?: readonly string[];
  /** Patterns of the checks that are left out. Default: none. */
  skip?: readonly string[];
  /** Values of readings, by their ids: how sentences are understood that can be understood in two ways or more. Default: the most tolerant. */
  readings?: PinnedReadings;
  /** Takes the strictest value of every reading that is not pinned, and lets every check decide. Default: false. */
  strict?: boolean;
  /** Seed of generated requests: the same seed makes the same ones. Default: 1. */
  seed?: number;
  /** Requests under way at the same time, 1 to 64; automation runs are never more than one. Default: 1. */
  concurrency?: number;
  /** Most requests begun per second. Default: no limit. */
  rate?: number;
  /** Most requests that the run may send: of more, those that tell most are sent, and the others are skipped with that reason. Default: 1000. */
  maxRequests?: number;
  /** Address of the documentation site, which the report then links to: http or https. Default: no links. */
  docsUrl?: string;
  /** Failures that are known: they do not decide the verdict until they expire. Default: none. */
  expectedFailures?: readonly ExpectedFailure[];
  /** Bounds of time and size. Default: `defaultLimits`, each by itself. */
  limits?: Partial<Limits>;
  /** Timeouts and delays of sessions on the suite's own pages. Default: as the fields say. */
  pageTimeouts?: Partial<PageTimeouts>;
  /**
   * Path of the ffmpeg that decodes the pictures of a recording; false: they are left unseen. Default: that of the package
   * `@cloud-browser/ffmpeg-linux-x64`, or the one on the PATH.
   */
  ffmpeg?: string | false;
  /** Interrupts the run: what was not sent is skipped, and the report is made of the rest. Default: none. */
  signal?: AbortSignal;
  /** Settings that the report shows. Default: those of these options. */
  settings?: readonly Setting[];
  /** Called once, before the first request. Default: nothing. */
  onPlan?: (plan: RunPlan) => void;
  /** Called before each request, and for each event of a stream. Default: nothing. */
  onProgress?: (progress: Progress) => void;
}

/** Options that are settings too, and are checked as such. */
const settingNames = [
  "profile",
  "maxRuns",
  "maxUnintendedRuns",
  "maxCostUsd",
  "only",
  "skip",
  "readings",
  "strict",
  "seed",
  "concurrency",
  "rate",
  "maxRequests",
  "docsUrl",
] as const satisfies readonly (keyof RunOptions)[];

type Checked = Required<Pick<RunOptions, Exclude<(typeof settingNames)[number], "maxCostUsd" | "rate" | "docsUrl">>> &
  Pick<RunOptions, "maxCostUsd" | "rate" | "docsUrl">;

/** Those of some settings that are options of a run. */
export function pickRunOptions(
  settings: Pick<Configuration, (typeof settingNames)[number]>,
): Pick<RunOptions, (typeof settingNames)[number]> {
  return Object.fromEntries(
    settingNames.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  );
}

/**
 * The options of a run, with the defaults filled in.
 *
 * @throws {SuiteError} `usage` for an invalid value.
 */
export function completeOptions(options: RunOptions): Checked & { readonly settings: readonly Setting[] } {
  const configuration = checkedConfiguration(pickRunOptions(options), "the options of the run");
  const values: Checked = Object.assign({}, defaults, configuration);
  const settings = settingNames.map((name): Setting => {
    const text = name === "readings" ? shownReadings(values[name]) : shownValue(values[name]);
    return { name, value: text, source: options[name] === undefined ? "default" : "option" };
  });
  return { ...values, settings: options.settings ?? settings };
}

function shownValue(value: number | string | boolean | readonly string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") || "none" : String(value ?? "not set");
}
