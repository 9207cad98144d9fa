import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { adviceOnStorage, describeStorageError, isAbsence } from "@cloud-browser/recorder";
import { isPartlyFilled } from "./backup/placed-folder.ts";
import type { Lease } from "./storage/lease-store.ts";
import { ServiceError } from "./service-error.ts";

/** Where a running service can be reached, for the other commands on this machine. */
export interface ServiceAddress {
  /** Base address, without a slash at its end. */
  readonly url: string;
  /** Its address on this machine, where `url` is that of a proxy before it. */
  readonly local?: string;
  /** Its API key. A secret. */
  readonly apiKey: string;
}

/** The folder that a service keeps its data in unless it is given another one. */
export function findDefaultDataFolder(): string {
  const { XDG_DATA_HOME: dataHome = "" } = process.env;
  // Empty and relative paths are ignored, as the XDG Base Directory Specification requires.
  return join(isAbsolute(dataHome) ? dataHome : join(homedir(), ".local", "share"), "cloud-browser");
}

/** The folder of a service: its records, its recordings, and its secrets, readable by its owner only. */
export class DataFolder {
  /** Path of the folder. */
  readonly path: string;

  /**
   * @param path - Of the folder; nothing is made there yet.
   * @throws {ServiceError} `usage` if it is empty: the working directory is not a useful default.
   */
  constructor(path: string) {
    if (path === "") throw new ServiceError("usage", "`data` must not be empty; omit it, or give the path of a folder");
    this.path = path;
  }

  /**
   * Makes the folder when it is not there.
   *
   * @returns What `findWeakness` finds.
   * @throws {ServiceError} `usage` when it can't be written to, when everybody may write to it, or when a restore has left only a part of it.
   */
  make(): string | undefined {
    this.#requireWhole();
    try {
      makeFolder(this.recordings);
    } catch (cause) {
      throw new ServiceError("usage", `${this.path} is not writable; give another folder with \`data\``, { cause });
    }
    return this.findWeakness();
  }

