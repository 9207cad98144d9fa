import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { parse as parseYaml, YAMLError } from "yaml";
import { listMistakes } from "../contract/readings.ts";
import { didYouMean } from "../contract/similar-names.ts";
import { formatMessage, SuiteError } from "../http/suite-error.ts";
import { capabilities } from "../target/target.ts";
import type { Configuration } from "./configuration.ts";
import { configurationSchema } from "./configuration-schema.ts";
import { settingRows } from "./settings-table.ts";

/** Names of the files that are looked for in the working directory. */
const fileNames: readonly string[] = ["ts", "mts", "js", "mjs", "json", "yaml", "yml"].map(
  (extension) => `conformance.config.${extension}`,
);

/** A configuration with the file that it was read from. */
export interface LoadedConfiguration {
  /** Content of the file; empty when there is none. */
  readonly configuration: Configuration;
  /** The file as it was named; undefined when there is none. */
  readonly file: string | undefined;
}

/**
 * Reads the configuration file that is named, or the one in the folder; a missing one is not a mistake. A TypeScript or JavaScript file is
 * executed.
 *
 * @param anew - True to read a module again that has changed since it was read. Default: false.
 * @throws {SuiteError} `usage`, with a sentence for each mistake in the file.
 */
export async function loadConfiguration(folder: string, name?: string, anew = false): Promise<LoadedConfiguration> {
  const file = name ?? onlyFileIn(folder);
  if (file === undefined) return { configuration: {}, file };
  const content = await readContent(resolve(folder, file), file, anew);
  return { configuration: checkConfiguration(content, file), file };
}

function onlyFileIn(folder: string): string | undefined {
  const [first, second] = fileNames.filter((name) => existsSync(join(folder, name)));
  if (second === undefined) return first;
  throw new SuiteError("usage", `there are ${first} and ${second}; keep one of them, or name one (\`config\`)`);
}

async function readContent(path: string, file: string, anew: boolean): Promise<unknown> {
  const extension = extname(path).slice(1);
  if (!fileNames.includes(`conformance.config.${extension}`)) {
    throw new SuiteError(
      "usage",
      `unsupported configuration file ${file}; use one with the extension .ts, .mts, .js, .mjs, .json, .yaml or .yml`,
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

/** Returns the reason why a file could not be read. The parsers of JSON and YAML quote the text at the place, which may be a secret. */
function whyUnread(cause: unknown): string {
  if (cause instanceof YAMLError) return `line ${cause.linePos?.[0].line ?? 1} is not YAML (${cause.code})`;
  if (cause instanceof SyntaxError) return cause.message.replace(/(, )?(\.\.\.)?".*$/s, "");
  return formatMessage(cause);
}

/** Names of all settings. */
export const settingNames: readonly string[] = ["$schema", ...settingRows.map(([name]) => name)];

/**
 * Checks that a value is a configuration, and returns it.
 *
 * @throws {SuiteError} `usage`, with a sentence for each mistake; `place` begins the message, and `nameSetting` returns the name by which the user knows a
 *   setting.
 */
export function checkConfiguration(
  content: unknown,
  place: string,
  nameSetting: (setting: string) => string = (setting) => `"${setting}"`,
): Configuration {
  validator ??= new Ajv2020({ allErrors: true, strict: false, validateSchema: false }).compile<Configuration>(
    configurationSchema(),
  );
  if (validator(content)) {
    refuseAuthorization(content, place);
    refuseUnknownReadings(content, place, nameSetting);
    return content;
  }
  const mistakes = new Set((validator.errors ?? []).map((error) => describeMistake(error, content, nameSetting)));
  throw new SuiteError("usage", `${place}: ${[...mistakes].join("\n  ")}`);
}

/** Validator, compiled when it is first needed. */
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
  nameSetting: (setting: string) => string,
): void {
  const mistakes = listMistakes(readings, nameSetting("readings"));
  if (mistakes.length > 0) throw new SuiteError("usage", `${place}: ${mistakes.join("\n  ")}`);
}

function describeMistake(error: ErrorObject, content: unknown, nameSetting: (setting: string) => string): string {
  const [, setting, ...rest] = error.instancePath.split("/");
  if (setting === undefined) return describeWhole(error);
  if (error.keyword === "propertyNames" || error.propertyName !== undefined) {
    const name = String(error.propertyName ?? error.params["propertyName"]);
    return `${nameSetting(setting)} has the unknown capability ${JSON.stringify(name)}${didYouMean(name, capabilities)}`;
  }
  const title = titles.get(setting) ?? "another value";
  const value = [setting, ...rest].reduce<unknown>(readMember, content);
  const quote = mayHoldSecrets.has(setting) ? "something else" : JSON.stringify(value)?.slice(0, 80);
  const near = typeof value === "string" && error.keyword === "enum" ? didYouMean(value, listChoices(error)) : "";
  return `${nameSetting(setting)} must be ${title}, and ${rest.length > 0 ? "holds" : "is"} ${quote}${near}`;
}

function describeWhole({ keyword, params }: ErrorObject): string {
  const unknown: unknown = params["additionalProperty"];
  if (keyword !== "additionalProperties" || typeof unknown !== "string") return "it must hold an object of settings";
  if (/^(api[-_]?key|key|token)$/i.test(unknown)) {
    return `"${unknown}": the API key must not be in a file; put it into an environment variable, and its name into "apiKeyEnv"`;
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
  "docsUrl",
]);

const titles = new Map<string, string>(settingRows.map(([name, { must }]) => [name, must]));

function listChoices({ params }: ErrorObject): string[] {
  const allowed: unknown = params["allowedValues"];
  return Array.isArray(allowed) ? allowed.map(String) : [];
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
