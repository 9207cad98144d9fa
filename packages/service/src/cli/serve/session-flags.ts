import type { Command } from "commander";
import type { ServiceOptions } from "../../service-options.ts";
import { inMiB, settingRanges as ranges } from "../../setting-ranges.ts";
import { env } from "../env-option.ts";
import { seconds, wholeNumber } from "../option-parsers.ts";
import { addFileFlags, fileLimitsOf, type FileFlags } from "./file-flags.ts";
import { given, times } from "./flag-values.ts";

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
      env("--max-sessions <n>", "limit of concurrent sessions (default: 20)").argParser(
        wholeNumber(ranges["limits.count"]),
      ),
    )
    .addOption(
      env("--sessions-per-browser <n>", "limit of sessions that share a Chromium process (default: 20)").argParser(
        wholeNumber(ranges.sessionsPerBrowser),
      ),
    )
    .addOption(
      env("--idle-limit <seconds>", "seconds without activity until a session ends (default: 900)").argParser(
        seconds(ranges["limits.idleMs"]),
      ),
    )
    .addOption(
      env(
        "--unused-limit <seconds>",
        "seconds until a session ends that was never used, and names no idle limit (default: 300)",
      ).argParser(seconds(ranges["limits.unusedMs"])),
    )
    .addOption(
      env("--total-limit <seconds>", "seconds until a session ends in any case (default: 14400)").argParser(
        seconds(ranges["limits.totalMs"]),
      ),
    )
    .addOption(
      env(
        "--memory-limit <MiB>",
        "memory limit of a session in MiB; one that exceeds it ends (default: 1024)",
      ).argParser(wholeNumber(inMiB(ranges["limits.memoryBytes"]))),
    );
  return addFileFlags(command)
    .addOption(
      env("--max-wait-s <seconds>", "limit of wait_s in requests for a session (default: 240)").argParser(
        seconds(ranges["queue.waitMs"]),
      ),
    )
    .addOption(
      env("--max-waiting <n>", "limit of requests that wait for a session (default: 100)").argParser(
        wholeNumber(ranges["queue.count"]),
      ),
    )
    .addOption(
      env(
        "--drain-s <seconds>",
        "seconds for which open sessions may continue after SIGTERM, while no new ones are accepted (default: 0)",
      ).argParser(seconds(ranges.drainMs)),
    )
    .addOption(
      env(
        "--control-grace <seconds>",
        "seconds for which a person who is disconnected keeps the control of a session (default: 30)",
      ).argParser(seconds(ranges["limits.graceMs"])),
    );
}

/** Returns the limits of sessions that the flags give. */
export function sessionLimitsOf(
  flags: SessionFlags,
): Pick<ServiceOptions, "limits" | "fileLimits" | "queue" | "sessionsPerBrowser" | "drainMs"> {
  return {
    ...given({ sessionsPerBrowser: flags.sessionsPerBrowser, drainMs: times(flags.drainS, 1000) }),
    limits: given({
      count: flags.maxSessions,
      idleMs: times(flags.idleLimit, 1000),
      unusedMs: times(flags.unusedLimit, 1000),
      totalMs: times(flags.totalLimit, 1000),
      recordingMs: times(flags.keepRecordings, 1000),
      graceMs: times(flags.controlGrace, 1000),
      memoryBytes: times(flags.memoryLimit, 2 ** 20),
    }),
    fileLimits: fileLimitsOf(flags),
    queue: given({ count: flags.maxWaiting, waitMs: times(flags.maxWaitS, 1000) }),
  };
}
