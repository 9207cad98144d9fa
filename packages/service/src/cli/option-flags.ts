import type { ServiceOptions } from "../service-options.ts";

/** Groups of options, which have no flag of their own. */
type Group = "cluster" | "limits" | "fileLimits" | "runLimits" | "queue" | "profiles" | "model";

type NameIn<Name extends Group> = `${Name}.${keyof NonNullable<ServiceOptions[Name]> & string}`;

/** Name of an option of the service as its errors have it. */
export type OptionName =
  | Exclude<keyof ServiceOptions, Group | "clock" | "log">
  | { readonly [Name in Group]: NameIn<Name> }[Group];

/** The flag or the environment variable that sets each option; null for what the command line does not set. */
export const optionFlags: Readonly<Record<OptionName, string | null>> = {
  host: "--host",
  port: "--port",
  publicUrl: "--public-url",
  automationWord: "--automation-word",
  serviceWord: "--service-word",
  keepAliveMs: "--keep-alive",
  allowedHosts: "--allowed-host",
  embedOrigins: "--embed-origins",
  docsUrl: "--docs-url",
  console: "--console",
  data: "--data",
  apiKey: "CLOUD_BROWSER_API_KEY",
  chromium: "--chromium",
  ffmpeg: "--ffmpeg",
  allow: "--allow",
  deny: "--deny",
  proxyDns: "--proxy-dns",
  sessionsPerBrowser: "--sessions-per-browser",
  drainMs: "--drain-s",
  bucket: "--bucket",
  "cluster.database": "--cluster",
  "cluster.nodeName": "--node-name",
  "cluster.nodeUrl": "--node-url",
  "cluster.leaseMs": null,
  "limits.count": "--max-sessions",
  "limits.idleMs": "--idle-limit",
  "limits.unusedMs": "--unused-limit",
  "limits.totalMs": "--total-limit",
  "limits.recordingMs": "--keep-recordings",
  "limits.memoryBytes": "--memory-limit",
  "limits.graceMs": "--control-grace",
  "fileLimits.count": "--max-files",
  "fileLimits.fileBytes": "--max-file-size",
  "fileLimits.totalBytes": "--max-files-size",
  "runLimits.count": "--max-runs",
  "runLimits.timeMs": "--run-limit",
  "runLimits.outlivesReader": "--runs-outlive-readers",
  "runLimits.askMs": "--run-ask-person",
  "runLimits.steps": "--run-steps",
  "runLimits.budgetUsd": "--run-budget",
  "queue.count": "--max-waiting",
  "queue.waitMs": "--max-wait-s",
  "profiles.keys": "CLOUD_BROWSER_PROFILE_KEY",
  "profiles.count": "--max-profiles",
  "profiles.bytes": "--max-profile-size",
  "model.baseUrl": "--model-url",
  "model.apiKey": "CLOUD_BROWSER_MODEL_KEY",
  "model.name": "--model",
  "model.prices": "--model-prices",
  "model.answerFormat": null,
  "model.limits": null,
};

const flags = new Map<string, string | null>(Object.entries(optionFlags));

/** Returns a text of the service with flags in place of the options that it names: `` `limits.count` `` is `--max-sessions`. */
export function nameFlags(text: string): string {
  return text.replaceAll(/`([\w.]+)`/gu, (quoted, name: string) => flags.get(name) ?? quoted);
}
