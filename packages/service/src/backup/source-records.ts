import { existsSync } from "node:fs";
import type { DataFolder, ServiceAddress } from "../data-folder.ts";
import { describeServiceError, ServiceError } from "../service-error.ts";
import { copyDatabase, lockDatabase } from "../storage/sqlite/copy-database.ts";
import { writeDurably } from "./durable-files.ts";

/** The records of a data folder, whose copies are those of one moment. */
export interface SourceRecords extends AsyncDisposable {
  /** True while a service has the folder: what is in it changes meanwhile. */
  readonly isRunning: boolean;
  /** Copies them to a new file. @throws {ServiceError} `backup-failed`, an error of the system or of SQLite, or the reason of the signal. */
  readonly copyTo: (path: string) => Promise<void>;
}

/**
 * Opens the records of a data folder for copies: a running service is asked for copies, other records are locked until they are disposed
 * of.
 *
 * @throws {ServiceError} `usage` when the folder has none, `backup-failed` when they can't be had now.
 */
export function findRecords(folder: DataFolder, signal: AbortSignal): SourceRecords {
  const { records, path, address } = folder;
  const isThere = existsSync(records);
  // A service whose file was deleted still has what was in it.
  if (!isThere && address === undefined)
    throw new ServiceError(
      "usage",
      `${path} is no data folder of a service: it has no records.sqlite that this user can see; set \`data\` to the folder that the service has`,
    );
  const database = isThere ? lockDatabase(records) : undefined;
  if (database) {
    return {
      isRunning: false,
      copyTo: (to) => copyDatabase(database, to),
      [Symbol.asyncDispose]: async () => database.close(),
    };
  }
  if (address === undefined) {
    const why = `${path} is in use, by a service that starts or stops, or by another backup; try again`;
    throw new ServiceError("backup-failed", why);
  }
  return {
    isRunning: true,
    copyTo: async (to) => void (await writeDurably(to, await request(address, signal), signal)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Asks a service for a copy of its records. */
async function request(
  { url, local = url, apiKey }: ServiceAddress,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(`${local}/control/records`, {
    headers: { authorization: `Bearer ${apiKey}` },
    redirect: "error",
    signal,
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const why = `the service at ${local} has the records, and does not answer (${describeReason(cause)})`;
    throw new ServiceError("backup-failed", `${why}; stop it, or try again`, { cause });
  });
  if (response.ok && response.body)
    return requireWhole(response.body, Number(response.headers.get("content-length")), signal);
  const { detail }: { detail?: unknown } = Object(await response.json().catch(() => undefined));
  const isOlder = response.status === 404 || response.status === 405;
  const why = isOlder
    ? "it is of a version that can't be backed up while it runs; stop it first"
    : typeof detail === "string"
      ? detail
      : "no reason";
  throw new ServiceError(
    "backup-failed",
    `the service at ${local} gives no copy of its records (${response.status}): ${why}`,
  );
}

async function* requireWhole(
  body: AsyncIterable<Uint8Array>,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let missingBytes = size;
  try {
    for await (const chunk of body) {
      missingBytes -= chunk.length;
      yield chunk;
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw makeBrokenOffError(cause);
  }
  if (missingBytes !== 0) throw makeBrokenOffError();
}

function makeBrokenOffError(cause?: unknown): ServiceError {
  const why = "the service has ended while its records were copied; try again";
  return new ServiceError("backup-failed", why, { cause });
}

function describeReason(error: unknown): string {
  return describeServiceError(error instanceof Error && error.cause !== undefined ? error.cause : error);
}
