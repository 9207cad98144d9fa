import { capabilities } from "../target/target.ts";
import { reportFormats, type Configuration } from "./configuration.ts";

/** How the text of a flag is read: as it stands, or as something else. */
export type FlagReader = "text" | "number" | "list" | "switch" | "header" | "reading";

/** A group of flags in the help. */
export type FlagGroup = "Target:" | "What is sent:" | "What comes out:";

/** Everything that is said of one setting, wherever it can be given. */
export interface SettingRow {
  /** Group of its flag in the help. */
  readonly group: FlagGroup;
  /** The flag with its argument; undefined for a setting that has none. */
  readonly flag?: string;
  /** How the argument is read. Default: as text. */
  readonly reads?: FlagReader;
  /** Environment variable that gives it, too. */
  readonly environment?: string;
  /** Says what it is, without a full stop. */
  readonly text: string;
  /** Says more for those who write a file: whole sentences. */
  readonly more?: string;
  /** Says what holds without it. */
  readonly otherwise?: string;
  /** Completes the sentence "it must be …". */
  readonly must: string;
  /** JSON Schema of its value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = { must: "a text", schema: { type: "string", minLength: 1 } };
const atLeast = (minimum: number): Pick<SettingRow, "must" | "schema" | "reads"> => ({
  must: `a whole number from ${minimum} on`,
  reads: "number",
  schema: { type: "integer", minimum },
});
const patterns: Pick<SettingRow, "must" | "schema" | "reads"> = {
  must: "a list of patterns",
  reads: "list",
  schema: { type: "array", items: { type: "string", minLength: 1 } },
};

/**
 * The settings, in the order in which they are shown. Flags, environment, the schema of the file, the help and the table of the
 * README are made from it.
 */
export const settingsTable: Readonly<Record<Exclude<keyof Configuration, "$schema">, SettingRow>> = {
  baseUrl: {
    ...text,
    group: "Target:",
    flag: "--base-url <url>",
    environment: "CLOUD_BROWSER_BASE_URL",
    text: "address of the session-scoped operations",
    otherwise: "the embedded mock",
  },
  automationUrl: {
    ...text,
    group: "Target:",
    flag: "--automation-url <url>",
    environment: "CLOUD_BROWSER_AUTOMATION_URL",
    text: "address of the automation operation",
    otherwise: "the base URL",
  },
  apiKeyEnv: {
    group: "Target:",
    flag: "--api-key-env <name>",
    text: "environment variable that holds the API key",
    more: "The key itself has no place here.",
    otherwise: "CLOUD_BROWSER_API_KEY",
    must: "the name of an environment variable",
    schema: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
  },
  sessionId: {
    ...text,
    group: "Target:",
    flag: "--session-id <id>",
    environment: "CLOUD_BROWSER_SESSION_ID",
    text: "an open session, for scrape and cookies",
    otherwise: "none; a live target needs one",
  },
  endedSessionId: {
    ...text,
    group: "Target:",
    flag: "--ended-session-id <id>",
    environment: "CLOUD_BROWSER_ENDED_SESSION_ID",
    text: "an ended session that has a recording, for the replay",
    otherwise: "the open session, if it has one",
  },
  sessionCommand: {
    group: "Target:",
    flag: "--session-command <command>",
    text: "opens the page {url} and prints the id of its session",
    must: "a command with {url} in it",
    schema: { type: "string", pattern: "\\{url\\}" },
  },
  endSessionCommand: {
    group: "Target:",
    flag: "--end-session-command <command>",
    text: "ends the session {id} that the session command has opened",
    must: "a command",
    schema: { type: "string", minLength: 1 },
  },
  siteHost: {
    group: "Target:",
    flag: "--site-host <host>",
    text: "how the target's browser reaches the suite's own pages",
    otherwise: "127.0.0.1, and a free port",
    must: "a host, with or without :port",
    schema: { type: "string", minLength: 1 },
  },
  headers: {
    group: "Target:",
    flag: "--header <name: value>",
    reads: "header",
    text: "header of every request; repeatable",
    more: "Authorization is refused: the key has its own place.",
    must: "an object of texts",
    schema: { type: "object", additionalProperties: { type: "string" } },
  },
  lacks: {
    group: "Target:",
    text: "capabilities that the target is known to lack, each with the reason that the report gives",
    must: "an object of capabilities with reasons",
    schema: {
      type: "object",
      propertyNames: { enum: capabilities },
      additionalProperties: { type: "string", minLength: 1 },
    },
  },
  query: {
    ...text,
    group: "Target:",
    flag: "--query <text>",
    text: "task of the automation runs",
    otherwise: "one that needs no page",
  },
  profile: {
    group: "What is sent:",
    flag: "--profile <name>",
    text: "free: no billed run; read-only: GET only; full: billed runs, too",
    otherwise: "free",
    must: "one of free, read-only, full",
    schema: { enum: ["free", "read-only", "full"] },
  },
  maxRuns: {
    ...atLeast(0),
    group: "What is sent:",
    flag: "--max-runs <n>",
    text: "billed automation runs that the profile full may start",
    otherwise: "1",
  },
  maxUnintendedRuns: {
    ...atLeast(0),
    group: "What is sent:",
    flag: "--max-unintended-runs <n>",
    text: "billed runs by requests that must be refused, after which no more of them are sent",
    otherwise: "1",
  },
  maxCostUsd: {
    group: "What is sent:",
    flag: "--max-cost-usd <amount>",
    reads: "number",
    text: "start no further run once the runs have cost this much",
    otherwise: "no limit",
    must: "a number from 0 on",
    schema: { type: "number", minimum: 0 },
  },
  only: {
    ...patterns,
    group: "What is sent:",
    flag: "--only <patterns>",
    text: "judge only these checks: globs of ids, operation:NAME, level:NAME; repeatable",
    otherwise: "all",
  },
  skip: {
    ...patterns,
    group: "What is sent:",
    flag: "--skip <patterns>",
    text: "leave these checks out; repeatable",
    otherwise: "none",
  },
  readings: {
    group: "What is sent:",
    flag: "--reading <id=value>",
    reads: "reading",
    text: "how a sentence is understood that is open to readings; repeatable",
    otherwise: "the most tolerant value of each",
    must: "an object of readings with their values",
    schema: { type: "object", additionalProperties: { type: "string", minLength: 1 } },
  },
  strict: {
    group: "What is sent:",
    flag: "--strict",
    reads: "switch",
    text: "the strictest value of every other reading, and every check decides",
    otherwise: "off",
    must: "true or false",
    schema: { type: "boolean" },
  },
  seed: {
    group: "What is sent:",
    flag: "--seed <n>",
    reads: "number",
    text: "what generated requests are made from: the same seed makes the same ones",
    otherwise: "1",
    must: "a whole number from 0 to 4294967295",
    schema: { type: "integer", minimum: 0, maximum: 4_294_967_295 },
  },
  concurrency: {
    group: "What is sent:",
    flag: "--concurrency <n>",
    reads: "number",
    text: "requests at the same time; automation runs are never more than one",
    otherwise: "1",
    must: "a whole number from 1 to 64",
    schema: { type: "integer", minimum: 1, maximum: 64 },
  },
  rate: {
    group: "What is sent:",
    flag: "--rate <n>",
    reads: "number",
    text: "most requests per second",
    otherwise: "no limit",
    must: "a number more than 0",
    schema: { type: "number", exclusiveMinimum: 0 },
  },
  timeout: {
    group: "What is sent:",
    flag: "--timeout <seconds>",
    reads: "number",
    text: "limit for each answer and each stream",
    otherwise: "120, and 900 for streams",
    must: "seconds, more than 0 and at most 86400",
    schema: { type: "number", exclusiveMinimum: 0, maximum: 86_400 },
  },
  maxRequests: {
    ...atLeast(1),
    group: "What is sent:",
    flag: "--max-requests <n>",
    text: "do not begin a run of more requests",
    otherwise: "1000",
  },
  out: {
    group: "What comes out:",
    flag: "--out <dir>",
    text: "where the reports go",
    otherwise: "reports",
    must: "the name of a folder",
    schema: { type: "string", minLength: 1 },
  },
  report: {
    group: "What comes out:",
    flag: "--report <formats>",
    reads: "list",
    text: `reports that are written: ${reportFormats.join(", ")}`,
    otherwise: "the first four",
    must: `a list of ${reportFormats.join(", ")}`,
    schema: { type: "array", items: { enum: reportFormats } },
  },
  expectedFailures: {
    group: "What comes out:",
    flag: "--expected-failures <file>",
    text: "known failures, which do not decide the verdict until they expire",
    otherwise: "none",
    must: "the name of a file",
    schema: { type: "string", minLength: 1 },
  },
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

/** JSON Schema of the configuration file, as it is published for editors. */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  const properties = settingRows.map(([name, { text: what, more, otherwise, must, schema }]) => {
    const sentences = [`${what.charAt(0).toUpperCase()}${what.slice(1)}.`, more, otherwise && `Default: ${otherwise}.`];
    return [name, { title: must, description: sentences.filter(Boolean).join(" "), ...schema }];
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of the conformance suite",
    description:
      "Settings that conformance.config.{ts,mts,js,mjs,json,yaml,yml} may hold. The title of each says what its value must be.",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { title: "a text", description: "Address of this schema, for editors.", type: "string" },
      ...Object.fromEntries(properties),
    },
  };
}
