import type { Command } from "commander";
import { shownCommand } from "./shown-command.ts";
import { pino, type Logger } from "pino";
import pretty from "pino-pretty";
import type { RunningService } from "../running-service.ts";
import { startService } from "../service.ts";
import { requestContext } from "../request-context.ts";
import { serviceVersion } from "../service-version.ts";
import { exportTraces } from "../tracing/export-traces.ts";
import { traceIds } from "../tracing/spans.ts";
import { addServeFlags, optionsOf, type ServeFlags } from "./serve-flags.ts";

/** Adds the command that runs the service. */
export function register(program: Command): void {
  const command = program.command("serve").description("run the service until it is stopped by Ctrl-C or SIGTERM");
  addServeFlags(command).addHelpText("after", help).action(serve);
}

const help = `
The API key is taken from CLOUD_BROWSER_API_KEY; without it one is made, kept in api-key.secret of the data folder and printed.
Every flag has an environment variable: CLOUD_BROWSER_PORT for --port, and so on. The key of a model: CLOUD_BROWSER_MODEL_KEY.`;

async function serve(flags: ServeFlags): Promise<void> {
  const log = logger(flags.logLevel);
  const options = optionsOf(flags);
  const flushTraces = flags.traces === undefined ? undefined : await exportTraces(flags.traces, flags.nodeName, log);
  const service = await startService({ ...options, log });
  console.log(startMessage(service));
  await stopped(log);
  const { drainMs = 0 } = options;
  const first = drainMs > 0 ? `draining sessions for ${drainMs / 1_000} s, then ` : "";
  log.info(`stopping: ${first}ending sessions and finishing recordings; press again to stop at once`);
  await service.close();
  await flushTraces?.();
}

/** Most lines that wait for room, on a disk that is full, say; in bytes. */
const waitingBytes = 2 ** 20;

/** Adds ids to log lines: request, session, key, trace and span. */
const mixin = (): object => ({ ...requestContext(), ...traceIds() });

/** Lines for a person on a terminal, JSON for anything else. What can't be written ends no session. */
function logger(level: string): Logger {
  if (!process.stderr.isTTY) {
    const lines = pino.destination({ dest: 2, sync: true, maxLength: waitingBytes });
    lines.on("error", () => undefined);
    return pino({ level, mixin }, lines);
  }
  return pino(
    { level, mixin },
    pretty({ destination: 2, sync: true, singleLine: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" }),
  );
}

function startMessage({ url, automationUrl, apiKey, keyOrigin, parts }: RunningService): string {
  const given = keyOrigin === "given";
  return `
cloud-browser ${serviceVersion} is running.

  Sessions    ${url}
  Automation  ${automationUrl}
  API key     ${given ? "the one in CLOUD_BROWSER_API_KEY" : apiKey}
  Browser     ${parts}

Open a session, with curl or in another terminal:

  curl -X POST -H "Authorization: Bearer ${given ? "$CLOUD_BROWSER_API_KEY" : apiKey}" ${url}/control/sessions
  ${shownCommand} open https://example.com

Ctrl-C stops it.
`;
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
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
