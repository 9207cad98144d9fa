import { ServiceError } from "./service-error.ts";

/** Range of a number of the settings, both ends included. */
export interface SettingRange {
  /** The smallest. */
  readonly min: number;
  /** The largest: more is a mistake, such as milliseconds that were given as seconds. */
  readonly max: number;
  /** Unit that it counts; undefined for things without one. */
  readonly unit?: "ms" | "bytes" | "usd";
}

const second = 1_000;
const day = 24 * 3_600 * second;

/** The ranges of the numbers in the options of the service. Flags, environment variables and files of settings have the same, from a second on. */
export const settingRanges = {
  port: { min: 0, max: 65_535 },
  keepAliveMs: { min: 1, max: 3_600 * second, unit: "ms" },
  drainMs: { min: 0, max: 7 * day, unit: "ms" },
  sessionsPerBrowser: { min: 1, max: 1_000 },
  "limits.count": { min: 1, max: 10_000 },
  "limits.idleMs": { min: 1, max: 7 * day, unit: "ms" },
  "limits.unusedMs": { min: 1, max: 7 * day, unit: "ms" },
  "limits.totalMs": { min: 1, max: 7 * day, unit: "ms" },
  "limits.recordingMs": { min: 1, max: 3_650 * day, unit: "ms" },
  "limits.memoryBytes": { min: 2 ** 26, max: 2 ** 40, unit: "bytes" },
  "limits.graceMs": { min: 0, max: day, unit: "ms" },
  "fileLimits.count": { min: 0, max: 100_000 },
  "fileLimits.fileBytes": { min: 1, max: 2 ** 40, unit: "bytes" },
  "fileLimits.totalBytes": { min: 1, max: 2 ** 43, unit: "bytes" },
  "profiles.count": { min: 0, max: 100_000 },
  "profiles.bytes": { min: 1, max: 2 ** 30, unit: "bytes" },
  "queue.count": { min: 0, max: 10_000 },
  // Connections on which nothing happens are closed after ten minutes.
  "queue.waitMs": { min: 0, max: 500 * second, unit: "ms" },
  "runLimits.count": { min: 1, max: 10_000 },
  "runLimits.timeMs": { min: 1, max: day, unit: "ms" },
  "runLimits.steps": { min: 1, max: 10_000 },
  "runLimits.askMs": { min: 0, max: day, unit: "ms" },
  "runLimits.budgetUsd": { min: 0, max: 1_000_000, unit: "usd" },
} as const satisfies Readonly<Record<string, SettingRange>>;

/** The name of an option that has a range. */
export type RangedSetting = keyof typeof settingRanges;

/**
 * Returns a number of the options when it is within its range.
 *
 * @throws {ServiceError} `usage`, with the value and the range.
 */
export function checkNumber(name: RangedSetting, value: number): number {
  const { min, max, unit }: SettingRange = settingRanges[name];
  const isWhole = unit !== undefined || Number.isInteger(value);
  if (isWhole && value >= min && value <= max) return value;
  const kind = unit === undefined ? "a whole number" : unit === "ms" ? "a time in milliseconds" : "a size in bytes";
  throw new ServiceError("usage", `\`${name}\` is ${value}; give ${kind} from ${min} to ${max}`);
}

/**
 * Returns an amount of US dollars of the options, a decimal with at most six places, when it is within its range.
 *
 * @throws {ServiceError} `usage`, with the value and the range.
 */
export function checkAmount(name: RangedSetting, value: string): string {
  const { min, max } = settingRanges[name];
  if (isAmount(value, settingRanges[name])) return value;
  throw new ServiceError("usage", `\`${name}\` is ${value}; give US dollars from ${min} to ${max}, such as "0.50"`);
}

/** Returns whether a text is a decimal with at most six places within a range. */
export function isAmount(text: string, { min, max }: SettingRange): boolean {
  return /^(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/u.test(text) && Number(text) >= min && Number(text) <= max;
}
