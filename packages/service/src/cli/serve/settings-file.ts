import { readFileSync } from "node:fs";
import { closest, distance } from "fastest-levenshtein";
import { Option, type Command } from "commander";
import { parseDocument } from "yaml";
import { describeServiceError, ServiceError } from "../../service-error.ts";

/** Most letters by which a misspelt name differs from the one that is suggested. */
const misspelt = 3;

/** The flag that names the file of settings. */
export function makeSettingsOption(): Option {
  return new Option(
    "--settings <file>",
    "YAML file with flags by their names (max-sessions: 5); the command line and the environment go before it",
  ).env("CLOUD_BROWSER_SETTINGS");
}

/** The flag that tries the settings. */
export function makeCheckOption(): Option {
  return new Option("--check", "check the settings and what they need, print the result and start nothing");
}

/**
 * Sets the flags of a command from its file of settings, where neither the command line nor the environment has set them.
 *
 * @throws {ServiceError} `usage`, naming the file, the line and the setting: it can't be read, is no flag, or has a wrong value.
 */
export function applySettings(command: Command): void {
  const file: unknown = command.getOptionValue("settings");
  if (typeof file !== "string") return;
  const options = new Map(command.options.flatMap((option) => (option.long ? [[option.name(), option]] : [])));
  for (const unusable of ["settings", "check"]) options.delete(unusable);
  for (const [name, value] of Object.entries(readSettings(file))) {
    const option = options.get(name);
    if (!option) {
      const near = closest(name, [...options.keys()]);
      const advice = distance(name, near) <= misspelt ? `; did you mean ${near}?` : "; see serve --help";
      throw new ServiceError("usage", `${file}: ${name} is no setting${advice}`);
    }
    const attribute = option.attributeName();
    const source = command.getOptionValueSource(attribute);
    if (source === "cli" || source === "env") continue;
    try {
      command.setOptionValueWithSource(attribute, parseValue(option, writeAsFlag(value)), "config");
    } catch (error) {
      throw new ServiceError("usage", `${file}: ${name}: ${describeServiceError(error)}`);
    }
  }
}

/** Reads the file: names with plain values. */
function readSettings(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new ServiceError("usage", `${file}: the settings can't be read (${describeServiceError(cause)})`, { cause });
  }
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault) throw new ServiceError("usage", `${file}: ${fault.message.split("\n", 1)[0]}`);
  const settings: unknown = document.toJS({ maxAliasCount: 10 }) ?? {};
  if (isPlain(settings)) return settings;
  throw new ServiceError(
    "usage",
    `${file}: give settings by the names of flags, one in a line, such as max-sessions: 5`,
  );
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes a value as the command line has it; a list with commas. */
function writeAsFlag(value: unknown): string {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
  const isWrong = parts.some((part) => !["string", "number", "boolean"].includes(typeof part));
  if (isWrong || texts.every((text) => text.trim() === ""))
    throw new Error("give a text, a number, true or false, or a list of these");
  return texts.join(",");
}

/** Parses a value as the command line does. */
function parseValue(option: Option, text: string): unknown {
  return option.parseArg ? option.parseArg(text, undefined) : text;
}
