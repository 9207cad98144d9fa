import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { parse as parseYaml, YAMLError } from "yaml";
import schema from "./configuration.schema.json" with { type: "json" };
import { mistakesIn, type PinnedReadings } from "../contract/readings.ts";
import { didYouMean } from "../contract/similar-names.ts";
import type { Profile } from "../http/profile.ts";
import { SuiteError } from "../http/suite-error.ts";
import type { Capability } from "../target/target.ts";

/** A report that a run can write. */
export type ReportFormat = (typeof reportFormats)[number];

/** Every format of report. */
export const reportFormats = ["html", "json", "junit", "markdown", "har", "ctrf", "sarif", "badge"] as const;

/**
 * What `conformance.config.*` may hold. Flags and the environment go before it, and the defaults come after it.
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
  /** What generated requests are made from. Default: 1. */
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

/** Names of the files that are looked for in the working directory. */
const fileNames: readonly string[] = ["ts", "mts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `conformance.config.${extension}`,
);

/** A configuration with the file that it was read from. */
export interface LoadedConfiguration {
  /** What the file holds; empty when there is none. */
  readonly configuration: Configuration;
  /** The file as it was named; undefined when there is none. */
  readonly file: string | undefined;
}

/**
 * Reads the configuration file that is named, or the one in the folder; none is no mistake. A TypeScript or JavaScript
 * file is executed.
 *
 * @param anew - Whether a module that has changed since it was read is read again. Default: it is not.
 * @throws {SuiteError} `usage`, with a sentence for each mistake in the file.
 */
export async function loadConfiguration(folder: string, named?: string, anew = false): Promise<LoadedConfiguration> {
  const file = named ?? onlyFileIn(folder);
  if (file === undefined) return { configuration: {}, file };
  const content = await contentOf(resolve(folder, file), file, anew);
  return { configuration: checkedConfiguration(content, file), file };
}

function onlyFileIn(folder: string): string | undefined {
  const [first, second] = fileNames.filter((name) => existsSync(join(folder, name)));
  if (second === undefined) return first;
  throw new SuiteError("usage", `there are ${first} and ${second}; keep one of them, or name one with --config`);
}

async function contentOf(path: string, file: string, anew: boolean): Promise<unknown> {
  const extension = extname(path).slice(1);
  if (!fileNames.includes(`conformance.config.${extension}`)) {
    throw new SuiteError(
      "usage",
      `${file} is no configuration: its name ends in none of .ts, .mts, .js, .mjs, .json, .yaml, .yml`,
    );
  }
  try {
    if (extension === "json") return JSON.parse(readFileSync(path, "utf8"));
    if (extension === "yaml" || extension === "yml") return parseYaml(readFileSync(path, "utf8")) ?? {};
    const version = anew ? `?version=${statSync(path).mtimeMs}` : "";
    const module: { default?: unknown } = await import(`${pathToFileURL(path).href}${version}`);
    return module.default;
  } catch (cause) {
    throw new SuiteError("usage", `${file} could not be read: ${whyUnread(cause)}`, { cause });
  }
}

/** Those who read JSON and YAML quote what stands at the place, and that may be a secret. */
function whyUnread(cause: unknown): string {
  if (cause instanceof YAMLError) return `line ${cause.linePos?.[0].line ?? 1} is no YAML (${cause.code})`;
  if (cause instanceof SyntaxError) return cause.message.replace(/(, )?(\.\.\.)?".*$/s, "");
  return cause instanceof Error ? cause.message : String(cause);
}

/** Names of all settings. */
export const settingNames: readonly string[] = Object.keys(schema.properties);

/**
 * Takes a value for a configuration, when it is one.
 *
 * @throws {SuiteError} `usage`, with a sentence for each mistake; `place` begins the message, and `nameOf` says how the person
 * knows a setting.
 */
export function checkedConfiguration(
  content: unknown,
  place: string,
  nameOf: (setting: string) => string = (setting) => `"${setting}"`,
): Configuration {
  validator ??= new Ajv2020({ allErrors: true, strict: false }).compile<Configuration>(schema);
  if (validator(content)) {
    refuseAuthorization(content, place);
    refuseUnknownReadings(content, place, nameOf);
    return content;
  }
  const mistakes = new Set((validator.errors ?? []).map((error) => mistakeOf(error, content, nameOf)));
  throw new SuiteError("usage", `${place}: ${[...mistakes].join("\n  ")}`);
}

/** Made when it is needed first. */
let validator: ValidateFunction<Configuration> | undefined;

function refuseAuthorization({ headers = {} }: Configuration, place: string): void {
  const name = Object.keys(headers).find((header) => /^authorization$/i.test(header));
  if (name === undefined) return;
  throw new SuiteError(
    "usage",
    `${place}: "headers" has ${name}; put the API key into an environment variable, and its name into "apiKeyEnv"`,
  );
}

function refuseUnknownReadings(
  { readings = {} }: Configuration,
  place: string,
  nameOf: (setting: string) => string,
): void {
  const mistakes = mistakesIn(readings, nameOf("readings"));
  if (mistakes.length > 0) throw new SuiteError("usage", `${place}: ${mistakes.join("\n  ")}`);
}

function mistakeOf(error: ErrorObject, content: unknown, nameOf: (setting: string) => string): string {
  const [, setting, ...rest] = error.instancePath.split("/");
  if (setting === undefined) return mistakeOfWhole(error);
  if (error.keyword === "propertyNames" || error.propertyName !== undefined) {
    const name = String(error.propertyName ?? error.params["propertyName"]);
    return `${nameOf(setting)} has ${JSON.stringify(name)}, which is no capability${didYouMean(name, capabilityNames)}`;
  }
  const title = titles.get(setting) ?? "another value";
  const value = [setting, ...rest].reduce<unknown>(memberOf, content);
  const shown = mayHoldSecrets.has(setting) ? "something else" : JSON.stringify(value)?.slice(0, 80);
  const near = typeof value === "string" && error.keyword === "enum" ? didYouMean(value, choicesOf(error)) : "";
  return `${nameOf(setting)} must be ${title}, and ${rest.length > 0 ? "holds" : "is"} ${shown}${near}`;
}

function mistakeOfWhole({ keyword, params }: ErrorObject): string {
  const unknown: unknown = params["additionalProperty"];
  if (keyword !== "additionalProperties" || typeof unknown !== "string") return "it must hold an object of settings";
  if (/^(api[-_]?key|key|token)$/i.test(unknown)) {
    return `"${unknown}": the API key has no place in a file; put it into an environment variable, and its name into "apiKeyEnv"`;
  }
  return `"${unknown}" is not a setting${didYouMean(unknown, settingNames)}`;
}

/** Settings of which no message quotes the value. */
const mayHoldSecrets: ReadonlySet<string> = new Set([
  "apiKeyEnv",
  "headers",
  "sessionCommand",
  "endSessionCommand",
  "baseUrl",
  "automationUrl",
]);

const titles = new Map(Object.entries(schema.properties).map(([name, { title }]) => [name, title]));
const capabilityNames: readonly string[] = schema.properties.lacks.propertyNames.enum;

function choicesOf({ params }: ErrorObject): string[] {
  const allowed: unknown = params["allowedValues"];
  return Array.isArray(allowed) ? allowed.map(String) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
