// Loaded before the service (`node --import`): calls of its sources to the system fail or hang, by a plan that the test sends over a socket.
// oxlint-disable typescript/no-unsafe-type-assertion -- what is replaced here is what types of Node.js hide
import childProcess from "node:child_process";
import dns from "node:dns/promises";
import fs from "node:fs";
import files from "node:fs/promises";
import http from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { constants, devNull } from "node:os";
import sqlite from "node:sqlite";
import type pg from "pg";
import { parseFault, type FaultKind } from "./fault.ts";

type Work = (this: unknown, ...args: never[]) => unknown;

const places = new Set<string>();
let active = parseFault(process.env["FAULT"] ?? "null");
let hits = 0;

/** Calls of a database, which is watched by who passes them on. */
const ofStatements: ReadonlySet<string> = new Set(["exec", "prepare", "run", "get", "all"]);

/** The source that calls, and what it calls: `service/src/data-folder.ts writeFileSync`. Undefined for a call that no source makes itself. */
function findPlace(call: string, isDeep: boolean): string | undefined {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = isDeep ? 60 : 20;
  const lines = (new Error("where").stack ?? "").split("\n").slice(1);
  Error.stackTraceLimit = before;
  let name = call;
  for (const line of lines) {
    // What their methods ask is a query of who calls them.
    if (/\/storage\/(?:postgres\/postgres|sqlite\/sqlite)-database\.ts/u.test(line)) {
      name = "query";
      continue;
    }
    if (line.includes("/storage/sqlite/records-watch.ts") && ofStatements.has(call)) continue;
    if (line.includes("/test/faults/injection.ts") || /node:|<anonymous>/u.test(line)) continue;
    const [, file] = /\/packages\/((?:service|recorder|browsers)\/src\/[^:]+):/u.exec(line) ?? [];
    const isSource = file !== undefined && !(isDeep && line.trim().startsWith("at async"));
    if (isSource) return `${file} ${name}`;
    if (!isDeep) return undefined;
  }
  return undefined;
}

/** Returns how a call fails now; undefined when it does not. */
function findFault(call: string, isDeep = false): FaultKind | undefined {
  const place = findPlace(call, isDeep);
  if (place === undefined) return undefined;
  places.add(place);
  if (active?.place !== place) return undefined;
  hits += 1;
  return active.kind;
}

const texts: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on device",
  EIO: "i/o error",
  EMFILE: "too many open files",
  EACCES: "permission denied",
  EROFS: "read-only file system",
  EDQUOT: "disk quota exceeded",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  ESTALE: "stale file handle",
  EPIPE: "broken pipe",
};

function createError(kind: string, syscall: string): Error {
  // Node.js has no name for this one.
  if (kind === "EUCLEAN") {
    const code = "Unknown system error -117";
    return Object.assign(new Error(`${code}: ${code}, ${syscall}`), { code, errno: -117, syscall });
  }
  const code = kind;
  const errno = -(constants.errno[code as "EIO"] ?? 5);
  return Object.assign(new Error(`${code}: ${texts[code]}, ${syscall}`), { code, errno, syscall });
}

const forever = (): Promise<never> => new Promise(() => undefined);

/** Replaces a method by one that asks the plan first. */
function wrap<Owner extends object>(
  owner: Owner,
  name: keyof Owner & string,
  fail: (kind: FaultKind, original: Work) => Work,
): void {
  const original = owner[name] as unknown as Work;
  if (typeof original !== "function") return;
  const wrapped = function (this: unknown, ...args: never[]): unknown {
    const kind = findFault(name);
    return (kind === undefined ? original : fail(kind, original)).apply(this, args);
  };
  // `promisify` reads what a function says of its promise.
  Object.assign(owner, { [name]: Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original)) });
}

const rejected =
  (name: string) =>
  (kind: FaultKind): Work =>
  () =>
    kind === "hang" ? forever() : Promise.reject(createError(kind, name));

const promised = [
  "access appendFile chmod copyFile link mkdir mkdtemp open readdir readFile rename rm rmdir stat statfs symlink truncate unlink utimes writeFile",
].flatMap((names) => names.split(" "));
for (const name of promised) wrap(files, name as "open", rejected(name));

const thrown =
  (name: string) =>
  (kind: FaultKind, original: Work): Work =>
    function (this: unknown, ...args: never[]) {
      // What hangs in a synchronous call stops the whole process: no test of this kind can look at that.
      if (kind === "hang") return original.apply(this, args);
      throw createError(kind, name);
    };
const synchronous =
  "chmodSync closeSync mkdirSync mkdtempSync openSync readdirSync readFileSync renameSync rmSync statSync writeFileSync";
for (const name of synchronous.split(" ")) wrap(fs, name as "openSync", thrown(name));

for (const name of ["fsync", "fdatasync"] as const) {
  wrap(fs, name, (kind) => (_: never, done: (error: Error) => void) => {
    if (kind !== "hang") setImmediate(done, createError(kind, name));
  });
}
const refusedOpen =
  (kind: FaultKind) =>
  (...args: unknown[]): void => {
    const done = args.at(-1) as (error: Error) => void;
    if (kind !== "hang") setImmediate(done, createError(kind, "open"));
  };
for (const name of ["createReadStream", "createWriteStream"] as const) {
  wrap(fs, name, (kind, original) => (path: never, options: never) => {
    const refusing = { ...fs, open: refusedOpen(kind) };
    return original.call(fs, path, { ...Object(options), fs: refusing } as never);
  });
}

// Nothing else gives away what file handles are.
const handle = await files.open(devNull);
const handles = Object.getPrototypeOf(handle) as typeof handle;
await handle.close();
for (const name of [
  "appendFile",
  "chmod",
  "read",
  "readFile",
  "stat",
  "truncate",
  "write",
  "writeFile",
  "writev",
] as const)
  wrap(handles, name, rejected(name));
