import type { AgentLimits } from "@cloud-browser/automation";
import type { ModelSettings } from "@cloud-browser/page-content";
import type { Clock } from "@cloud-browser/recorder";
import type { Logger } from "pino";
import type { FileLimits } from "./files/file-limits.ts";
import type { RunLimits } from "./runs/run-options.ts";
import { ServiceError } from "./service-error.ts";
import type { QueueLimits } from "./sessions/queue/queue-limits.ts";
import type { SessionLimits } from "./sessions/session-limits.ts";

/** How a service is started; everything has a default. */
export interface ServiceOptions {
  /** Makes it one of several nodes that are one service. Default: it is the whole service. */
  readonly cluster?: ClusterOptions;
  /**
   * Keeps recordings in a bucket of S3, or of a store that speaks as it does: `s3://bucket/prefix?region=…&endpoint=…`. Credentials are
   * found where all AWS tools find them. Default: in the folder.
   */
  readonly bucket?: string;
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Port to listen on. Default: 0, any free one. */
  readonly port?: number;
  /** How clients reach it, where that is another address than the one that it listens on. */
  readonly publicUrl?: string;
  /** Its own word in the path of the automation endpoint, `/api/<word>/start`; the neutral one is answered, too. Default: `automation`. */
  readonly automationWord?: string;
  /** Its own word in the names of the headers `x-<word>-request-origin` and `x-<word>-sdk-version`, which are logged. Default: `service`. */
  readonly serviceWord?: string;
  /** How long an idle connection is kept, in milliseconds: longer than a load balancer before it does, or requests are lost. Default: 75,000. */
  readonly keepAliveMs?: number;
  /** Further hosts that requests may name, as a proxy in front of it is known: `host`, with any port, or `host:port`. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may show the viewer of a session in a frame, such as `https://app.example.com`. Default: none but its own. */
  readonly embedOrigins?: readonly string[];
  /** Address of the documentation site. An answer with an error then has a header `Link` to what explains its code. Default: no links. */
  readonly docsUrl?: string;
  /** Serves the console, a page for people, at `/`. Default: true, where it was built. */
  readonly console?: boolean;
  /** Folder of its records and recordings. Default: one of its own, which is removed when it is closed. */
  readonly data?: string;
  /** The API key. A secret. Default: one that is made and kept in the folder. */
  readonly apiKey?: string;
  /** Path of a Chromium. Default: the one that comes with the package. */
  readonly chromium?: string;
  /** Path of an ffmpeg. Default: the one that comes with the package. */
  readonly ffmpeg?: string;
  /** Addresses that pages may load though they are not global: `host`, `host:port`, `*.suffix`, CIDR. Default: none. */
  readonly allow?: readonly string[];
  /** Hosts that pages may not load: entries as of `allow`, which this goes before. Default: none. */
  readonly deny?: readonly string[];
  /**
   * True to let the proxy of a session resolve names, where the session asks for that: addresses of names are not checked then, so its pages
   * reach whatever the proxy does. Default: false.
   */
  readonly proxyDns?: boolean;
  /** Default: 20 sessions, 15 minutes without use, 5 minutes before the first use, 4 hours, 24 hours for recordings, 1 GiB of memory each, 30 seconds of grace for a person who is disconnected. */
  readonly limits?: Partial<SessionLimits>;
  /** Limits of the files of one session, downloads and uploads. Default: 100 files, 100 MiB each, 1 GiB together. */
  readonly fileLimits?: Partial<FileLimits>;
  /** How many sessions share a browser: few browsers need less memory and time, many lose less when one dies. Default: 20. */
  readonly sessionsPerBrowser?: number;
  /** Default: 10 runs, 10 minutes, ended when their reader goes, and they ask nobody; with a model 50 tool calls and 1 US dollar. */
  readonly runLimits?: Partial<RunLimits & AgentLimits>;
  /** How many requests for a session may wait while there is no room, and how long. Default: 100, 240 seconds. */
  readonly queue?: Partial<QueueLimits>;
  /** How long sessions continue after a shutdown has begun, in milliseconds: no new ones are created then. Default: 0, they end at once. */
  readonly drainMs?: number;
  /** Profiles: encryption keys and limits. Default: none, they are disabled. */
  readonly profiles?: ProfileOptions;
  /** The model that extracts data and works on tasks. Default: none. */
  readonly model?: ModelSettings;
  /** Returns the current time. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Gets a line for what happens. Default: nothing is logged. */
  readonly log?: Logger;
}

