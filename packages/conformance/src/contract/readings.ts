import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { Level } from "./requirements.ts";
import { didYouMean } from "./similar-names.ts";

/** One way to understand a sentence. */
export interface ReadingValue {
  /** Its name. */
  readonly value: string;
  /** The sentence that holds with this value. */
  readonly text: string;
  /** Ids of the checks that decide with this value, and with every stricter one. With a more tolerant one they only warn. */
  readonly checks: readonly string[];
}

/** A stated sentence that can be understood in two ways or more. */
export interface Reading {
  /** Stable name. */
  readonly id: string;
  /** Ids of the requirements whose sentence it is about. */
  readonly requirements: readonly string[];
  /** The sentence of the interface, and what it leaves open. */
  readonly sentence: string;
  /** Value that is used unless another one is pinned. */
  readonly default: string;
  /** From the most tolerant one to the strictest. */
  readonly values: readonly ReadingValue[];
}

/** Chosen values of readings, by the ids of the readings. */
export type PinnedReadings = Readonly<Record<string, string>>;

/** Cache: a process may make several runs. */
let cache: readonly Reading[] | undefined;

/** Loads the readings that come with the contract; a test checks their form. */
export function loadReadings(): readonly Reading[] {
  cache ??= readReadings();
  return cache;
}

function readReadings(): readonly Reading[] {
  const file = fileURLToPath(import.meta.resolve("@cloud-browser/spec/readings.yaml"));
  const { readings }: { readonly readings: readonly Reading[] } = parse(readFileSync(file, "utf8"));
  return readings;
}

/**
 * Returns the mistakes in pinned readings, as sentences.
 *
 * @param setting - Name by which the user knows the setting.
 */
export function listMistakes(pinned: PinnedReadings, setting: string): string[] {
  return Object.entries(pinned).flatMap(([id, value]) => {
    const readings = loadReadings();
    const reading = readings.find((one) => one.id === id);
    if (!reading) {
      const near = didYouMean(id, new Set(readings.map((one) => one.id)));
      return `${setting}: unknown reading ${quote(id)}${near || `; use one of ${list(readings, "id")}`}`;
    }
    if (reading.values.some((one) => one.value === value)) return [];
    return `${setting}: ${quote(value)} is not a value of ${id}; use one of ${list(reading.values, "value")}`;
  });
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 80));

function list<Name extends string>(rows: readonly Readonly<Record<Name, string>>[], name: Name): string {
  return rows.map((row) => row[name]).join(", ");
}

/** A reading with the value that a run uses. */
export interface ChosenReading {
  /** The reading. */
  readonly reading: Reading;
  /** The value. */
  readonly value: ReadingValue;
  /** Origin of the value: pinned, the strictest (`--strict`), or the default. */
  readonly by: "pinned" | "strict" | "default";
}

/** Chooses the value of each reading: the pinned one, else the strictest or the default. */
export function chooseReadings(pinned: PinnedReadings, strict: boolean): readonly ChosenReading[] {
  return loadReadings().map((reading) => {
    const by = Object.hasOwn(pinned, reading.id) ? "pinned" : strict ? "strict" : "default";
    const valueName = by === "pinned" ? pinned[reading.id] : reading.default;
    const value = by === "strict" ? reading.values.at(-1) : reading.values.find((one) => one.value === valueName);
    if (!value) throw new Error(`the reading ${reading.id} has no value ${valueName}`);
    return { reading, value, by };
  });
}

/** Returns the level of each check of a reading, by the id of the check, in a run that uses that value. */
export function levelsWith({ values }: Reading, choice: ReadingValue): ReadonlyMap<string, Level> {
  const last = values.indexOf(choice);
  return new Map(
    values.flatMap(({ checks }, at) =>
      checks.map((check): [string, Level] => [check, at <= last ? "stated" : "assumed"]),
    ),
  );
}

/** Returns checks, or results of checks, with other levels; one without a new level keeps its own. */
export function withLevels<Leveled extends { readonly id: string; readonly level: Level }>(
  rows: readonly Leveled[],
  levels: ReadonlyMap<string, Level>,
): readonly Leveled[] {
  return rows.map((row) => {
    const level = levels.get(row.id) ?? row.level;
    return level === row.level ? row : Object.assign({}, row, { level });
  });
}
