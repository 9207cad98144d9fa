import { ClientError, createCloudBrowser, type CloudBrowser, type CloudBrowserOptions } from "@cloud-browser/client";
import { createControl, type CloudBrowserControl } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { CliError } from "../errors/cli-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { defaultDataFolder, localService } from "./local-service.ts";

/** Flags that say which server a command speaks to. */
export interface ConnectionFlags {
  /** Base URL of the server. */
  readonly baseUrl?: string;
  /** Base URL of automations. */
  readonly automationUrl?: string;
  /** The server's own word in the path of automations. */
  readonly automationWord?: string;
  /** The server's own word in names of headers. */
  readonly serviceWord?: string;
  /** Allows `http:` to other machines. */
  readonly allowInsecureHttp?: boolean;
  /** Folder of a service on this machine. */
  readonly data?: string;
}

/** Flags of a connection, by the names that the client gives its options. */
const flagOf: Readonly<Record<string, string>> = {
  baseUrl: "--base-url",
  automationUrl: "--automation-url",
  automationWord: "--automation-word",
  serviceWord: "--service-word",
  allowInsecureHttp: "--allow-insecure-http",
  apiKey: "the API key",
};

/** Returns a message of the client in which its options are named as the flags of this program. */
export function inFlags(message: string): string {
  return message.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) => flagOf[name] ?? name);
}

/** Adds the flags that select the server. Their values also come from the variables of the client. */
export function addConnectionFlags(command: Command): Command {
  const group = "Server:";
  const flag = (flags: string, about: string, variable: string): Option =>
    new Option(flags, about).env(`CLOUD_BROWSER_${variable}`).helpGroup(group);
  return command
    .addOption(flag("--base-url <url>", "base URL of the server (default: the service that runs here)", "BASE_URL"))
    .addOption(
      flag("--automation-url <url>", "base URL of automations (default: the base URL)", "AUTOMATION_URL").hideHelp(),
    )
    .addOption(
      flag(
        "--automation-word <word>",
        "the server's own word for `automation` in /api/<word>/start",
        "AUTOMATION_WORD",
      ),
    )
    .addOption(flag("--service-word <word>", "the server's own word for `service` in header names", "SERVICE_WORD"))
    .addOption(
      flag("--allow-insecure-http", "allow http:// to other machines: it exposes the key", "ALLOW_INSECURE_HTTP"),
    )
    .addOption(flag("--data <folder>", "folder of a service that runs here (default: in your home folder)", "DATA"));
}

/** The clients that a command speaks through. */
export interface ServerConnection {
  /** Base URL of the server. */
  readonly baseUrl: string;
  /** Client of the interface. */
  readonly client: CloudBrowser;
  /** Client of `/control`. */
  readonly control: CloudBrowserControl;
}

/**
 * Creates the clients of the server that flags and environment name. Sends nothing.
 *
 * @throws {CliError} `usage` or `authentication`, which say what is missing.
 */
export function connectTo(flags: ConnectionFlags, terminal: Terminal): ServerConnection {
  const { env } = terminal;
  const options = clientOptions(flags, terminal);
  const { note } = terminal;
  const line =
    (level: string) =>
    (message: string, fields?: unknown): void =>
      note(`${level} ${message} ${JSON.stringify(fields)}`);
  // Standard output is for results: the client's own default writes some of it there.
  const logger = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
  const all = {
    ...options,
    headers: { "user-agent": `cloud-browser-cli/${manifest.version}` },
    ...(env["CLOUD_BROWSER_LOG"] && { logger }),
  };
  try {
    return { baseUrl: options.baseUrl, client: createCloudBrowser(all), control: createControl(all) };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const failure = error.code === "authentication" ? "authentication" : "usage";
    throw new CliError(failure, inFlags(error.message), { cause: error });
  }
}

/**
 * Returns the options of a client from flags and environment.
 *
 * @throws {CliError} `usage` or `authentication`, which say what is missing.
 */
export function clientOptions(
  flags: ConnectionFlags,
  { env }: Pick<Terminal, "env">,
): CloudBrowserOptions & { readonly baseUrl: string; readonly apiKey: string } {
  const folder = flags.data ?? defaultDataFolder(env);
  const here = localService(folder);
  const baseUrl = flags.baseUrl ?? here?.url;
  if (baseUrl === undefined) {
    throw new CliError(
      "usage",
      `no base URL: give --base-url, or set CLOUD_BROWSER_BASE_URL; a service on this machine is started with: ${startCommand} (none runs with the folder ${folder})`,
    );
  }
  const ownKey = readKey(env);
  const apiKey = ownKey ?? (sameServer(baseUrl, here?.url) ? here?.apiKey : undefined);
  if (apiKey === undefined) {
    throw new CliError("authentication", "no API key for this base URL: set CLOUD_BROWSER_API_KEY");
  }
  return {
    baseUrl,
    apiKey,
    automationUrl: flags.automationUrl,
    automationWord: flags.automationWord,
    serviceWord: flags.serviceWord,
    allowInsecureHttp: flags.allowInsecureHttp,
  };
}

/** Command that starts a service on this machine, wherever this program is installed. */
export const startCommand = "npx @cloud-browser/service serve";

/** @throws {CliError} `usage` when the variable is set but empty, or can't be a key. */
function readKey(env: Terminal["env"]): string | undefined {
  const ownKey = env["CLOUD_BROWSER_API_KEY"]?.trim();
  if (ownKey === "") throw new CliError("usage", "CLOUD_BROWSER_API_KEY must not be empty; unset it, or give a value");
  if (ownKey !== undefined && /[^!-~]/.test(ownKey)) {
    throw new CliError(
      "usage",
      "malformed API key in CLOUD_BROWSER_API_KEY: printable ASCII without spaces is allowed",
    );
  }
  return ownKey;
}

/** Returns whether two base URLs are of the same server: its key is sent nowhere else. */
function sameServer(ownKey: string, here: string | undefined): boolean {
  if (here === undefined) return false;
  return ownKey.replace(/\/+$/, "") === here.replace(/\/+$/, "");
}
