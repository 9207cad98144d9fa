import { Option, type Command } from "commander";
import type { ServiceOptions } from "../../service-options.ts";
import { makeEnvOption, readSecret } from "../env-option.ts";
import { addModelFlags, readModelFlags, type ModelFlags } from "./model-flags.ts";
import { addProfileFlags, readProfileFlags, type ProfileFlags } from "./profile-flags.ts";
import { settingRanges } from "../../setting-ranges.ts";
import { parseDollars, parseSeconds, parseSwitch, parseWholeNumber } from "../option-parsers.ts";
import { addClusterFlags, readClusterFlags, type ClusterFlags } from "./cluster-flags.ts";
import { pickDefined, multiply } from "./flag-values.ts";
import { makeDataOption } from "./data-flag.ts";
import { addSessionFlags, readSessionFlags, type SessionFlags } from "./session-flags.ts";
import { makeSettingsOption } from "./settings-file.ts";

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
    .addOption(makeEnvOption("--host <address>", "address to listen on").default("127.0.0.1"))
    .addOption(
      makeEnvOption("--port <n>", "port to listen on; 0: any free one")
        .argParser(parseWholeNumber(ranges.port))
        .default(8090),
    )
    .addOption(makeEnvOption("--public-url <url>", "public URL of the service, when it is behind a proxy"))
    .addOption(
      makeEnvOption(
        "--automation-word <word>",
        "own word in the path of automations, /api/<word>/start (default: automation)",
      ),
    )
    .addOption(
      makeEnvOption("--service-word <word>", "own word in header names, x-<word>-sdk-version (default: service)"),
    )
    .addOption(
      makeEnvOption(
        "--keep-alive <seconds>",
        "seconds for which an idle connection is kept: more than a load balancer before it does (default: 75)",
      ).argParser(parseSeconds(ranges.keepAliveMs)),
    )
    .addOption(
      makeEnvOption(
        "--allowed-host <host>",
        "additional allowed Host header, such as that of a proxy: host or host:port",
      ).argParser(splitList),
    )
    .addOption(
      makeEnvOption(
        "--embed-origins <origins>",
        "origins whose pages may show viewers in a frame, such as https://app.example.com (default: none)",
      ).argParser(splitList),
    )
    .addOption(
      makeEnvOption(
        "--docs-url <url>",
        "address of the documentation site, which errors then link to (default: no links)",
      ),
    )
    .addOption(
      makeEnvOption("--console <state>", "the console, a page for people at /: on or off (default: on)").choices([
        "on",
        "off",
      ]),
    )
    .addOption(makeDataOption())
    .addOption(makeSettingsOption())
    .addOption(new Option("--check", "check the settings and what they need, print the result and start nothing"))
    .optionsGroup("Browser:")
    .addOption(makeEnvOption("--chromium <path>", "path of Chromium (default: the one that comes with this package)"))
    .addOption(makeEnvOption("--ffmpeg <path>", "path of ffmpeg (default: the one that comes with this package)"))
    .addOption(
      makeEnvOption("--allow <entries>", `non-global addresses that pages may reach: ${hostForms}`).argParser(
        splitList,
      ),
    )
    .addOption(makeEnvOption("--deny <entries>", `hosts that pages may not reach: ${hostForms}`).argParser(splitList))
    .addOption(
      makeEnvOption(
        "--proxy-dns [true|false]",
        "let the proxy of a session resolve names, whose addresses nobody checks then (default: false)",
      ).argParser(parseSwitch),
    )
    .optionsGroup("Sessions:");
  addSessionFlags(command).optionsGroup("Profiles:");
  addProfileFlags(command).optionsGroup("Automation runs:");
  addModelFlags(command)
    .addOption(
      makeEnvOption("--max-runs <n>", "limit of concurrent runs (default: 10)").argParser(
        parseWholeNumber(ranges["runLimits.count"]),
      ),
    )
    .addOption(
      makeEnvOption("--run-limit <seconds>", "seconds until a run times out (default: 600)").argParser(
        parseSeconds(ranges["runLimits.timeMs"]),
      ),
    )
    .addOption(
      makeEnvOption("--run-steps <n>", "limit of tool calls of a run with a model (default: 50)").argParser(
        parseWholeNumber(ranges["runLimits.steps"]),
      ),
    )
    .addOption(
      makeEnvOption("--run-budget <usd>", "cost limit of a run in US dollars (default: 1)").argParser(
        parseDollars(ranges["runLimits.budgetUsd"]),
      ),
    )
    .addOption(
      makeEnvOption(
        "--runs-outlive-readers [true|false]",
        "continue a run when its client disconnects (default: it is cancelled)",
      ).argParser(parseSwitch),
    )
    .addOption(
      makeEnvOption(
        "--run-ask-person <seconds>",
        "how long a person has whom a run asks for a login, a code, or what it must not do by itself (default: 0, nobody is asked)",
      ).argParser(parseSeconds(ranges["runLimits.askMs"])),
    )
    .optionsGroup("Cluster:");
  return addClusterFlags(command)
    .optionsGroup("Recordings:")
    .addOption(
      makeEnvOption(
        "--bucket <url>",
        "bucket for recordings: s3://name/prefix?region=…&endpoint=https://… (default: the data folder)",
      ),
    )
    .addOption(
      makeEnvOption(
        "--keep-recordings <seconds>",
        "seconds for which recordings are kept after the end of their sessions (default: 86400)",
      ).argParser(parseSeconds(ranges["limits.recordingMs"])),
    )
    .optionsGroup("Logs and traces:")
    .addOption(
      makeEnvOption("--log-level <level>", "log level; logs go to standard error")
        .choices(["silent", "error", "warn", "info", "debug"])
        .default("info"),
    )
    .addOption(
      makeEnvOption(
        "--traces <url>",
        "OpenTelemetry collector that traces are sent to, for example http://127.0.0.1:4318",
      ),
    );
}

const hostForms = "host, host:port, *.suffix, CIDR";

/**
 * Makes options of the service from command-line flags.
 *
 * @throws {ServiceError} `usage` when flags do not go together.
 */
export function readServeFlags(flags: ServeFlags): ServiceOptions {
  return {
    host: flags.host,
    port: flags.port,
    data: flags.data,
    ...pickDefined({
      apiKey: readSecret("CLOUD_BROWSER_API_KEY"),
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
      cluster: readClusterFlags(flags),
      bucket: flags.bucket,
      model: readModelFlags(flags),
      profiles: readProfileFlags(flags),
      keepAliveMs: multiply(flags.keepAlive, 1000),
    }),
    ...readSessionFlags(flags),
    runLimits: pickDefined({
      count: flags.maxRuns,
      timeMs: multiply(flags.runLimit, 1000),
      outlivesReader: flags.runsOutliveReaders,
      askMs: multiply(flags.runAskPerson, 1000),
      steps: flags.runSteps,
      budgetUsd: flags.runBudget,
    }),
  };
}

/** Splits a list at its commas; the flag may be repeated. */
function splitList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((entry) => entry.trim())].filter((entry) => entry !== "");
}
