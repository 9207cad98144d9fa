import { InvalidArgumentError } from "commander";
import { isAmount, type SettingRange } from "../setting-ranges.ts";

/** Reads the text of a flag, of its variable or of its setting. @throws {InvalidArgumentError} that says what is right. */
export type Parser<Value> = (text: string) => Value;

/** Returns the parser of a number within a range, in the unit of its flag: seconds, MiB or US dollars; its value has that of the range. */
export function parseInRange(range: SettingRange): Parser<number | string> {
  if (range.unit === "ms") return parseSeconds(range);
  if (range.unit === "bytes") return parseMiB(range);
  return range.unit === "usd" ? parseDollars(range) : parseWholeNumber(range);
}

/** Returns the parser of a whole number within a range. */
export function parseWholeNumber({ min, max }: SettingRange): Parser<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/u.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

/** Units that are said beside seconds, in seconds, the longest first. */
const longer = [
  [86_400, "day"],
  [3_600, "hour"],
] as const;

/** Returns the parser of a time in seconds, whose value is in milliseconds. @param range - In milliseconds; less than a second is 0 or nothing. */
export function parseSeconds({ min, max }: SettingRange): Parser<number> {
  const [least, most] = [min === 0 ? 0 : Math.max(1, min / 1_000), max / 1_000];
  const [size, name] = longer.find(([length]) => most % length === 0) ?? [1, undefined];
  const count = most / size;
  const same = name === undefined ? "" : ` (${count} ${name}${count === 1 ? "" : "s"})`;
  return (text) => {
    const value = Number(text);
    if (/^\d+(?:\.\d+)?$/u.test(text) && value >= least && value <= most) return value * 1_000;
    throw new InvalidArgumentError(`Give seconds from ${least} to ${most}${same}.`);
  };
}

/** Returns the parser of a size in MiB, from 1 on, whose value is in bytes. @param range - In bytes. */
function parseMiB({ min, max }: SettingRange): Parser<number> {
  const parse = parseWholeNumber({ min: Math.max(1, min / 2 ** 20), max: max / 2 ** 20 });
  return (text) => parse(text) * 2 ** 20;
}

/** Returns the parser of an amount of US dollars, which stays the text that it is. */
function parseDollars(range: SettingRange): Parser<string> {
  return (text) => {
    if (isAmount(text, range)) return text;
    throw new InvalidArgumentError(`Give US dollars from ${range.min} to ${range.max}, such as 0.50.`);
  };
}

/** Parses the value of a switch, which a flag may omit and an environment variable may not. @throws {InvalidArgumentError} */
export function parseSwitch(text: string): boolean {
  if (["true", "yes", "1"].includes(text)) return true;
  if (["false", "no", "0"].includes(text)) return false;
  throw new InvalidArgumentError("Give true or false.");
}

/** Splits a list at its commas; the flag may be repeated. */
export function splitList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((entry) => entry.trim())].filter((entry) => entry !== "");
}