// Each has a `close` of its own.
const open = files.open.bind(files);
files.open = async (...args) => {
  const opened = await open(...args);
  wrap(opened, "close", (kind, original) => async () => {
    await original.call(opened);
    return kind === "hang" ? forever() : Promise.reject(createError(kind, "close"));
  });
  return opened;
};

// As the system does it: the handle of the child refuses, and the rest is Node's.
wrap(
  childProcess.ChildProcess.prototype as never,
  "spawn",
  (kind, original) =>
    function (this: unknown, ...args) {
      const { _handle: process } = this as { _handle: { spawn: () => number } };
      const [options] = args as unknown as [{ file: string; args: string[] }];
      if (kind === "hang") Object.assign(options, { file: "/bin/sleep", args: ["sleep", "1000"] });
      else process.spawn = () => -(constants.errno[kind as "EIO"] ?? 117);
      return original.apply(this, args);
    },
);

for (const name of ["connect"] as const) {
  const original = net.Socket.prototype[name] as unknown as Work;
  net.Socket.prototype[name] = function (this: net.Socket, ...args: never[]) {
    const kind = findFault(name, true);
    if (kind === undefined) return original.apply(this, args);
    if (kind !== "hang") process.nextTick(() => this.destroy(createError(kind, name)));
    return this;
  } as never;
}
wrap(
  net.Server.prototype,
  "listen",
  (kind) =>
    function (this: unknown) {
      const server = this as net.Server;
      if (kind !== "hang") process.nextTick(() => server.emit("error", createError(kind, "listen")));
      return server;
    },
);
wrap(dns, "lookup", rejected("getaddrinfo"));

/** As SQLite says what the system told it. */
const codes: Readonly<Record<string, readonly [number, string]>> = {
  ENOSPC: [13, "database or disk is full"],
  EIO: [10, "disk I/O error"],
  EMFILE: [14, "unable to open database file"],
  EACCES: [8, "attempt to write a readonly database"],
  EROFS: [8, "attempt to write a readonly database"],
  EDQUOT: [13, "database or disk is full"],
  ENOENT: [14, "unable to open database file"],
  ENOTDIR: [26, "file is not a database"],
  ESTALE: [7, "out of memory"],
  EUCLEAN: [11, "database disk image is malformed"],
  EPIPE: [5, "database is locked"],
};
const ofSqlite = (kind: FaultKind, original: Work): Work =>
  function (this: unknown, ...args: never[]) {
    const [errcode, text] = codes[kind] ?? [];
    if (text === undefined) return original.apply(this, args);
    throw Object.assign(new Error(text), { code: "ERR_SQLITE_ERROR", errcode, errstr: text });
  };
for (const name of ["exec", "prepare"] as const) wrap(sqlite.DatabaseSync.prototype, name, ofSqlite);
for (const name of ["run", "get", "all", "iterate"] as const) wrap(sqlite.StatementSync.prototype, name, ofSqlite);

/** As PostgreSQL says what its own system told it. */
const sqlStates: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ["53100", "could not extend file: No space left on device"],
  EIO: ["58030", "could not read block: Input/output error"],
  EMFILE: ["53000", "out of file descriptors"],
  EACCES: ["42501", "permission denied for table"],
  EROFS: ["25006", "cannot execute INSERT in a read-only transaction"],
  EDQUOT: ["53300", "sorry, too many clients already"],
  ENOENT: ["42P01", "relation does not exist"],
  ENOTDIR: ["57P03", "the database system is starting up"],
  ESTALE: ["40001", "could not serialize access due to concurrent update"],
  EUCLEAN: ["XX001", "invalid page in block 0 of relation"],
  EPIPE: ["57P01", "terminating connection due to administrator command"],
};
const ofPostgres = (kind: FaultKind, original: Work): Work =>
  function (this: unknown, ...args: never[]) {
    const [code, text] = sqlStates[kind] ?? [];
    if (text !== undefined) return Promise.reject(Object.assign(new Error(text), { code, severity: "ERROR" }));
    // It does not end by itself: the limits of the service do that.
    const [query] = args as unknown as [{ text: string } | string];
    const slow = typeof query === "string" ? {} : query;
    return original.call(this, { ...slow, text: "SELECT pg_sleep(1000)", values: [] } as never);
  };
const { Pool, Client } = createRequire(new URL("../../package.json", import.meta.url))("pg") as typeof pg;
for (const owner of [Pool.prototype, Client.prototype]) wrap(owner, "query", ofPostgres);

// The requests of the client of S3 come long after the call of a source: they are known by who sends them.
const { request } = http;
http.request = ((options: http.RequestOptions, ...more: never[]) => {
  const isOfS3 = (new Error("where").stack ?? "").includes("node-http-handler");
  const place = "service/src/storage/objects/s3-object-store.ts send";
  if (isOfS3) places.add(place);
  if (!isOfS3 || active?.place !== place) return request(options, ...more);
  hits += 1;
  const { kind } = active;
  const agent = new http.Agent();
  agent.createConnection = () => {
    const socket = new net.Socket();
    if (kind !== "hang") setImmediate(() => socket.destroy(createError(kind, "connect")));
    return socket;
  };
  return request({ ...options, agent }, ...more);
}) as typeof http.request;

syncBuiltinESMExports();

// What nobody handles is what ends processes: it is told, and not only by the code of the process.
const path = process.env["FAULT_SOCKET"];
if (path !== undefined) {
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.setEncoding("utf8").on("data", (text: string) => {
      active = parseFault(text);
      socket.end(JSON.stringify({ hits, places: [...places] }));
      hits = 0;
    });
  });
  server.listen(path).unref();
}