  /**
   * Requires that a service of this user can be started on a folder that is there, as far as that can be seen without opening anything in it.
   *
   * @throws {ServiceError} `usage` when a restore has left only a part of it, or something in it may not be read or written.
   */
  requireUsable(): void {
    this.#requireWhole();
    const { R_OK, W_OK, X_OK } = constants;
    const written = [this.records, `${this.records}-wal`, `${this.records}-shm`];
    const needed: readonly (readonly [path: string, rights: number])[] = [
      [this.path, R_OK | W_OK | X_OK],
      ...written.map((file) => [file, R_OK | W_OK] as const),
      ...[this.recordings, this.files].map((folder) => [folder, R_OK | W_OK | X_OK] as const),
      ...[this.#keyFile, this.#signingFile].map((file) => [file, R_OK] as const),
    ];
    for (const [path, rights] of needed) {
      try {
        accessSync(path, rights);
      } catch (cause) {
        if (isAbsence(cause)) continue;
        const why = `this user may not read and write ${path}; give it to the user of the service, with all that is in ${this.path}`;
        throw new ServiceError("usage", why, { cause });
      }
    }
  }

  /** @throws {ServiceError} `usage` when a restore has left only a part of it. */
  #requireWhole(): void {
    if (!isPartlyFilled(this.#listNames())) return;
    const why = `${this.path} holds what an interrupted restore has left; empty it, and restore the backup again`;
    throw new ServiceError("usage", why);
  }

  /**
   * Returns what is wrong with a folder that is there, and can be used all the same: its group may exchange its files, or everybody the folder
   * itself, as the one that it is in is open to all. Undefined when all is well.
   *
   * @throws {ServiceError} `usage` when everybody may write to it.
   */
  findWeakness(): string | undefined {
    if (process.platform === "win32") return undefined;
    const mode = this.#readMode();
    const advice = `take that right away (chmod go-w ${this.path})`;
    if ((mode & 0o002) !== 0) {
      throw new ServiceError(
        "usage",
        `${this.path}: everybody on this machine may exchange its files; ${advice}, or give another folder with \`data\``,
      );
    }
    if ((mode & 0o020) !== 0) return `${this.path}: its group may exchange its files; ${advice}`;
    const parent = this.#openParent();
    if (parent === undefined) return undefined;
    return `${this.path}: everybody on this machine may exchange it; take that right away (chmod go-w ${parent})`;
  }

  /** Returns the folder that this one is in where everybody may exchange its entries; undefined for any other, and one that can't be read. */
  #openParent(): string | undefined {
    try {
      const parent = dirname(realpathSync(this.path));
      const { mode } = statSync(parent);
      return (mode & 0o002) !== 0 && (mode & sticky) === 0 ? parent : undefined;
    } catch {
      return undefined;
    }
  }

  /** File of the records. */
  get records(): string {
    return join(this.path, "records.sqlite");
  }

  /** File in which a copy of the records is while it is made. */
  get recordsCopy(): string {
    return join(this.path, "records.copy.sqlite");
  }

  /** True when the API key is in this folder. */
  get hasKey(): boolean {
    return existsSync(this.#keyFile);
  }

  /** Folder of the recordings. */
  get recordings(): string {
    return join(this.path, "recordings");
  }

  /** Folder of the files of sessions. */
  get files(): string {
    return join(this.path, "files");
  }

  /** The secret that signs addresses and tokens, made when it is first asked for: 32 random bytes. */
  readSigningSecret(): Uint8Array {
    const file = this.#signingFile;
    try {
      const stored = Buffer.from(readFileSync(file, "utf8").trim(), "base64url");
      if (stored.length === 32) return stored;
    } catch (error) {
      // What can't be read now is not made anew: all addresses and tokens would be void.
      if (!isAbsence(error)) throw makeUnusableError(file, error);
    }
    const secret = randomBytes(32);
    this.#write(file, secret.toString("base64url"));
    return secret;
  }

  /**
   * The API key of this folder, made when it is first asked for. Its file holds the key as it is sent, and one that is put there is taken.
   *
   * @throws {ServiceError} `usage` when the file can't be read, or holds no key.
   */
  readApiKey(): string {
    const stored = this.readKey();
    // Earlier versions wrote a key without its prefix.
    if (stored !== undefined && (!/^[\w-]{43}$/.test(stored) || stored.startsWith(keyPrefix))) return stored;
    const key = keyPrefix + (stored ?? randomBytes(32).toString("base64url"));
    this.#write(this.#keyFile, `${key}\n`);
    return key;
  }

  /**
   * The API key in the file of this folder, as it is written there; undefined without one.
   *
   * @throws {ServiceError} `usage` when the file can't be read, or holds no key.
   */
  readKey(): string | undefined {
    const file = this.#keyFile;
    if (!existsSync(file)) return undefined;
    let key: string;
    try {
      key = readFileSync(file, "utf8").trim();
    } catch (cause) {
      throw new ServiceError("usage", `${file}, which holds the API key, is not readable`, { cause });
    }
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new ServiceError(
        "usage",
        `${file} has no valid API key (printable ASCII without spaces); write one, or delete the file`,
      );
    }
    return key;
  }

  /** Name of the node that keeps its data here, made when it is first asked for. */
  readNodeName(): string {
    const file = join(this.path, "node-name");
    try {
      if (existsSync(file)) return readFileSync(file, "utf8").trim();
    } catch (error) {
      throw makeUnusableError(file, error);
    }
    const name = `node-${randomBytes(6).toString("hex")}`;
    this.#write(file, `${name}\n`);
    return name;
  }

  /** The lease of the last node with this folder; undefined if there was none. The folder is locked, so that node has ended. */
  get lease(): Lease | undefined {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `keepLease`
      return JSON.parse(readFileSync(this.#lease, "utf8")) as Lease;
    } catch {
      return undefined;
    }
  }

  /** Keeps the lease of the node that keeps its data here. */
  keepLease(lease: Lease): void {
    this.#write(this.#lease, JSON.stringify(lease));
  }

  /** Writes the address of the service, for the other commands. */
  announce(address: ServiceAddress): void {
    this.#write(this.#address, JSON.stringify(address));
  }

  /** Removes the address of the service, which can't be reached any more. Does nothing when that fails: whoever connects finds out. */
  withdraw(): void {
    try {
      rmSync(this.#address, { force: true });
    } catch {
      // The next start writes it anew.
    }
  }

  /** Address of the service of this folder; undefined if none was written. */
  get address(): ServiceAddress | undefined {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `announce`
      return JSON.parse(readFileSync(this.#address, "utf8")) as ServiceAddress;
    } catch {
      return undefined;
    }
  }

  get #keyFile(): string {
    return join(this.path, "api-key.secret");
  }

  get #signingFile(): string {
    return join(this.path, "signing.secret");
  }

  get #lease(): string {
    return join(this.path, "lease.json");
  }

  get #address(): string {
    return join(this.path, "service.json");
  }

  /** Names of the files in the folder; none where it is not there, or can't be read. */
  #listNames(): readonly string[] {
    try {
      return readdirSync(this.path);
    } catch {
      return [];
    }
  }

  #readMode(): number {
    try {
      return statSync(this.path).mode;
    } catch (error) {
      throw makeUnusableError(this.path, error);
    }
  }

  /** @throws {ServiceError} `storage-failed` */
  #write(file: string, text: string): void {
    const next = `${file}.${process.pid}.next`;
    try {
      writeFileSync(next, text, { mode: 0o600 });
      renameSync(next, file);
    } catch (error) {
      removeQuietly(next);
      throw makeUnusableError(file, error);
    }
  }
}

/** Removes a file that was written in part, on a full disk, for example. Ignores failures: it takes no room that matters. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The error that led here is told.
  }
}

/** Returns the error for a file of the folder that the system refuses. */
function makeUnusableError(file: string, cause: unknown): ServiceError {
  const why = `${file} can't be used: ${describeStorageError(cause)}; ${adviceOnStorage(cause)}`;
  return new ServiceError("storage-failed", why, { cause });
}
/** Mode of a folder, such as `/tmp`, in which only the owner of an entry may exchange it. */
const sticky = 0o1000;

/** Prefix of generated API keys. */
const keyPrefix = "cb_";

/** Creates a folder with its parents. Node's `recursive` hangs where no folder can be created, as in `/proc`. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}
