import { builtin } from "./local-file.ts";

/** Paths that this process is writing to. */
const active = new Set<string>();

/** Age after which what another machine left is removed, in milliseconds. */
const maxAgeMs = 86_400_000;

/** Path of an incomplete file, beside its final path. */
export interface PartialPath {
  /** The path: unique, in the same folder, and no longer than its name may be. */
  readonly path: string;
  /** Marks it as no longer written to. */
  readonly release: () => void;
}

/**
 * Creates a path for what will be renamed to another one: `<path>.<owner>.<random>.part`.
 *
 * Removes those of the same path whose process was killed: on this machine, or on another one a day ago.
 */
export async function createPartialPath(path: string): Promise<PartialPath> {
  const paths = await builtin("node:path");
  const os = await builtin("node:os");
  // Most file systems have names of up to 255 bytes.
  const characters = Array.from(paths.basename(path));
  while (new TextEncoder().encode(characters.join("")).length > 200) characters.pop();
  const [folder, name, host] = [paths.dirname(path), characters.join(""), hashAddress(os.hostname())];
  await removeStale(folder, name, host).catch(() => undefined);
  const random = crypto.randomUUID().slice(0, 8);
  const partial = paths.join(folder, `${name}.${host}-${process.pid}.${random}.part`);
  active.add(partial);
  return { path: partial, release: () => active.delete(partial) };
}

async function removeStale(folder: string, name: string, host: string): Promise<void> {
  const fs = await builtin("node:fs/promises");
  const paths = await builtin("node:path");
  for (const entry of await fs.readdir(folder)) {
    const rest = entry.startsWith(`${name}.`) ? entry.slice(name.length + 1) : "";
    const [, owner, pid] = /^([\da-f]{8})-(\d+)\.[\da-f]{8}\.part$/.exec(rest) ?? [];
    const partial = paths.join(folder, entry);
    if (pid === undefined || active.has(partial)) continue;
    const { mtimeMs } = await fs.stat(partial);
    if (owner === host ? isRunning(Number(pid)) : mtimeMs > Date.now() - maxAgeMs) continue;
    await fs.rm(partial, { recursive: true, force: true });
  }
}

/** Returns whether another process of this machine runs. This one writes only to the paths that it knows. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It may be that of another user, or may not be asked for.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Returns eight hexadecimal digits for a text, of any length. */
function hashAddress(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
