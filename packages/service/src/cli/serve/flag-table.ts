import type { Option } from "commander";
import type { OptionName } from "../option-name.ts";
import { parseSwitch, splitList, type Parser } from "../option-parsers.ts";
import { makeDataOption } from "./data-flag.ts";
import { parsePrices } from "./model-flags.ts";
import { makeCheckOption, makeSettingsOption } from "./settings-file.ts";

/**
 * A flag of `serve`: its name with what it takes, the option of the service that it sets (null for one that `serve` reads itself), and its
 * line in the help. Its environment variable has the same name: `CLOUD_BROWSER_PORT` for `--port`.
 */
export type ServeFlag = readonly [flag: string, option: OptionName | null, help: string, value?: FlagValue];

/** Values that a flag takes. Default: a number in the range of the option, in the unit of the flag; any text where the option has no range. */
export interface FlagValue {
  /** Parses it. */
  readonly parse?: Parser<unknown>;
  /** The only ones that it takes. */
  readonly choices?: readonly string[];
  /** The one that it has when nothing sets it. Default: none, the service has its own. */
  readonly default?: string | number;
}

const hostForms = "host, host:port, *.suffix, CIDR";

/** The flags of `serve` by the headings of the help, in its order. What is made elsewhere is named by its function. */
export const serveFlags = {
  "Addresses and data:": [
    ["--host <address>", "host", "address to listen on", { default: "127.0.0.1" }],
    ["--port <n>", "port", "port to listen on; 0: any free one", { default: 8090 }],
    ["--public-url <url>", "publicUrl", "public URL of the service, when it is behind a proxy"],
    [
      "--automation-word <word>",
      "automationWord",
      "own word in the path of automations, /api/<word>/start (default: automation)",
    ],
    ["--service-word <word>", "serviceWord", "own word in header names, x-<word>-sdk-version (default: service)"],
    [
      "--keep-alive <seconds>",
      "keepAliveMs",
      "seconds for which an idle connection is kept: more than a load balancer before it does (default: 75)",
    ],
    [
      "--allowed-host <host>",
      "allowedHosts",
      "additional allowed Host header, such as that of a proxy: host or host:port",
      { parse: splitList },
    ],
    [
      "--embed-origins <origins>",
      "embedOrigins",
      "origins whose pages may show viewers in a frame, such as https://app.example.com (default: none)",
      { parse: splitList },
    ],
    ["--docs-url <url>", "docsUrl", "address of the documentation site, which errors then link to (default: no links)"],
    [
      "--console <state>",
      null,
      "the console, a page for people at /: on or off (default: on)",
      { choices: ["on", "off"] },
    ],
    makeDataOption,
    makeSettingsOption,
    makeCheckOption,
  ],
  "Browser:": [
    ["--chromium <path>", "chromium", "path of Chromium (default: the one that comes with this package)"],
    ["--ffmpeg <path>", "ffmpeg", "path of ffmpeg (default: the one that comes with this package)"],
    ["--allow <entries>", "allow", `non-global addresses that pages may reach: ${hostForms}`, { parse: splitList }],
    ["--deny <entries>", "deny", `hosts that pages may not reach: ${hostForms}`, { parse: splitList }],
    [
      "--proxy-dns [true|false]",
      "proxyDns",
      "let the proxy of a session resolve names, whose addresses nobody checks then (default: false)",
      { parse: parseSwitch },
    ],
  ],
  "Sessions:": [
    ["--max-sessions <n>", "limits.count", "limit of concurrent sessions (default: 20)"],
    [
      "--sessions-per-browser <n>",
      "sessionsPerBrowser",
      "limit of sessions that share a Chromium process (default: 20)",
    ],
    ["--idle-limit <seconds>", "limits.idleMs", "seconds without activity until a session ends (default: 900)"],
    [
      "--unused-limit <seconds>",
      "limits.unusedMs",
      "seconds until a session ends that was never used, and names no idle limit (default: 300)",
    ],
    ["--total-limit <seconds>", "limits.totalMs", "seconds until a session ends in any case (default: 14400)"],
    [
      "--memory-limit <MiB>",
      "limits.memoryBytes",
      "memory limit of a session in MiB; one that exceeds it ends (default: 1024)",
    ],
    ["--max-files <n>", "fileLimits.count", "limit of the files of a session, downloads and uploads (default: 100)"],
    ["--max-file-size <MiB>", "fileLimits.fileBytes", "limit of one file of a session in MiB (default: 100)"],
    ["--max-files-size <MiB>", "fileLimits.totalBytes", "limit of all files of a session in MiB (default: 1024)"],
    ["--max-wait-s <seconds>", "queue.waitMs", "limit of wait_s in requests for a session (default: 240)"],
    ["--max-waiting <n>", "queue.count", "limit of requests that wait for a session (default: 100)"],
    [
      "--drain-s <seconds>",
      "drainMs",
      "seconds for which open sessions may continue after SIGTERM, while no new ones are accepted (default: 0)",
    ],
    [
      "--control-grace <seconds>",
      "limits.graceMs",
      "seconds for which a person who is disconnected keeps the control of a session (default: 30)",
    ],
  ],
  "Profiles:": [
    [
      "--profile-key-file <path>",
      null,
      "file with the key that encrypts profiles, in place of CLOUD_BROWSER_PROFILE_KEY; after it, on lines of their own, keys that only decrypt",
    ],
    ["--max-profiles <n>", "profiles.count", "limit of profiles of an API key (default: 100)"],
    ["--max-profile-size <MiB>", "profiles.bytes", "limit of the size of a profile in MiB (default: 16)"],
  ],
  "Automation runs:": [
    [
      "--model-url <url>",
      "model.baseUrl",
      "OpenAI-compatible address of a model, before /chat/completions; its key: CLOUD_BROWSER_MODEL_KEY",
    ],
    ["--model <name>", "model.name", "name of the model, as its provider spells it"],
    [
      "--model-prices <prices>",
      "model.prices",
      "US dollars per million tokens: input/output, or input/cached/written/output",
      { parse: parsePrices },
    ],
    ["--max-runs <n>", "runLimits.count", "limit of concurrent runs (default: 10)"],
    ["--run-limit <seconds>", "runLimits.timeMs", "seconds until a run times out (default: 600)"],
    ["--run-steps <n>", "runLimits.steps", "limit of tool calls of a run with a model (default: 50)"],
    ["--run-budget <usd>", "runLimits.budgetUsd", "cost limit of a run in US dollars (default: 1)"],
    [
      "--runs-outlive-readers [true|false]",
      "runLimits.outlivesReader",
      "continue a run when its client disconnects (default: it is cancelled)",
      { parse: parseSwitch },
    ],
    [
      "--run-ask-person <seconds>",
      "runLimits.askMs",
      "how long a person has whom a run asks for a login, a code, or what it must not do by itself (default: 0, nobody is asked)",
    ],
  ],
  "Cluster:": [
    [
      "--cluster <url>",
      "cluster.database",
      "postgres://user:password@host/database that the nodes of a cluster share; a secret, so prefer CLOUD_BROWSER_CLUSTER",
    ],
    ["--node-name <name>", "cluster.nodeName", "name of this node (default: one that is kept in the data folder)"],
    ["--node-url <url>", "cluster.nodeUrl", "URL at which other nodes reach this one (default: by --host and --port)"],
  ],
  "Recordings:": [
    [
      "--bucket <url>",
      "bucket",
      "bucket for recordings: s3://name/prefix?region=…&endpoint=https://… (default: the data folder)",
    ],
    [
      "--keep-recordings <seconds>",
      "limits.recordingMs",
      "seconds for which recordings are kept after the end of their sessions (default: 86400)",
    ],
  ],
  "Logs and traces:": [
    [
      "--log-level <level>",
      null,
      "log level; logs go to standard error",
      { choices: ["silent", "error", "warn", "info", "debug"], default: "info" },
    ],
    ["--traces <url>", null, "OpenTelemetry collector that traces are sent to, for example http://127.0.0.1:4318"],
  ],
} as const satisfies Readonly<Record<string, readonly (ServeFlag | (() => Option))[]>>;

/** The rows of the table. */
export const flagRows: readonly ServeFlag[] = Object.values(serveFlags)
  .flat()
  .filter((row) => typeof row !== "function");

/** Options of the service that flags of the table set. */
export type FlagOption = Exclude<Extract<(typeof serveFlags)[keyof typeof serveFlags][number], ServeFlag>[1], null>;
