import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** One file of the console. */
export interface ConsoleFile {
  /** Its bytes. */
  readonly bytes: Buffer<ArrayBuffer>;
  /** The same, compressed with gzip. */
  readonly gzipped: Buffer<ArrayBuffer>;
  /** Its media type. */
  readonly type: string;
}

/** The console as it was built. */
export interface ConsoleFiles {
  /** The page. */
  readonly page: string;
  /** Its scripts, styles and pictures, by their paths below `/console/`. Their names have a hash of their content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads the console: of the published package beside its code, in the repository where its own package builds it. They are some 300 kB,
 * which stay in memory.
 *
 * @returns Undefined where it was not built, or can't be read.
 */
export function readConsoleFiles(folder: string = findFolder()): ConsoleFiles | undefined {
  try {
    const page = readFileSync(join(folder, "index.html"), "utf8");
    const names = readdirSync(join(folder, "assets")).filter((name) => types[extname(name)] !== undefined);
    const assets = names.map((name): [string, ConsoleFile] => [
      `assets/${name}`,
      readAsset(join(folder, "assets", name)),
    ]);
    return { page, assets: new Map(assets) };
  } catch {
    return undefined;
  }
}

function findFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return import.meta.url.endsWith(".ts") ? join(here, "../../../console/dist") : join(here, "console");
}

function readAsset(path: string): ConsoleFile {
  const bytes = readFileSync(path);
  return { bytes, gzipped: gzipSync(bytes), type: types[extname(path)] ?? "" };
}
