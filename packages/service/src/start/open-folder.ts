import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import { deriveClusterSecrets } from "../cluster/cluster-secrets.ts";
import { DataFolder } from "../data-folder.ts";
import { findRoomFault } from "../health/storage.ts";
import { checkApiKey, requireSharedKey, findWeakness, type ServiceOptions } from "../service-options.ts";
import { openDatabase } from "../storage/sqlite/database.ts";
import { RecordsWatch } from "../storage/sqlite/records-watch.ts";

/** The folder of a service, with what is kept in it. */
export interface OpenedFolder {
  /** The folder. */
  readonly folder: DataFolder;
  /** The file of records, locked. */
  readonly database: DatabaseSync;
  /** Finds out when that file is damaged. */
  readonly watch: RecordsWatch;
  /** The API key, given or kept. A secret. */
  readonly apiKey: string;
  /** Secrets by which the nodes of a cluster know each other; undefined outside of one. */
  readonly shared: ReturnType<typeof deriveClusterSecrets> | undefined;
  /** Signs addresses and tokens. A secret. */
  readonly signing: Uint8Array;
}

/**
 * Opens the folder of a service, one of its own where none is given, which is removed when it is closed. Logs what is weak, and allowed.
 *
 * @throws {ServiceError} `usage` when the folder can't be used, is in use, or others may write to it.
 */
export async function openDataFolder(
  options: Pick<ServiceOptions, "apiKey" | "cluster" | "data">,
  log: Logger,
  built: AsyncDisposableStack,
): Promise<OpenedFolder> {
  const folder = new DataFolder(options.data ?? (await makeOwnFolder(built)));
  const folderFault = folder.make();
  const database = openDatabase(folder.records);
  await using opening = new AsyncDisposableStack();
  opening.defer(() => database.close());
  const watch = new RecordsWatch(database, folder.records, { onChange: (fault) => logDamage(fault, log) });
  built.defer(() => watch.close());
  built.use(opening.move());
  const apiKey = checkApiKey(options.apiKey ?? folder.readApiKey());
  const lack = await findRoomFault(folder.path).catch(() => undefined);
  for (const fault of [folderFault, findWeakness(apiKey), lack]) if (fault !== undefined) log.warn(fault);
  const shared = options.cluster && deriveClusterSecrets(requireSharedKey(options.apiKey));
  return { folder, database, watch, apiKey, shared, signing: shared?.signing ?? folder.readSigningSecret() };
}

function logDamage(reason: string | undefined, log: Logger): void {
  if (reason === undefined) log.info("the records are whole again");
  else log.error({ reason }, "the records are damaged");
}

async function makeOwnFolder(built: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cloud-browser-"));
  built.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
