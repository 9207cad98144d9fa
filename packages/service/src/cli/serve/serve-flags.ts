import { Option, type Command } from "commander";
import type { ServiceOptions } from "../../service-options.ts";
import { env, secretFrom } from "../env-option.ts";
import { addModelFlags, modelOf, type ModelFlags } from "./model-flags.ts";
import { addProfileFlags, profilesOf, type ProfileFlags } from "./profile-flags.ts";
import { settingRanges } from "../../setting-ranges.ts";
import { dollars, seconds, trueOrFalse, wholeNumber } from "../option-parsers.ts";
import { addClusterFlags, clusterOf, type ClusterFlags } from "./cluster-flags.ts";
import { given, times } from "./flag-values.ts";
import { dataOption } from "./data-flag.ts";
import { addSessionFlags, sessionLimitsOf, type SessionFlags } from "./session-flags.ts";
import { settingsOption } from "./settings-file.ts";

/** Command-line flags of `cloud-browser serve`. */
export interface ServeFlags extends SessionFlags, ProfileFlags, ModelFlags, ClusterFlags {
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on. */
  readonly port: number;
  /** How clients reach it. */
  readonly publicUrl?: string;
  /** Its own word in the path of the automation endpoint. */
  readonly automationWord?: string;
  /** Its own word in the names of two headers. */
  readonly serviceWord?: string;
  /** In seconds. */
  readonly keepAlive?: number;
  /** Further hosts that requests may name. */
  readonly allowedHost?: readonly string[];
  /** Origins that may embed the viewer. */
  readonly embedOrigins?: readonly string[];
  /** Address of the documentation site. */
  readonly docsUrl?: string;
  readonly console?: "on" | "off";
  /** Folder of records and recordings. */
  readonly data: string;
  /** Path of a Chromium. */
  readonly chromium?: string;
  /** Path of an ffmpeg. */
  readonly ffmpeg?: string;
  /** Addresses that pages may load though they are not global. */
  readonly allow?: readonly string[];
  /** Hosts that pages may not load. */
  readonly deny?: readonly string[];
  /** True when the proxies of sessions may resolve names. */
  readonly proxyDns?: boolean;
  /** Most runs at a time. */
  readonly maxRuns?: number;
  /** In seconds. */
  readonly runLimit?: number;
  /** Most tool calls of a run. */
  readonly runSteps?: number;
  /** In US dollars. */
  readonly runBudget?: string;
  /** True when a run continues after its client has disconnected. */
  readonly runsOutliveReaders?: boolean;
  /** In seconds. */
  readonly runAskPerson?: number;
  /** Where recordings are kept. */
  readonly bucket?: string;
  /** True to try the settings, and start nothing. */
  readonly check?: true;
  /** Log level. */
  readonly logLevel: string;
  /** URL of an OpenTelemetry collector. */
  readonly traces?: string;
}

const ranges = settingRanges;

