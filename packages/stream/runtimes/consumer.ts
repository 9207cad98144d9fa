import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../../package.json" with { type: "json" };
import { execute } from "./execute.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const packageFolder = fileURLToPath(new URL("..", import.meta.url));

/** A project outside the workspace that has the package installed, as a user would. */
export interface Consumer {
  /** The folder with the entries, the case file and `node_modules`. */
  readonly folder: string;
  /** Removes it. */
  remove(): void;
}

/** Packs the package, which has been built, and installs the tarball in a temporary folder beside the entries of the runtimes. */
export async function makeConsumer(): Promise<Consumer> {
  const folder = mkdtempSync(join(tmpdir(), "stream-runtimes-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const packed = join(folder, "packed");
    mkdirSync(packed);
    const pnpm = ["--yes", manifest.packageManager];
    await execute("npx", [...pnpm, "pack", "--pack-destination", packed], { cwd: packageFolder });
    const tarballs = readdirSync(packed).map((name) => join(packed, name));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await execute("npm", ["install", "--offline", "--ignore-scripts", ...tarballs], { cwd: folder });
    const entries = readdirSync(here).filter((name) => /\.(mjs|html|capnp)$/.test(name));
    for (const name of entries) cpSync(join(here, name), join(folder, name));
    cpSync(join(packageFolder, "test/data/sse-cases.json"), join(folder, "sse-cases.json"));
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
