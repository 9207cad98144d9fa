import type { PinnedReadings } from "../contract/readings.ts";
import type { Profile } from "../http/profile.ts";
import type { Capability } from "../target/target.ts";

/** Every format of report; the first four are written by default. */
export const reportFormats = ["html", "json", "junit", "markdown", "har", "ctrf", "sarif", "badge"] as const;

/** A report that a run can write. */
export type ReportFormat = (typeof reportFormats)[number];

/**
 * Settings of `conformance.config.*`. Flags and the environment take precedence over them, and they over the defaults.
 *
 * There is no place for the API key: it is read from the environment variable that `apiKeyEnv` names.
 */
export interface Configuration {
  /** Address of the schema of this file, for editors. */
  readonly $schema?: string;
  /** Address of the session-scoped operations. Without it the embedded mock is judged. */
  readonly baseUrl?: string;
  /** Address of the automation operation, with or without `/api/<word>/start`. Default: `baseUrl`. */
  readonly automationUrl?: string;
  /**
   * The service's own word in the path of the automation, `/api/<word>/start`: letters, digits, `-` and `_`. Default: the one of an
   * `automationUrl` that ends so, or else `automation`.
   */
  readonly automationWord?: string;
  /** The service's own word in the names of two request headers, such as `x-<word>-sdk-version`. Default: `service`. */
  readonly serviceWord?: string;
  /** Environment variable that holds the API key. Default: `CLOUD_BROWSER_API_KEY`. */
  readonly apiKeyEnv?: string;
  /** An open session, for scrape and cookies. Default: one that the suite opens on a page of its own, where there is a way to do so. */
  readonly sessionId?: string;
  /** An ended session that has a recording. Default: the replay is asked of `sessionId`, and judged only when it is there. */
  readonly endedSessionId?: string;
  /** Command that opens a session on the page `{url}` and prints its id. Default: none. */
  readonly sessionCommand?: string;
  /** Command that ends the session `{id}`. Default: none, and the sessions are left open. */
  readonly endSessionCommand?: string;
  /** Host, with or without a port, at which the target's browser reaches the suite's own pages. Default: `127.0.0.1`. */
  readonly siteHost?: string;
  /** Headers to add to every request. `Authorization` is refused: it is made from the API key. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Capabilities that the target is known to lack, each with a reason for the report. Default: none. */
  readonly lacks?: Partial<Readonly<Record<Capability, string>>>;
  /** Task of the automation runs. Default: one that needs no page. */
  readonly query?: string;
  /** Profile that limits which requests are sent. Default: `free`. */
  readonly profile?: Profile;
  /** Limit of billed automation runs that the profile `full` may start. Default: 1. */
  readonly maxRuns?: number;
  /** Limit of billed runs by requests that must be refused, after which no such request is sent. Default: 1. */
  readonly maxUnintendedRuns?: number;
  /** Cost limit of all automation runs, in US dollars: none is started once it is reached. Default: no limit. */
  readonly maxCostUsd?: number;
  /** Patterns of the checks that are judged. Default: all. */
  readonly only?: readonly string[];
  /** Patterns of the checks that are left out. Default: none. */
  readonly skip?: readonly string[];
  /** Values of readings, by their ids. Default: the most tolerant one of each. */
  readonly readings?: PinnedReadings;
  /** True to take the strictest reading of all other sentences, and to let assumed checks decide the verdict, too. Default: false. */
  readonly strict?: boolean;
  /** Seed of generated requests. Default: 1. */
  readonly seed?: number;
  /** Limit of concurrent requests; automation runs are sent one at a time. Default: 1. */
  readonly concurrency?: number;
  /** Limit of requests per second. Default: no limit. */
  readonly rate?: number;
  /** Timeout of each response, and of each stream, in seconds. Default: 120, and 900 for streams. */
  readonly timeout?: number;
  /** Longest wait until the recording of an ended session can be read, in seconds; 0: it is requested once. Default: 60. */
  readonly replayWait?: number;
  /** Limit of requests: when there are more, those that show most are sent, and the rest is skipped. Default: 1000. */
  readonly maxRequests?: number;
  /** Folder for the reports. Default: `reports`. */
  readonly out?: string;
  /** Report formats. Default: `html`, `json`, `junit` and `markdown`. */
  readonly report?: readonly ReportFormat[];
  /** File of known failures, which do not decide the verdict until they expire. Default: none. */
  readonly expectedFailures?: string;
  /** Address of the documentation site, which reports link to. Default: no links. */
  readonly docsUrl?: string;
}

/** The same fields, for options that are put together one by one. */
export type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

/** Returns the configuration unchanged, so that an editor checks and completes `conformance.config.ts`. */
export function defineConfig(configuration: Configuration): Configuration {
  return configuration;
}
