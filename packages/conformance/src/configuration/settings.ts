import { isSecretHeader, secretHeaderValues } from "../redaction/secret-headers.ts";
import type { PinnedReadings } from "../contract/readings.ts";
import type { Configuration } from "./configuration.ts";
import type { Setting } from "../report/report.ts";
import { redactAddress } from "../redaction/shown-address.ts";
import { settingRows, type SettingName } from "./settings-table.ts";

/** Default values of the settings. */
export const defaults = {
  apiKeyEnv: "CLOUD_BROWSER_API_KEY",
  profile: "free",
  maxRuns: 1,
  maxUnintendedRuns: 1,
  only: [],
  skip: [],
  readings: {},
  strict: false,
  seed: 1,
  concurrency: 1,
  maxRequests: 1000,
  out: "reports",
  report: ["html", "json", "junit", "markdown"],
} as const satisfies Configuration;

/** Settings together with their sources. */
export interface ResolvedSettings {
  /** Resolved values of the settings. */
  readonly values: Configuration & Omit<Required<Pick<Configuration, keyof typeof defaults>>, "$schema">;
  /** Each setting with its source, fit to be shown: no key, no secret. */
  readonly settings: readonly Setting[];
}

/**
 * Decides each setting: a flag goes before the environment, that before the file, and that before the default. Lists and
 * objects are not merged. An empty environment variable counts as none.
 *
 * @param ofTarget - Defaults that differ for the target. Default: none.
 */
export function resolveSettings(
  flags: Configuration,
  environment: Readonly<Record<string, string | undefined>>,
  file: Configuration,
  ofTarget: Configuration = {},
): ResolvedSettings {
  const fromEnvironment: Configuration = Object.fromEntries(
    settingRows.flatMap(([name, { environment: variable = "" }]) => {
      const value = environment[variable];
      return value ? [[name, value]] : [];
    }),
  );
  const layers: readonly (readonly [Setting["source"], Configuration])[] = [
    ["flag", flags],
    ["environment", fromEnvironment],
    ["file", file],
  ];
  const values = Object.assign({}, defaults, ofTarget, file, fromEnvironment, flags);
  const settings = settingRows.map(([name]): Setting => {
    const source = layers.find(([, layer]) => layer[name] !== undefined)?.[0] ?? "default";
    return { name, value: show(name, values, environment), source };
  });
  return { values, settings };
}

function show(name: SettingName, values: Configuration, environment: Readonly<Record<string, unknown>>): string {
  const { apiKeyEnv = "", headers = {}, lacks = {} } = values;
  if (values[name] === undefined) return "not set";
  if (name === "baseUrl" || name === "automationUrl" || name === "docsUrl") return redactAddress(values[name]);
  if (name === "apiKeyEnv")
    return `${renderVariable(apiKeyEnv, environment)} (${environment[apiKeyEnv] ? "holds a key" : "is not set"})`;
  if (name === "sessionCommand" || name === "endSessionCommand")
    return `${/^[\w./-]+(?=\s|$)/.exec(values[name])?.[0] ?? ""} … (the rest may hold secrets)`.trimStart();
  if (name === "headers") return renderHeaders(headers);
  if (name === "readings") return renderReadings(values.readings ?? {});
  if (name === "lacks") return Object.keys(lacks).join(", ") || "none";
  if (name === "only" || name === "skip" || name === "report") return values[name]?.join(", ") || "none";
  return String(values[name]);
}

/** Renders readings as `--reading` takes them. */
export function renderReadings(readings: PinnedReadings): string {
  const pairs = Object.entries(readings).map(([id, value]) => `${id}=${value}`);
  return pairs.join(", ") || "none";
}

/** Returns the name of an environment variable as it may be shown: it may be the key itself, by mistake. */
export function renderVariable(name: string, environment: Readonly<Record<string, unknown>>): string {
  return environment[name] !== undefined || /^[A-Z][A-Z_]*$/.test(name) ? name : "[redacted]";
}

function renderHeaders(headers: Readonly<Record<string, string>>): string {
  const secrets = new Set(secretHeaderValues(headers));
  const pairs = Object.entries(headers).map(([name, value]) => {
    return `${name}: ${isSecretHeader(name) || secrets.has(value) ? "[redacted]" : value}`;
  });
  return pairs.join(", ") || "none";
}
