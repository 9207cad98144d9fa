import { join, resolve as resolvePath } from "node:path";
import { format } from "node:util";
import type { Command } from "commander";
import { shownCommand } from "../shown-command.ts";
import { pino, type Logger } from "pino";
import pretty from "pino-pretty";
import { findDefaultDataFolder } from "../../data-folder.ts";
import { checkParts } from "../../start/check-parts.ts";
import { readSettings } from "../../start/read-settings.ts";
import type { ServiceOptions } from "../../service-options.ts";
import type { RunningService } from "../../running-service.ts";
import { startService } from "../../service.ts";
import { requestContext } from "../../request-context.ts";
import { serviceVersion } from "../../service-version.ts";
import { exportTraces } from "../../tracing/export-traces.ts";
import { traceIds } from "../../tracing/spans.ts";
import { describeUnknownVariables } from "../env-option.ts";
import { nameFlags } from "../option-flags.ts";
import { applySettings } from "./settings-file.ts";
import { addServeFlags, readServeFlags, type ServeFlags } from "./serve-flags.ts";

/** Adds the command that runs the service. */
export function register(program: Command): void {
  const command = program
    .command("serve")
    .description("run the service until it is stopped by Ctrl-C, SIGTERM or SIGHUP");
  addServeFlags(command).addHelpText("after", help).action(serve);
}

const help = `
The API key is taken from CLOUD_BROWSER_API_KEY; without it one is made, kept in api-key.secret of the data folder and printed to a terminal.
Every flag has an environment variable: CLOUD_BROWSER_PORT for --port, and so on, and can stand in a file that --settings names. The key of a model: CLOUD_BROWSER_MODEL_KEY; that of profiles: CLOUD_BROWSER_PROFILE_KEY.`;

async function serve(_: ServeFlags, command: Command): Promise<void> {
  applySettings(command);
  const flags: ServeFlags = command.opts();
  const log = makeLogger(flags.logLevel);
  for (const fault of describeUnknownVariables(command.parent ?? command)) log.warn(fault);
  logWarnings(log);
  const options = readServeFlags(flags);
  if (flags.check) return check(options);
  const flushTraces = flags.traces === undefined ? undefined : await exportTraces(flags.traces, flags.nodeName, log);
  let running: RunningService | undefined;
  endOnUnexpected(() => running, log);
  const service = await startService({ ...options, log });
  running = service;
  console.log(startMessage(service, options.data ?? ""));
  logConsole(log);
  await waitForSignal(log);
  const { drainMs = 0 } = options;
  const first = drainMs > 0 ? `draining sessions for ${drainMs / 1_000} s, then ` : "";
  log.info(`stopping: ${first}ending sessions and finishing recordings`);
  await service.close();
  await flushTraces?.();
  log.info("stopped");
}

/** Says of each part whether the service could be started with it; the exit code is 3 when it could not. */
async function check(options: ServiceOptions): Promise<void> {
  const parts = await checkParts(readSettings(options));
  for (const { name, found, isFaulty } of parts)
    console.log(`${isFaulty ? "✗" : "✓"} ${name.padEnd(12)} ${nameFlags(found)}`);
  if (parts.some(({ isFaulty }) => isFaulty)) process.exitCode = 3;
}

/** Most bytes of log lines that wait to be written, on a full disk, for example. */
const waitingBytes = 2 ** 20;

/** Adds ids to log lines: request, session, key, trace and span. */
const listIds = (): object => ({ ...requestContext(), ...traceIds() });