/** Adds the flags of the service. */
export function addServeFlags(command: Command): Command {
  command
    .optionsGroup("Addresses and data:")
    .addOption(env("--host <address>", "address to listen on").default("127.0.0.1"))
    .addOption(
      env("--port <n>", "port to listen on; 0: any free one").argParser(wholeNumber(ranges.port)).default(8090),
    )
    .addOption(env("--public-url <url>", "public URL of the service, when it is behind a proxy"))
    .addOption(
      env("--automation-word <word>", "own word in the path of automations, /api/<word>/start (default: automation)"),
    )
    .addOption(env("--service-word <word>", "own word in header names, x-<word>-sdk-version (default: service)"))
    .addOption(
      env(
        "--keep-alive <seconds>",
        "seconds for which an idle connection is kept: more than a load balancer before it does (default: 75)",
      ).argParser(seconds(ranges.keepAliveMs)),
    )
    .addOption(
      env(
        "--allowed-host <host>",
        "additional allowed Host header, such as that of a proxy: host or host:port",
      ).argParser(list),
    )
    .addOption(
      env(
        "--embed-origins <origins>",
        "origins whose pages may show viewers in a frame, such as https://app.example.com (default: none)",
      ).argParser(list),
    )
    .addOption(
      env("--docs-url <url>", "address of the documentation site, which errors then link to (default: no links)"),
    )
    .addOption(
      env("--console <state>", "the console, a page for people at /: on or off (default: on)").choices(["on", "off"]),
    )
    .addOption(dataOption())
    .addOption(settingsOption())
    .addOption(new Option("--check", "check the settings and what they need, print the result and start nothing"))
    .optionsGroup("Browser:")
    .addOption(env("--chromium <path>", "path of Chromium (default: the one that comes with this package)"))
    .addOption(env("--ffmpeg <path>", "path of ffmpeg (default: the one that comes with this package)"))
    .addOption(env("--allow <entries>", `non-global addresses that pages may reach: ${hostForms}`).argParser(list))
    .addOption(env("--deny <entries>", `hosts that pages may not reach: ${hostForms}`).argParser(list))
    .addOption(
      env(
        "--proxy-dns [true|false]",
        "let the proxy of a session resolve names, whose addresses nobody checks then (default: false)",
      ).argParser(trueOrFalse),
    )
    .optionsGroup("Sessions:");
  addSessionFlags(command).optionsGroup("Profiles:");
  addProfileFlags(command).optionsGroup("Automation runs:");
  addModelFlags(command)
    .addOption(
      env("--max-runs <n>", "limit of concurrent runs (default: 10)").argParser(wholeNumber(ranges["runLimits.count"])),
    )
    .addOption(
      env("--run-limit <seconds>", "seconds until a run times out (default: 600)").argParser(
        seconds(ranges["runLimits.timeMs"]),
      ),
    )
    .addOption(
      env("--run-steps <n>", "limit of tool calls of a run with a model (default: 50)").argParser(
        wholeNumber(ranges["runLimits.steps"]),
      ),
    )
    .addOption(
      env("--run-budget <usd>", "cost limit of a run in US dollars (default: 1)").argParser(
        dollars(ranges["runLimits.budgetUsd"]),
      ),
    )
    .addOption(
      env(
        "--runs-outlive-readers [true|false]",
        "continue a run when its client disconnects (default: it is cancelled)",
      ).argParser(trueOrFalse),
    )
    .addOption(
      env(
        "--run-ask-person <seconds>",
        "how long a person has whom a run asks for a login, a code, or what it must not do by itself (default: 0, nobody is asked)",
      ).argParser(seconds(ranges["runLimits.askMs"])),
    )
    .optionsGroup("Cluster:");
  return addClusterFlags(command)
    .optionsGroup("Recordings:")
    .addOption(
      env(
        "--bucket <url>",
        "bucket for recordings: s3://name/prefix?region=…&endpoint=https://… (default: the data folder)",
      ),
    )
    .addOption(
      env(
        "--keep-recordings <seconds>",
        "seconds for which recordings are kept after the end of their sessions (default: 86400)",
      ).argParser(seconds(ranges["limits.recordingMs"])),
    )
    .optionsGroup("Logs and traces:")
    .addOption(
      env("--log-level <level>", "log level; logs go to standard error")
        .choices(["silent", "error", "warn", "info", "debug"])
        .default("info"),
    )
    .addOption(
      env("--traces <url>", "OpenTelemetry collector that traces are sent to, for example http://127.0.0.1:4318"),
    );
}

const hostForms = "host, host:port, *.suffix, CIDR";

/**
 * Makes options of the service from command-line flags.
 *
 * @throws {ServiceError} `usage` when flags do not go together.
 */
export function optionsOf(flags: ServeFlags): ServiceOptions {
  return {
    host: flags.host,
    port: flags.port,
    data: flags.data,
    ...given({
      apiKey: secretFrom("CLOUD_BROWSER_API_KEY"),
      publicUrl: flags.publicUrl,
      automationWord: flags.automationWord,
      serviceWord: flags.serviceWord,
      allowedHosts: flags.allowedHost,
      embedOrigins: flags.embedOrigins,
      docsUrl: flags.docsUrl,
      console: flags.console && flags.console === "on",
      chromium: flags.chromium,
      ffmpeg: flags.ffmpeg,
      allow: flags.allow,
      deny: flags.deny,
      proxyDns: flags.proxyDns,
      cluster: clusterOf(flags),
      bucket: flags.bucket,
      model: modelOf(flags),
      profiles: profilesOf(flags),
      keepAliveMs: times(flags.keepAlive, 1000),
    }),
    ...sessionLimitsOf(flags),
    runLimits: given({
      count: flags.maxRuns,
      timeMs: times(flags.runLimit, 1000),
      outlivesReader: flags.runsOutliveReaders,
      askMs: times(flags.runAskPerson, 1000),
      steps: flags.runSteps,
      budgetUsd: flags.runBudget,
    }),
  };
}

/** Splits a list at its commas; the flag may be repeated. */
function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((entry) => entry.trim())].filter((entry) => entry !== "");
}
