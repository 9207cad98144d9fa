import type { Configuration, Writable } from "../configuration/configuration.ts";
import { checkConfiguration } from "../configuration/configuration-file.ts";
import type { PageTimeouts } from "../target/opened-pages.ts";
import type { Profile } from "../http/profile.ts";
import type { ExpectedFailure, Setting } from "../report/report.ts";
import { defaults, renderReadings } from "../configuration/settings.ts";
import type { Limits } from "../http/limits.ts";

/** Progress of a run. */
export interface Progress {
  /** Number of requests begun, including those under way. */
  readonly sent: number;
  /** Number of requests that the run will send in all. */
  readonly total: number;
  /** Id of the probe that is under way, or the activity where no request is. */
  readonly probe: string;
  /** Number of data lines of the event stream that is being read; absent when none is. */
  readonly events?: number;
}

/** Plan of a run, reported before the first request. */
export interface RunPlan {
  /**
   * Number of requests that it will send. One or two more follow only when an answer leaves open whose fault it is; and, when a recording
   * is judged, those that wait for it and download it.
   */
  readonly requests: number;
  /** Number of further requests, left out because of the limit of requests: those that show least. */
  readonly leftOut: number;
  /** Number of checks that will be judged, and number of checks of the suite. */
  readonly checks: { readonly selected: number; readonly all: number };
  /** Profile that limits the requests. */
  readonly profile: Profile;
  /** Seed of generated requests. */
  readonly seed: number;
}

/** Options of a run that are also settings, and are checked as such. */
type RunSettings = Writable<Pick<Configuration, (typeof settingNames)[number]>>;

/** Options of a run. */
export interface RunOptions extends RunSettings {
  /** Known failures, which do not decide the verdict until they expire. Default: none. */
  expectedFailures?: readonly ExpectedFailure[];
  /** Bounds of time and size. Default: `defaultLimits`, each by itself. */
  limits?: Partial<Limits>;
  /** Timeouts and delays of sessions on the suite's own pages. Default: as the fields say. */
  pageTimeouts?: Partial<PageTimeouts>;
  /** Path of ffmpeg, which decodes recordings; false: none. Default: that of `@cloud-browser/ffmpeg-linux-x64`, or the one on the PATH. */
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
] as const satisfies readonly (keyof Configuration)[];

type Checked = RunSettings & Required<Omit<RunSettings, "maxCostUsd" | "rate" | "docsUrl">>;

/** Returns those of some settings that are options of a run. */
export function pickRunOptions(settings: RunSettings): RunSettings {
  return Object.fromEntries(
    settingNames.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  );
}

/**
 * Completes the options of a run by the defaults.
 *
 * @throws {SuiteError} `usage` for an invalid value.
 */
export function completeOptions(options: RunOptions): Checked & { readonly settings: readonly Setting[] } {
  const configuration = checkConfiguration(pickRunOptions(options), "the options of the run");
  const values: Checked = Object.assign({}, defaults, configuration);
  const settings = settingNames.map((name): Setting => {
    const text = name === "readings" ? renderReadings(values[name]) : shownValue(values[name]);
    return { name, value: text, source: options[name] === undefined ? "default" : "option" };
  });
  return { ...values, settings: options.settings ?? settings };
}

function shownValue(value: number | string | boolean | readonly string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") || "none" : String(value ?? "not set");
}
