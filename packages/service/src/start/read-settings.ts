import { type AgentLimits, defaultAgentLimits } from "@cloud-browser/automation";
import { createModel, type Model } from "@cloud-browser/page-content";
import { type Clock, systemClock } from "@cloud-browser/recorder";
import { type Logger, pino } from "pino";
import { defaultFileLimits, type FileLimits } from "../files/file-limits.ts";
import { machineClock, type MonotonicClock, getMonotonic } from "../monotonic-clock.ts";
import type { ListeningLimits } from "../http/listening.ts";
import { checkedWords, type OwnWords } from "../http/own-words.ts";
import { defaultRunLimits, type RunLimits } from "../runs/run-options.ts";
import { parseProfileKeys, ProfileCipher } from "../profiles/profile-cipher.ts";
import type { ProfileLimits } from "../profiles/profiles.ts";
import { checkedAddress, checkedOrigins, requireText, type ServiceOptions } from "../service-options.ts";
import { checkedAmount, checkedNumber } from "../setting-ranges.ts";
import type { SessionLimits } from "../sessions/session-limits.ts";
import { checkedQueueLimits, type QueueLimits } from "../sessions/queue/queue-limits.ts";
import type { BucketAddress } from "../storage/objects/bucket-address.ts";
import { checkedBucket } from "../storage/recordings/open-recordings.ts";

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
  /** Whether the console is served. */
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
  if (options.sessionsPerBrowser !== undefined) checkedNumber("sessionsPerBrowser", options.sessionsPerBrowser);
  const { chromium, ffmpeg, model, bucket, publicUrl, docsUrl, keepAliveMs, profiles } = options;
  const { host = "127.0.0.1", port = 0 } = options;
  requireText({ host, chromium, ffmpeg, "model.apiKey": model?.apiKey, bucket });
  return {
    ...options,
    host,
    port: checkedNumber("port", port),
    publicUrl: publicUrl === undefined ? undefined : checkedAddress("public URL", publicUrl),
    embedOrigins: checkedOrigins(options.embedOrigins ?? []),
    docsUrl: docsUrl === undefined ? undefined : checkedAddress("docs URL", docsUrl),
    console: options.console ?? true,
    words: checkedWords(options),
    bucket: checkedBucket(bucket),
    bucketText: bucket,
    model: model && createModel(model),
    listening: keepAliveMs === undefined ? {} : { idleMs: checkedNumber("keepAliveMs", keepAliveMs) },
    queueLimits: checkedQueueLimits(options.queue),
    profileLimits: checkedProfileLimits(profiles),
    profileCipher:
      profiles?.keys === undefined
        ? undefined
        : new ProfileCipher(parseProfileKeys(profiles.keys, "CLOUD_BROWSER_PROFILE_KEY")),
    proxyDns: options.proxyDns ?? false,
    fileLimits: checkedFileLimits(options.fileLimits),
    drainMs: checkedNumber("drainMs", options.drainMs ?? 0),
    sessionLimits: checkedSessionLimits(options.limits),
    runLimits: checkedRunLimits(options.runLimits),
    clock: options.clock ?? systemClock,
    monotonic: options.clock ? getMonotonic(options.clock) : machineClock,
    log: options.log ?? pino({ level: "silent" }),
  };
}

function checkedSessionLimits(given: ServiceOptions["limits"]): SessionLimits {
  const limits = { ...defaultSessionLimits, ...given };
  for (const name of ["count", "idleMs", "unusedMs", "totalMs", "recordingMs", "memoryBytes", "graceMs"] as const)
    checkedNumber(`limits.${name}`, limits[name]);
  return limits;
}

function checkedFileLimits(given: ServiceOptions["fileLimits"]): FileLimits {
  const limits = { ...defaultFileLimits, ...given };
  for (const name of ["count", "fileBytes", "totalBytes"] as const) checkedNumber(`fileLimits.${name}`, limits[name]);
  return limits;
}

function checkedProfileLimits(given: ServiceOptions["profiles"]): ProfileLimits {
  const { count, bytes } = { ...defaultProfileLimits, ...given };
  return { count: checkedNumber("profiles.count", count), bytes: checkedNumber("profiles.bytes", bytes) };
}

function checkedRunLimits(given: ServiceOptions["runLimits"]): RunLimits & AgentLimits {
  const limits = { ...defaultRunLimits, ...defaultAgentLimits, ...given };
  for (const name of ["count", "timeMs", "steps", "askMs"] as const) checkedNumber(`runLimits.${name}`, limits[name]);
  checkedAmount("runLimits.budgetUsd", limits.budgetUsd);
  return limits;
}
