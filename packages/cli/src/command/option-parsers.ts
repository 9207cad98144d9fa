import { InvalidArgumentError } from "commander";

/** Returns the parser of a whole number within a range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/u.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

/** Returns the parser of a time in seconds, within a range of seconds. */
export function seconds(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+(?:\.\d+)?$/u.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give seconds from ${min} to ${max}.`);
  };
}

/** Parses an amount of US dollars, which stays the text that it is. @throws {InvalidArgumentError} */
export function dollars(text: string): string {
  if (/^\d{1,9}(?:\.\d{1,9})?$/u.test(text)) return text;
  throw new InvalidArgumentError("Give US dollars from 0 to 999999999, such as 0.50.");
}

/** Returns the parser of a limit that there may also be none of. */
export function orNone<Value>(parse: (text: string) => Value): (text: string) => Value | "none" {
  return (text) => {
    if (text === "none") return text;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new InvalidArgumentError(error.message.replace(/\.$/u, ", or none."));
    }
  };
}

/** Splits a list at its commas. */
export function commaSeparated(text: string): readonly string[] {
  return text.split(",").map((entry) => entry.trim());
}

/** Adds `name=value` to the variables that were given before. @throws {InvalidArgumentError} */
export function variable(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^([\p{ID_Start}_]\p{ID_Continue}*)=(.*)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Give name=value, such as term=tea.");
  return { ...before, [name]: value };
}

/** A profile that a session or a run begins with. */
export interface GivenProfile {
  /** Its name. */
  readonly name: string;
  /** `write` when it is written back at the end. */
  readonly mode: "read" | "write";
}

/** Parses `NAME`, which is written back, or `NAME:read`. @throws {InvalidArgumentError} */
export function givenProfile(text: string): GivenProfile {
  const [, name, mode = "write"] = /^([^:]+)(?::(.*))?$/.exec(text) ?? [];
  if (name === undefined || (mode !== "read" && mode !== "write"))
    throw new InvalidArgumentError("Give the name of a profile, or NAME:read to write nothing back.");
  return { name, mode };
}

/** Parses a size such as `1280x720`. @throws {InvalidArgumentError} */
export function viewport(text: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (width === undefined || height === undefined)
    throw new InvalidArgumentError("Give width and height, such as 1280x720.");
  return { width: Number(width), height: Number(height) };
}
