import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, posix } from "node:path";
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
 * @returns Undefined where it was not built.
 */
export function readConsoleFiles(): ConsoleFiles | undefined {
  for (const folder of findFolders()) {
    const page = readPage(folder);
    if (page !== undefined) return { page, assets: readAssets(folder) };
  }
  return undefined;
}

function findFolders(): readonly string[] {
  const here = dirname(fileURLToPath(import.meta.url));
  return import.meta.url.endsWith(".ts") ? [join(here, "../../../console/dist")] : [join(here, "console")];
}

function readPage(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "index.html"), "utf8");
  } catch {
    return undefined;
  }
}

function readAssets(folder: string): ReadonlyMap<string, ConsoleFile> {
  const names = readdirSync(join(folder, "assets")).filter((name) => types[extname(name)] !== undefined);
  return new Map(
    names.map((name): [string, ConsoleFile] => {
      const bytes = readFileSync(join(folder, "assets", name));
      return [posix.join("assets", name), { bytes, gzipped: gzipSync(bytes), type: types[extname(name)] ?? "" }];
    }),
  );
}
