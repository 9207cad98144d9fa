import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { DatabaseSync } from "node:sqlite";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { pino } from "pino";
import { RecordsCopies } from "../../src/backup/records-copies.ts";
import { DataFolder } from "../../src/data-folder.ts";
import { addRecordsRoute, type RecordsRouteParts } from "../../src/http/files/records-route.ts";
import { answerError } from "../../src/http/problems.ts";
import { noQuota } from "../../src/keys/keys.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";

/** The API key in the sample. */
export const sampleKey = "cb_key-of-the-sample-folder";

/** A data folder with something of everything, as a service leaves it, and room beside it. */
export class SampleFolder {
  readonly root = mkdtempSync(join(tmpdir(), "backup-"));
  readonly folder = new DataFolder(join(this.root, "data"));

  /** @param like - Another sample, whose files it has. Default: they are made, which takes a while. */
  constructor(like?: SampleFolder) {
    if (like) cpSync(like.root, this.root, { recursive: true });
    else this.#fill();
  }

  #fill(): void {
    this.folder.make();
    writeFileSync(join(this.folder.path, "api-key.secret"), `${sampleKey}\n`, { mode: 0o600 });
    this.folder.readSigningSecret();
    const database = this.open();
    for (const id of ["finished", "recording", "ended"]) this.addSession(database, id);
    const file = "INSERT INTO files (session_id, file_id, created_ms, kept_ms, record) VALUES (?, ?, 1, 1, ?)";
    database.prepare(file).run("finished", "there", JSON.stringify({ state: "complete" }));
    database.prepare(file).run("finished", "arriving", JSON.stringify({ state: "in_progress" }));
    database.close();
    this.write("files/kept/finished/there", "a download");
    this.write("files/arriving/finished/part", "half of one");
    this.addRecording("finished", "finished");
    this.write("recordings/finished/replay/000.ts", "a segment");
    this.addRecording("recording", "recording");
    this.addRecording("ended", "ended");
    this.addRecording("deleted", "deleted");
  }

  open(): DatabaseSync {
    return openDatabase(this.folder.records);
  }

  /** A path beside the data folder. */
  at(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  addSession(database: DatabaseSync, id: string): void {
    database.prepare("INSERT INTO sessions (session_id, created_ms) VALUES (?, 1)").run(id);
  }

  /** Writes a file below the data folder. */
  write(path: string, text: string): void {
    const file = join(this.folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  addRecording(id: string, stage: string): void {
    this.write(`recordings/${id}/recording.json`, JSON.stringify({ stage: { name: stage } }));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}

/** A service of a sample, as far as a backup needs one. */
export interface SampleService extends AsyncDisposable {
  readonly database: DatabaseSync;
  readonly server: Server;
}

/** Serves the records of a sample, as a service that has the folder does. */
export async function serveSample(
  { folder }: Pick<SampleFolder, "folder">,
  {
    name = null,
    copies = (database) => new RecordsCopies(database, folder.recordsCopy),
  }: {
    readonly name?: string | null;
    readonly copies?: (database: DatabaseSync) => RecordsRouteParts["recordsCopies"];
  } = {},
): Promise<SampleService> {
  const database = openDatabase(folder.records);
  const app = new Hono();
  app.use((c, next) => {
    if (c.req.header("authorization") !== `Bearer ${sampleKey}`) return Promise.resolve(c.json({ detail: "no" }, 401));
    c.set("holder", { name, roles: ["operate"], quota: noQuota });
    return next();
  });
  addRecordsRoute(app, { recordsCopies: copies(database), log: pino({ level: "silent" }) });
  app.onError((error) => answerError(error) ?? new Response("internal", { status: 500 }));
  const server = createServer(getRequestListener(app.fetch));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  folder.announce({ url: "https://proxy.invalid", local: `http://127.0.0.1:${port}`, apiKey: sampleKey });
  return {
    database,
    server,
    [Symbol.asyncDispose]: async () => {
      database.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Paths of all that is in a folder, with modes. */
export function listTree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${(lstatSync(join(folder, path)).mode & 0o777).toString(8)} ${path}`)
    .toSorted();
}

/** Writes a file that may be read only. */
export function replaceText(file: string, change: (text: string) => string): void {
  chmodSync(file, 0o600);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
