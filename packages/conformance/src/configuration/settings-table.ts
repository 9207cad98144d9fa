import { capabilities } from "../target/target.ts";
import { reportFormats, type Configuration } from "./configuration.ts";
import { atLeast, patterns, text, word, type SettingRow } from "./setting-row.ts";

/**
 * The settings, in the order in which they are shown. Flags, environment, the schema of the file, the help and the table of the
 * documentation are made from it.
 */
// prettier-ignore
export const settingsTable: Readonly<Record<Exclude<keyof Configuration, "$schema">, SettingRow>> = {
  baseUrl: { group: "Target:", flag: "--base-url <url>", environment: "CLOUD_BROWSER_BASE_URL", ...text,
    text: "address of the session-scoped operations", otherwise: "the embedded mock" },
  automationUrl: { group: "Target:", flag: "--automation-url <url>", environment: "CLOUD_BROWSER_AUTOMATION_URL", ...text,
    text: "address of the automation operation, with or without /api/<word>/start", otherwise: "the base URL" },
  automationWord: { group: "Target:", flag: "--automation-word <word>", environment: "CLOUD_BROWSER_AUTOMATION_WORD", ...word,
    text: "the service's own word in the path of the automation, /api/<word>/start",
    otherwise: "automation, or that of the automation URL" },
  serviceWord: { group: "Target:", flag: "--service-word <word>", environment: "CLOUD_BROWSER_SERVICE_WORD", ...word,
    text: "the service's own word in the names of two headers, such as x-<word>-sdk-version", otherwise: "service" },
  apiKeyEnv: { group: "Target:", flag: "--api-key-env <name>",
    text: "environment variable that holds the API key", otherwise: "CLOUD_BROWSER_API_KEY",
    more: "The key itself must not be in the file.",
    must: "the name of an environment variable", schema: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } },
  sessionId: { group: "Target:", flag: "--session-id <id>", environment: "CLOUD_BROWSER_SESSION_ID", ...text,
    text: "an open session, for scrape and cookies", otherwise: "one that --session-command opens" },
  endedSessionId: { group: "Target:", flag: "--ended-session-id <id>", environment: "CLOUD_BROWSER_ENDED_SESSION_ID", ...text,
    text: "an ended session that has a recording, for the replay", otherwise: "the open session, if it has one" },
  sessionCommand: { group: "Target:", flag: "--session-command <command>",
    text: "command that opens a session on the page {url} and prints its id",
    must: "a command with {url} in it", schema: { type: "string", pattern: "\\{url\\}" } },
  endSessionCommand: { group: "Target:", flag: "--end-session-command <command>",
    text: "command that ends the session {id}, opened by --session-command",
    must: "a command", schema: { type: "string", minLength: 1 } },
  siteHost: { group: "Target:", flag: "--site-host <host>",
    text: "host at which the target's browser reaches the suite's own pages", otherwise: "127.0.0.1, and a free port",
    must: "a host, with or without :port", schema: { type: "string", minLength: 1 } },
  headers: { group: "Target:", flag: "--header <name: value>", reads: "header",
    text: "header to add to every request; repeatable", more: "Authorization is refused: it is made from the API key.",
    must: "an object of strings", schema: { type: "object", additionalProperties: { type: "string" } } },
  lacks: { group: "Target:", text: "capabilities that the target is known to lack, each with a reason for the report",
    must: "an object of capabilities with reasons",
    schema: { type: "object", propertyNames: { enum: capabilities }, additionalProperties: { type: "string", minLength: 1 } } },
  query: { group: "Target:", flag: "--query <text>", ...text,
    text: "task of the automation runs", otherwise: "one that needs no page" },
  profile: { group: "Requests:", flag: "--profile <name>",
    text: "free: no billed run; read-only: GET only; full: billed runs, too", otherwise: "free",
    must: "one of free, read-only, full", schema: { enum: ["free", "read-only", "full"] } },
  maxRuns: { group: "Requests:", flag: "--max-runs <n>", ...atLeast(0),
    text: "billed automation runs that the profile full may start", otherwise: "1" },
  maxUnintendedRuns: { group: "Requests:", flag: "--max-unintended-runs <n>", ...atLeast(0),
    text: "billed runs that requests which must be refused may start, before no more of these are sent", otherwise: "1" },
  maxCostUsd: { group: "Requests:", flag: "--max-cost-usd <amount>", reads: "number",
    text: "cost limit of all automation runs, in US dollars: none is started once it is reached", otherwise: "no limit",
    must: "a number of at least 0", schema: { type: "number", minimum: 0 } },
  only: { group: "Requests:", flag: "--only <patterns>", ...patterns,
    text: "checks to judge: globs of ids, operation:NAME, level:NAME; repeatable", otherwise: "all" },
  skip: { group: "Requests:", flag: "--skip <patterns>", ...patterns,
    text: "checks to leave out, likewise; repeatable", otherwise: "none" },
  readings: { group: "Requests:", flag: "--reading <id=value>", reads: "reading",
    text: "reading of an ambiguous sentence of the interface; repeatable", otherwise: "the most tolerant one of each",
    must: "an object of readings with their values", schema: { type: "object", additionalProperties: { type: "string", minLength: 1 } } },
  strict: { group: "Requests:", flag: "--strict", reads: "switch",
    text: "take the strictest reading of all other sentences, and let assumed checks decide the verdict, too", otherwise: "off",
    must: "true or false", schema: { type: "boolean" } },
  seed: { group: "Requests:", flag: "--seed <n>", reads: "number",
    text: "seed of the generated requests: the same seed gives the same requests", otherwise: "1",
    must: "an integer from 0 to 4294967295", schema: { type: "integer", minimum: 0, maximum: 4_294_967_295 } },
  concurrency: { group: "Requests:", flag: "--concurrency <n>", reads: "number",
    text: "limit of concurrent requests; automation runs are sent one at a time", otherwise: "1",
    must: "an integer from 1 to 64", schema: { type: "integer", minimum: 1, maximum: 64 } },
  rate: { group: "Requests:", flag: "--rate <n>", reads: "number",
    text: "limit of requests per second", otherwise: "no limit",
    must: "a number above 0", schema: { type: "number", exclusiveMinimum: 0 } },
  timeout: { group: "Requests:", flag: "--timeout <seconds>", reads: "number",
    text: "timeout of each response, and of each stream", otherwise: "120, and 900 for streams",
    must: "seconds, above 0 and at most 86400", schema: { type: "number", exclusiveMinimum: 0, maximum: 86_400 } },
  replayWait: { group: "Requests:", flag: "--replay-wait <seconds>", reads: "number",
    text: "longest wait until the recording of an ended session can be read; 0: it is asked for once", otherwise: "60",
    must: "seconds, 0 to 86400", schema: { type: "number", minimum: 0, maximum: 86_400 } },
  maxRequests: { group: "Requests:", flag: "--max-requests <n>", ...atLeast(1),
    text: "limit of requests: when there are more, those that show most are sent, and the rest is skipped", otherwise: "1000" },
  out: { group: "Reports:", flag: "--out <dir>",
    text: "folder of the reports", otherwise: "reports",
    must: "the name of a folder", schema: { type: "string", minLength: 1 } },
  report: { group: "Reports:", flag: "--report <formats>", reads: "list",
    text: `report formats: ${reportFormats.join(", ")}`, otherwise: "the first four",
    must: `a list of ${reportFormats.join(", ")}`, schema: { type: "array", items: { enum: reportFormats } } },
  expectedFailures: { group: "Reports:", flag: "--expected-failures <file>",
    text: "known failures, which do not decide the verdict until they expire", otherwise: "none",
    must: "the name of a file", schema: { type: "string", minLength: 1 } },
  docsUrl: { group: "Reports:", flag: "--docs-url <url>", environment: "CLOUD_BROWSER_DOCS_URL",
    text: "address of the documentation site; reports then link each failed check to its page there", otherwise: "no links",
    must: "an http or https address without credentials, query and fragment",
    schema: { type: "string", pattern: String.raw`^https?://[^\s?#@\\]+$` } },
};

/** A setting by its name. */
export type SettingName = keyof typeof settingsTable;

/** The rows with their names, in their order. */
export const settingRows: readonly (readonly [SettingName, SettingRow])[] = Object.entries(settingsTable).flatMap(
  ([name, row]) => (isSettingName(name) ? [[name, row] as const] : []),
);

/** Returns whether a word is the name of a setting. */
function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name);
}