/** Lines for a person on a terminal, JSON for anything else. What can't be written ends no session. */
function makeLogger(level: string): Logger {
  if (!process.stderr.isTTY) {
    const lines = pino.destination({ dest: 2, sync: true, maxLength: waitingBytes });
    lines.on("error", () => undefined);
    const formatters = { level: (label: string) => ({ level: label }) };
    return pino({ level, mixin: listIds, formatters, timestamp: pino.stdTimeFunctions.isoTime }, lines);
  }
  return pino(
    { level, mixin: listIds },
    pretty({ destination: 2, sync: true, singleLine: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" }),
  );
}

/** Logs what libraries write to the console, such as an answer whose body breaks off. */
function logConsole(log: Logger): void {
  const logAt =
    (level: "info" | "warn" | "error") =>
    (first: unknown, ...more: readonly unknown[]): void => {
      if (first instanceof Error) log[level]({ err: first }, "an error that was given to the console");
      else log[level](format(first, ...more));
    };
  Object.assign(console, { info: logAt("info"), warn: logAt("warn"), error: logAt("error") });
}

/** Logs warnings of Node.js and of libraries, so that standard error has nothing but lines of the log. */
function logWarnings(log: Logger): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => log.warn({ warning: name }, message));
}

function startMessage({ url, automationUrl, apiKey, keyOrigin, parts }: RunningService, data: string): string {
  const folder = resolvePath(data);
  const key = describeKey({ apiKey, keyOrigin }, join(folder, "api-key.secret"));
  const where = folder === findDefaultDataFolder() ? "" : `--data ${quoteForShell(folder)} `;
  return `
cloud-browser ${serviceVersion} is running.

  Sessions    ${url}
  Automation  ${automationUrl}
  API key     ${key.place}
  Browser     ${parts}

Open a session, with curl or in another terminal:

  curl -X POST -H "Authorization: Bearer ${key.inShell}" ${url}/control/sessions
  ${shownCommand} open ${where}https://example.com

Ctrl-C stops it.
`;
}

/**
 * Says where the key is, and how a shell writes it. The key itself is printed on a terminal only: other output is kept, such as the log of
 * a container.
 */
function describeKey(
  { apiKey, keyOrigin }: Pick<RunningService, "apiKey" | "keyOrigin">,
  file: string,
): { readonly place: string; readonly inShell: string } {
  if (keyOrigin === "given") return { place: "the one in CLOUD_BROWSER_API_KEY", inShell: "$CLOUD_BROWSER_API_KEY" };
  return process.stdout.isTTY
    ? { place: apiKey, inShell: apiKey }
    : { place: `in ${file}`, inShell: `$(cat ${quoteForShell(file)})` };
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Exit code after an unexpected error: `EX_SOFTWARE` of `sysexits.h`. */
const unexpectedCode = 70;

/** How long the lease may take to be given up when the process must end, in milliseconds. */
const abandonMs = 3_000;

/** Ends the process after an unexpected error, when nothing can be relied on: logs it, and gives up what other nodes can take over. */
function endOnUnexpected(service: () => RunningService | undefined, log: Logger): void {
  process.once("uncaughtException", (unexpected) => {
    log.fatal({ err: unexpected }, "an error that nobody expected: this process ends, and its sessions are lost");
    process.on("uncaughtException", (next) => log.fatal({ err: next }, "another one, meanwhile"));
    setTimeout(() => process.exit(unexpectedCode), abandonMs);
    void Promise.resolve(service()?.abandon()).finally(() => process.exit(unexpectedCode));
  });
}

/** Signals within this time are one request that came in several ways: of the terminal, say, and of what started this process. In milliseconds. */
const sameRequestMs = 500;

/** Resolves at the first signal to end, a closed terminal's SIGHUP as well; a second one ends the process at once. */
function waitForSignal(log: Logger): Promise<void> {
  return new Promise((done) => {
    let state: "running" | "asked" | "stopping" = "running";
    const stop = (signal: NodeJS.Signals): void => {
      if (state === "asked") return;
      if (state === "stopping") {
        log.warn("stopped at once");
        process.exit(130);
      }
      state = "asked";
      log.info({ signal }, "asked to stop");
      setTimeout(() => {
        state = "stopping";
        log.info("another signal, such as a second Ctrl-C, stops it at once");
      }, sameRequestMs).unref();
      done();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  });
}
