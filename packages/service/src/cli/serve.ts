import { InvalidArgumentError, Option, type Command } from "commander";
import { pino, type Logger } from "pino";
import pretty from "pino-pretty";
import { startService, type RunningService, type ServiceOptions } from "../service.ts";
import { serviceVersion } from "../service-version.ts";
import { seconds } from "./open.ts";
import { dataOption } from "./reach.ts";

interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly data: string;
  readonly chromium?: string;
  readonly ffmpeg?: string;
  readonly allow?: readonly string[];
  readonly maxSessions?: number;
  readonly idleLimit?: number;
  readonly totalLimit?: number;
  readonly memoryLimit?: number;
  readonly logLevel: string;
}

/** Adds the command that runs the service. Source: ours. */
export function register(program: Command): void {
  program
    .command("serve")
    .description("run the service until it is stopped by Ctrl-C or SIGTERM")
    .optionsGroup("Where:")
    .addOption(env("--host <address>", "address to listen on").default("127.0.0.1"))
    .addOption(env("--port <n>", "port to listen on; 0: any free one").argParser(port).default(8090))
    .addOption(env("--public-url <url>", "how clients reach it, where that is another address (behind a proxy, say)"))
    .addOption(dataOption())
    .optionsGroup("Browser:")
    .addOption(env("--chromium <path>", "a Chromium of your own (default: the one that comes with this package)"))
    .addOption(env("--ffmpeg <path>", "an ffmpeg of your own (default: the one that comes with this package)"))
    .addOption(
      env(
        "--allow <entries>",
        "addresses that pages may load though they are not global: host, host:port, *.suffix, CIDR",
      ).argParser(list),
    )
    .optionsGroup("Limits:")
    .addOption(env("--max-sessions <n>", "most sessions at a time (default: 20)").argParser(count))
    .addOption(
      env("--idle-limit <seconds>", "a session ends when nothing happens for so long (default: 900)").argParser(
        seconds,
      ),
    )
    .addOption(env("--total-limit <seconds>", "a session ends after so long (default: 14400)").argParser(seconds))
    .addOption(env("--memory-limit <MiB>", "a session ends when it uses more memory (default: 1024)").argParser(count))
    .addOption(
      env("--log-level <level>", "what is logged to standard error")
        .choices(["silent", "error", "warn", "info", "debug"])
        .default("info"),
    )
    .addHelpText("after", help)
    .action(serve);
}

const help = `
The API key is taken from CLOUD_BROWSER_API_KEY; without it one is made, kept in the data folder and printed.
Every flag has an environment variable: CLOUD_BROWSER_PORT for --port, and so on.`;

async function serve(flags: ServeFlags): Promise<void> {
  const log = logger(flags.logLevel);
  const service = await startService(optionsOf(flags, log));
  process.stdout.write(welcome(service));
  await stopped(log);
  log.info("stopping: sessions are ended and recordings finished; once more ends at once");
  await service.close();
}

function optionsOf(flags: ServeFlags, log: Logger): ServiceOptions {
  const { host, port: number, publicUrl, data, chromium, ffmpeg, allow, maxSessions, idleLimit, totalLimit, memoryLimit } = flags;
  const apiKey = process.env["CLOUD_BROWSER_API_KEY"];
  return {
    host,
    port: number,
    data,
    log,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(chromium === undefined ? {} : { chromium }),
    ...(ffmpeg === undefined ? {} : { ffmpeg }),
    ...(allow === undefined ? {} : { allow }),
    limits: {
      ...(maxSessions === undefined ? {} : { count: maxSessions }),
      ...(idleLimit === undefined ? {} : { idleMs: idleLimit * 1000 }),
      ...(totalLimit === undefined ? {} : { totalMs: totalLimit * 1000 }),
      ...(memoryLimit === undefined ? {} : { memoryBytes: memoryLimit * 2 ** 20 }),
    },
  };
}

/** Lines for a person on a terminal, JSON for anything else. */
function logger(level: string): Logger {
  if (!process.stderr.isTTY) return pino({ level }, pino.destination({ dest: 2, sync: true }));
  return pino(
    { level },
    pretty({ destination: 2, sync: true, singleLine: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" }),
  );
}

function welcome({ url, apiKey, keyOrigin, parts }: RunningService): string {
  const given = keyOrigin === "given";
  return `
cloud-browser ${serviceVersion} is running.

  Sessions    ${url}
  Automation  ${url}/api/automation/start
  API key     ${given ? "the one in CLOUD_BROWSER_API_KEY" : apiKey}
  Browser     ${parts}

Open a session, with curl or in another terminal:

  curl -X POST -H "Authorization: Bearer ${given ? "$CLOUD_BROWSER_API_KEY" : apiKey}" ${url}/control/sessions
  cloud-browser open https://example.com

Ctrl-C stops it.

`;
}

/** Settles when the process is asked to stop; the second time it ends at once. */
function stopped(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (signal: NodeJS.Signals): void => {
      if (asked) {
        log.warn("stopped at once");
        process.exit(130);
      }
      asked = true;
      log.info({ signal }, "asked to stop");
      resolve();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}

/** A flag with an environment variable of the same name. */
function env(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`CLOUD_BROWSER_${option.name().replaceAll("-", "_").toUpperCase()}`);
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError("Give a port from 0 to 65535.");
  return value;
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("Give a whole number above 0.");
  return value;
}

/** Entries between commas; the flag may be repeated. */
function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((entry) => entry.trim())].filter((entry) => entry !== "");
}
