import { InvalidArgumentError } from "commander";

/** Parses an integer above 0. @throws {InvalidArgumentError} */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("Give a whole number above 0.");
  return value;
}

/** Parses an integer from 0. @throws {InvalidArgumentError} */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < 0)
    throw new InvalidArgumentError("Give a whole number, 0 or more.");
  return value;
}

/** Parses a time in seconds above 0. @throws {InvalidArgumentError} */
export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Give a number of seconds above 0.");
  return value;
}

/** Parses a time in seconds, which may be 0. @throws {InvalidArgumentError} */
export function secondsOrNone(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0)) throw new InvalidArgumentError("Give a number of seconds, 0 or more.");
  return value;
}

/** Parses the value of a switch, which a flag may omit and an environment variable may not. @throws {InvalidArgumentError} */
export function trueOrFalse(text: string): boolean {
  if (["true", "yes", "1"].includes(text)) return true;
  if (["false", "no", "0"].includes(text)) return false;
  throw new InvalidArgumentError("Give true or false.");
}
