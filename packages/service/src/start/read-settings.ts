import { type AgentLimits, defaultAgentLimits } from "@cloud-browser/automation";
import { createModel, type Model } from "@cloud-browser/page-content";
import { type Clock, systemClock } from "@cloud-browser/recorder";
import { type Logger, pino } from "pino";
import { defaultFileLimits, type FileLimits } from "../files/file-limits.ts";
import { machineClock, type MonotonicClock, getMonotonic } from "../monotonic-clock.ts";
import type { ListeningLimits } from "../http/listening.ts";
import { checkWords, type OwnWords } from "../http/own-words.ts";
import { defaultRunLimits, type RunLimits } from "../runs/run-options.ts";
import { parseProfileKeys, ProfileCipher } from "../profiles/profile-cipher.ts";
import type { ProfileLimits } from "../profiles/profiles.ts";
import { checkAddress, checkOrigins, requireText, type ServiceOptions } from "../service-options.ts";
import { checkAmount, checkNumber } from "../setting-ranges.ts";
import type { SessionLimits } from "../sessions/session-limits.ts";
import { checkQueueLimits, type QueueLimits } from "../sessions/queue/queue-limits.ts";
import type { BucketAddress } from "../storage/objects/bucket-address.ts";
import { parseBucket } from "../storage/recordings/open-recordings.ts";

/**
 * Limits of sessions where the options give none: 20 of them, 15 minutes idle, 5 minutes before the first use, 4 hours in total, 24 hours
 * for recordings, 1 GiB of memory each, 30 seconds for a person who is disconnected.
 */
const defaultSessionLimits: SessionLimits = {
  count: 20,
  idleMs: 15 * 60_000,
  unusedMs: 5 * 60_000,
  totalMs: 4 * 3_600_000,
  recordingMs: 24 * 3_600_000,
  memoryBytes: 2 ** 30,
  graceMs: 30_000,
};

/** Limits of profiles where the options give none: 100 of a key, 16 MiB each. */
const defaultProfileLimits: ProfileLimits = { count: 100, bytes: 16 * 2 ** 20 };

/** Options that a part reads as they are. */
type PlainOptions = Pick<
  ServiceOptions,
  "cluster" | "data" | "apiKey" | "chromium" | "ffmpeg" | "allow" | "deny" | "allowedHosts" | "sessionsPerBrowser"
>;

/** Options of a service, checked, with the defaults. */
export interface ServiceSettings extends PlainOptions {
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
  /** Address that clients use; undefined when it is the one that the service listens on. */
  readonly publicUrl: string | undefined;
  /** Origins whose pages may embed the viewer, beside its own. */
  readonly embedOrigins: readonly string[];
  /** Address of the documentation site, without a slash at its end; undefined when there is none. */
  readonly docsUrl: string | undefined;
  /** True when the console is served. */
  readonly console: boolean;
  /** Limits of connections, where they differ from the defaults. */
  readonly listening: Partial<ListeningLimits>;
  /** Words in the path of the automation endpoint and in header names. */
  readonly words: OwnWords;
  /** Bucket of the recordings; undefined to keep them in the folder. */
  readonly bucket: BucketAddress | undefined;
  /** Address of the bucket as the options have it, for logs. */
  readonly bucketText: string | undefined;
  /** Model that extracts data and works on tasks; undefined for none. */
  readonly model: Model | undefined;
  /** True when the proxies of sessions may resolve names. */
  readonly proxyDns: boolean;
  /** Limits of sessions. */
  readonly sessionLimits: SessionLimits;
  /** Limits of profiles. */
  readonly profileLimits: ProfileLimits;
  /** Encrypts profiles; undefined to have none. */
  readonly profileCipher: ProfileCipher | undefined;
  /** Limits of the files of each session. */
  readonly fileLimits: FileLimits;
  /** Limits of the queue for sessions. */
  readonly queueLimits: QueueLimits;
  /** Limits of runs, and of the agent in them. */
  readonly runLimits: RunLimits & AgentLimits;
  /** Maximum duration of draining, in milliseconds. */
  readonly drainMs: number;
  /** Clock. */
  readonly clock: Clock;
  /** Clock that measures how long something lasts. */
  readonly monotonic: MonotonicClock;
  /** Logger. */
  readonly log: Logger;
}

/**
 * Checks the options of a service, and adds the defaults. Opens nothing.
 *
 * @throws {ServiceError} `usage`, naming the first option that is invalid.
 */
export function readSettings(options: ServiceOptions): ServiceSettings {
  if (options.sessionsPerBrowser !== undefined) checkNumber("sessionsPerBrowser", options.sessionsPerBrowser);
  const { chromium, ffmpeg, model, bucket, publicUrl, docsUrl, keepAliveMs, profiles } = options;
  const { host = "127.0.0.1", port = 0 } = options;
  requireText({ host, chromium, ffmpeg, "model.apiKey": model?.apiKey, bucket });
  return {
    ...options,
    host,
    port: checkNumber("port", port),
    publicUrl: publicUrl === undefined ? undefined : checkAddress("public URL", publicUrl),
    embedOrigins: checkOrigins(options.embedOrigins ?? []),
    docsUrl: docsUrl === undefined ? undefined : checkAddress("docs URL", docsUrl),
    console: options.console ?? true,
    words: checkWords(options),
    bucket: parseBucket(bucket),
    bucketText: bucket,
    model: model && createModel(model),
    listening: keepAliveMs === undefined ? {} : { idleMs: checkNumber("keepAliveMs", keepAliveMs) },
    queueLimits: checkQueueLimits(options.queue),
    profileLimits: checkProfileLimits(profiles),
    profileCipher:
      profiles?.keys === undefined
        ? undefined
        : new ProfileCipher(parseProfileKeys(profiles.keys, "CLOUD_BROWSER_PROFILE_KEY")),
    proxyDns: options.proxyDns ?? false,
    fileLimits: checkFileLimits(options.fileLimits),
    drainMs: checkNumber("drainMs", options.drainMs ?? 0),
    sessionLimits: checkSessionLimits(options.limits),
    runLimits: checkRunLimits(options.runLimits),
    clock: options.clock ?? systemClock,
    monotonic: options.clock ? getMonotonic(options.clock) : machineClock,
    log: options.log ?? pino({ level: "silent" }),
  };
}

function checkSessionLimits(options: ServiceOptions["limits"]): SessionLimits {
  const limits = { ...defaultSessionLimits, ...options };
  for (const name of ["count", "idleMs", "unusedMs", "totalMs", "recordingMs", "memoryBytes", "graceMs"] as const)
    checkNumber(`limits.${name}`, limits[name]);
  return limits;
}

function checkFileLimits(options: ServiceOptions["fileLimits"]): FileLimits {
  const limits = { ...defaultFileLimits, ...options };
  for (const name of ["count", "fileBytes", "totalBytes"] as const) checkNumber(`fileLimits.${name}`, limits[name]);
  return limits;
}

function checkProfileLimits(limits: ServiceOptions["profiles"]): ProfileLimits {
  const { count, bytes } = { ...defaultProfileLimits, ...limits };
  return { count: checkNumber("profiles.count", count), bytes: checkNumber("profiles.bytes", bytes) };
}

function checkRunLimits(options: ServiceOptions["runLimits"]): RunLimits & AgentLimits {
  const limits = { ...defaultRunLimits, ...defaultAgentLimits, ...options };
  for (const name of ["count", "timeMs", "steps", "askMs"] as const) checkNumber(`runLimits.${name}`, limits[name]);
  checkAmount("runLimits.budgetUsd", limits.budgetUsd);
  return limits;
}