/** How profiles are encrypted, and how many there may be. */
export interface ProfileOptions {
  /**
   * Encryption keys, 32 bytes each in Base64 or hexadecimal digits, separated by commas or white space: the first encrypts, the others only
   * decrypt. The same on all nodes. Secrets. Default: none.
   */
  readonly keys?: string;
  /** Most profiles of a key. Default: 100. */
  readonly count?: number;
  /** Largest profile, in bytes. Default: 16 MiB. */
  readonly bytes?: number;
}

/** How a node finds the others, and they it. All have the same API key. */
export interface ClusterOptions {
  /** Connects with the PostgreSQL that they share: `postgres://user:password@host:port/database`. A secret. */
  readonly database: string;
  /** Name of this node, unique in the cluster. Default: one that is generated and kept in the folder. */
  readonly nodeName?: string;
  /** Address at which the other nodes reach it. Default: that on which it listens. */
  readonly nodeUrl?: string;
  /** How long a node that is not heard of is waited for, in milliseconds; the same for all nodes. Default: 10,000. */
  readonly leaseMs?: number;
}

/**
 * An address without a slash at its end.
 *
 * @param what - Name of the setting.
 * @throws {ServiceError} `usage` if it is not http or https.
 */
export function checkAddress(what: string, text: string): string {
  const url = URL.parse(text);
  const isFine = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === "";
  if (isFine) return url.href.replace(/\/+$/, "");
  throw new ServiceError(
    "usage",
    `malformed ${what} ${/[@?#]/.test(text) ? "[redacted]" : text}: give an http or https URL such as https://browsers.example.com`,
  );
}

/**
 * Origins of pages, as headers write them.
 *
 * @throws {ServiceError} `usage` at the first one that is not an origin of http or https.
 */
export function checkOrigins(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    const url = URL.parse(text);
    // The origin is all that it has: no path, no wildcard, which would be taken into the policy of the page as they are.
    if (url && /^https?:$/.test(url.protocol) && /^https?:\/\/[\w.:[\]-]+\/?$/i.test(text)) return url.origin;
    throw new ServiceError(
      "usage",
      `malformed origin ${text}: give a scheme and host, such as https://app.example.com`,
    );
  });
}

/** An option that is there and says nothing is a mistake: to listen on an empty host is to listen everywhere. */
export function requireText(options: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value?.trim() === "")
      throw new ServiceError("usage", `\`${name}\` must not be empty; omit it, or give a value`);
  }
}

/**
 * An API key as it may be sent.
 *
 * @throws {ServiceError} `usage`.
 */
export function checkApiKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ServiceError(
    "usage",
    "malformed API key: printable ASCII without spaces is allowed; check CLOUD_BROWSER_API_KEY",
  );
}

/** Shortest key that takes too long to be guessed. */
const shortKey = 16;

/** Returns what is wrong with a key that may be used all the same; undefined when nothing is. */
export function findWeakness(key: string): string | undefined {
  if (key.length >= shortKey) return undefined;
  return `the API key has ${key.length} characters, and can be guessed; set CLOUD_BROWSER_API_KEY to at least ${shortKey}`;
}

/**
 * The API key of a cluster, which every node is given.
 *
 * @throws {ServiceError} `usage` if there is none.
 */
export function requireSharedKey(apiKey: string | undefined): string {
  if (apiKey !== undefined) return apiKey;
  throw new ServiceError(
    "usage",
    "the nodes of a cluster have the same API key: set CLOUD_BROWSER_API_KEY to it on each of them",
  );
}
