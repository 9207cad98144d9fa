import type { Command } from "commander";
import type { ServiceOptions } from "../../service-options.ts";
import { toMiB, settingRanges as ranges } from "../../setting-ranges.ts";
import { makeEnvOption } from "../env-option.ts";
import { parseSeconds, parseWholeNumber } from "../option-parsers.ts";
import { addFileFlags, readFileFlags, type FileFlags } from "./file-flags.ts";
import { pickDefined, multiply } from "./flag-values.ts";

/** Command-line flags of the limits of sessions, of their files and of those who wait for one. */
export interface SessionFlags extends FileFlags {
  /** Most sessions at a time. */
  readonly maxSessions?: number;
  /** How many sessions share a browser. */
  readonly sessionsPerBrowser?: number;
  /** In seconds. */
  readonly idleLimit?: number;
  /** In seconds. */
  readonly unusedLimit?: number;
  /** In seconds. */
  readonly totalLimit?: number;
  /** In seconds. Its flag is one of recordings. */
  readonly keepRecordings?: number;
  /** In MiB. */
  readonly memoryLimit?: number;
  /** In seconds. */
  readonly maxWaitS?: number;
  /** Most requests that wait. */
  readonly maxWaiting?: number;
  /** In seconds. */
  readonly drainS?: number;
  /** In seconds. */
  readonly controlGrace?: number;
}

/** Adds the flags of sessions. */
export function addSessionFlags(command: Command): Command {
  command
    .addOption(
      makeEnvOption("--max-sessions <n>", "limit of concurrent sessions (default: 20)").argParser(
        parseWholeNumber(ranges["limits.count"]),
      ),
    )
    .addOption(
      makeEnvOption(
        "--sessions-per-browser <n>",
        "limit of sessions that share a Chromium process (default: 20)",
      ).argParser(parseWholeNumber(ranges.sessionsPerBrowser)),
    )
    .addOption(
      makeEnvOption("--idle-limit <seconds>", "seconds without activity until a session ends (default: 900)").argParser(
        parseSeconds(ranges["limits.idleMs"]),
      ),
    )
    .addOption(
      makeEnvOption(
        "--unused-limit <seconds>",
        "seconds until a session ends that was never used, and names no idle limit (default: 300)",
      ).argParser(parseSeconds(ranges["limits.unusedMs"])),
    )
    .addOption(
      makeEnvOption("--total-limit <seconds>", "seconds until a session ends in any case (default: 14400)").argParser(
        parseSeconds(ranges["limits.totalMs"]),
      ),
    )
    .addOption(
      makeEnvOption(
        "--memory-limit <MiB>",
        "memory limit of a session in MiB; one that exceeds it ends (default: 1024)",
      ).argParser(parseWholeNumber(toMiB(ranges["limits.memoryBytes"]))),
    );
  return addFileFlags(command)
    .addOption(
      makeEnvOption("--max-wait-s <seconds>", "limit of wait_s in requests for a session (default: 240)").argParser(
        parseSeconds(ranges["queue.waitMs"]),
      ),
    )
    .addOption(
      makeEnvOption("--max-waiting <n>", "limit of requests that wait for a session (default: 100)").argParser(
        parseWholeNumber(ranges["queue.count"]),
      ),
    )
    .addOption(
      makeEnvOption(
        "--drain-s <seconds>",
        "seconds for which open sessions may continue after SIGTERM, while no new ones are accepted (default: 0)",
      ).argParser(parseSeconds(ranges.drainMs)),
    )
    .addOption(
      makeEnvOption(
        "--control-grace <seconds>",
        "seconds for which a person who is disconnected keeps the control of a session (default: 30)",
      ).argParser(parseSeconds(ranges["limits.graceMs"])),
    );
}

/** Returns the limits of sessions that the flags give. */
export function readSessionFlags(
  flags: SessionFlags,
): Pick<ServiceOptions, "limits" | "fileLimits" | "queue" | "sessionsPerBrowser" | "drainMs"> {
  return {
    ...pickDefined({ sessionsPerBrowser: flags.sessionsPerBrowser, drainMs: multiply(flags.drainS, 1000) }),
    limits: pickDefined({
      count: flags.maxSessions,
      idleMs: multiply(flags.idleLimit, 1000),
      unusedMs: multiply(flags.unusedLimit, 1000),
      totalMs: multiply(flags.totalLimit, 1000),
      recordingMs: multiply(flags.keepRecordings, 1000),
      graceMs: multiply(flags.controlGrace, 1000),
      memoryBytes: multiply(flags.memoryLimit, 2 ** 20),
    }),
    fileLimits: readFileFlags(flags),
    queue: pickDefined({ count: flags.maxWaiting, waitMs: multiply(flags.maxWaitS, 1000) }),
  };
}
