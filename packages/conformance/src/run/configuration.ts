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
  /** Address of the automation operation. Default: `baseUrl`. */
  readonly automationUrl?: string;
  /** Environment variable that holds the API key. Default: `CLOUD_BROWSER_API_KEY`. */
  readonly apiKeyEnv?: string;
  /** An open session, for scrape and cookies. */
  readonly sessionId?: string;
  /** An ended session that has a recording, for the replay. */
  readonly endedSessionId?: string;
  /** Command that opens a page and prints the id of its session; `{url}` stands for the page. */
  readonly sessionCommand?: string;
  /** Command that ends a session; `{id}` stands for its id. */
  readonly endSessionCommand?: string;
  /** Name or address by which the browser reaches the suite's own site. Default: `127.0.0.1`. */
  readonly siteHost?: string;
  /** Headers of every request, beyond the usual ones. `Authorization` is refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Capabilities that the target is known to lack, each with the reason that the report gives. */
  readonly lacks?: Partial<Readonly<Record<Capability, string>>>;
  /** Task of the automation runs. Default: one that needs no page. */
  readonly query?: string;
  /** Which requests may be sent. Default: `free`. */
  readonly profile?: Profile;
  /** Most billed automation runs that the profile `full` may start. Default: 1. */
  readonly maxRuns?: number;
  /** Billed runs by requests that have to be refused, after which no further such request is sent. Default: 1. */
  readonly maxUnintendedRuns?: number;
  /** No further run starts once the runs have cost this much, in US dollars. Default: no limit. */
  readonly maxCostUsd?: number;
  /** Patterns of the checks that are judged. Default: all. */
  readonly only?: readonly string[];
  /** Patterns of the checks that are left out. Default: none. */
  readonly skip?: readonly string[];
  /** Values of readings, by their ids. Default: the most tolerant one of each. */
  readonly readings?: PinnedReadings;
  /** True when the strictest value of every other reading is taken, and every check decides. Default: false. */
  readonly strict?: boolean;
  /** Seed of generated requests. Default: 1. */
  readonly seed?: number;
  /** Requests under way at the same time. Default: 1. */
  readonly concurrency?: number;
  /** Most requests per second. Default: no limit. */
  readonly rate?: number;
  /** Limit for each answer and each stream, in seconds. Default: 120, and 900 for streams. */
  readonly timeout?: number;
  /** Most requests that a run may send. Default: 1000. */
  readonly maxRequests?: number;
  /** Folder for the reports. Default: `reports`. */
  readonly out?: string;
  /** Reports that are written. Default: `html`, `json`, `junit` and `markdown`. */
  readonly report?: readonly ReportFormat[];
  /** File of the failures that are known. Default: none. */
  readonly expectedFailures?: string;
}

/** Gives back what it is given; it lets an editor check and complete `conformance.config.ts`. */
export function defineConfig(configuration: Configuration): Configuration {
  return configuration;
}
