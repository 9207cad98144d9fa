import { once } from "node:events";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { GuardedBrowsers } from "@cloud-browser/browsers";
import { findFfmpeg } from "@cloud-browser/recorder";
import { pino } from "pino";
import { adviseOnDatabase, describePlace } from "../cluster/join-cluster.ts";
import { DataFolder } from "../data-folder.ts";
import { checkApiKey, requireSharedKey, findWeakness } from "../service-options.ts";
import { findRoomFault } from "../health/storage.ts";
import { describeServiceError, ServiceError } from "../service-error.ts";
import { S3ObjectStore } from "../storage/objects/s3-object-store.ts";
import { PostgresDatabase } from "../storage/postgres/postgres-database.ts";
import type { ServiceSettings } from "./read-settings.ts";

/** A part of a service that was tried. */
export interface CheckedPart {
  /** Its name, for people. */
  readonly name: string;
  /** Findings of the check. */
  readonly found: string;
  /** True when the service can't be started, or would lack this part. */
  readonly isFaulty: boolean;
}

/**
 * Tries each part that a service with these settings needs: its folder and key, its address, a browser, the encoder, and where they are used the database and the
 * bucket. Changes nothing, takes no lease and no lock, and so can be done beside a service that runs.
 */
export async function checkParts(settings: ServiceSettings): Promise<readonly CheckedPart[]> {
  const { data = "", cluster, bucket } = settings;
  const parts: readonly (readonly [name: string, check: () => Promise<string>])[] = [
    ["data folder", () => checkFolder(data)],
    ["API key", async () => checkKey(settings)],
    ["address", () => checkAddress(settings)],
    ["browser", () => checkBrowser(settings)],
    ["encoder", () => checkEncoder(settings.ffmpeg)],
    ...(cluster === undefined ? [] : [["database", () => checkDatabase(cluster.database)] as const]),
    ...(bucket === undefined ? [] : [["bucket", () => checkBucket(bucket)] as const]),
  ];
  return Promise.all(
    parts.map(async ([name, check]) => {
      try {
        return { name, found: await check(), isFaulty: false };
      } catch (error) {
        return { name, found: describeServiceError(error), isFaulty: true };
      }
    }),
  );
}

async function checkFolder(path: string): Promise<string> {
  let existing = resolve(path);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error("no folder");
    accessSync(existing, constants.W_OK);
  } catch (cause) {
    throw new Error(`${existing} is not a folder that can be written to; give another one with \`data\``, { cause });
  }
  const lack = await findRoomFault(existing);
  if (lack !== undefined) throw new Error(lack);
  if (existing !== resolve(path)) return `${path}, which will be made`;
  const folder = new DataFolder(path);
  const weakness = folder.findWeakness();
  folder.requireUsable();
  return weakness ?? path;
}

/** The key that the service would be started with, which is made at the first start where none is given or kept. */
function checkKey({ apiKey, cluster, data = "" }: ServiceSettings): string {
  const key = cluster === undefined ? (apiKey ?? new DataFolder(data).readKey()) : requireSharedKey(apiKey);
  if (key === undefined) return "one will be made, and kept in the data folder";
  return (
    findWeakness(checkApiKey(key)) ??
    (apiKey === undefined ? "the one in the data folder" : "the one in CLOUD_BROWSER_API_KEY")
  );
}

/** Listens for a moment, unless the service of this folder does, which runs. */
async function checkAddress({ host, port, data = "" }: ServiceSettings): Promise<string> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), "listening");
    return port === 0 ? `${host}, a free port` : `${host}:${port}`;
  } catch (cause) {
    const { url, local = url } = new DataFolder(data).address ?? {};
    const isOwn = local !== undefined && Number(URL.parse(local)?.port || 80) === port;
    if (isOwn && cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE")
      return `${host}:${port}, where the service of this folder listens`;
    const why = describeServiceError(cause);
    throw new Error(
      `this machine can't listen on ${host}:${port} (${why}); give another address with \`host\` or \`port\``,
      { cause },
    );
  } finally {
    server.close();
  }
}

async function checkBrowser({ allow = [], deny = [], chromium }: ServiceSettings): Promise<string> {
  await using closing = new AsyncDisposableStack();
  const log = pino({ level: "silent" });
  const options = { allow, deny, chromium, contexts: 1, contextsPerBrowser: 1, ownPort: 0, log };
  const browsers = await GuardedBrowsers.start(options, closing);
  return browsers.description;
}

async function checkEncoder(ffmpeg: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cloud-browser-check-"));
  try {
    await findFfmpeg(ffmpeg, folder);
    return ffmpeg ?? "the ffmpeg that came with npm, or that of the PATH";
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkDatabase(url: string): Promise<string> {
  const database = await PostgresDatabase.open(url);
  const place = describePlace(url);
  try {
    await database.query("SELECT 1");
    return place;
  } catch (cause) {
    const advice = cause instanceof ServiceError ? `; ${adviseOnDatabase(cause)}` : "";
    throw new Error(`${place}: ${describeServiceError(cause).replace(/; try again$/, "")}${advice}`, { cause });
  } finally {
    await database.close();
  }
}

async function checkBucket(bucket: NonNullable<ServiceSettings["bucket"]>): Promise<string> {
  const objects = await S3ObjectStore.open(bucket);
  try {
    await objects.list("recordings/health");
    return bucket.bucket;
  } catch (cause) {
    const at = bucket.endpoint ?? `AWS, region ${bucket.region}`;
    const why = describeServiceError(cause).replace(/; try again$/, "");
    throw new Error(`bucket ${bucket.bucket} at ${at}: ${why}; check its name, the endpoint and the credentials`, {
      cause,
    });
  } finally {
    objects.close();
  }
}
