import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import root from "../../package.json" with { type: "json" };
import { publishedFolders } from "./published.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Tarball of each published package, and the folder that it was unpacked to, by name. */
    readonly packed: Record<string, Packed>;
    /** Where they are. */
    readonly packedFolder: string;
  }
}

/** A package as it would be published. */
export interface Packed {
  /** Path of the tarball. */
  readonly tarball: string;
  /** Folder with what the tarball holds. */
  readonly folder: string;
}

const execute = promisify(execFile);

/** Packs the builds of all published packages once, for all files of tests. */
export default async function packAll(project: TestProject): Promise<() => void> {
  const to = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  const packed: Record<string, Packed> = {};
  for (const from of publishedFolders) {
    const cwd = fileURLToPath(new URL(`../../${from}`, import.meta.url));
    const { name }: { name: string } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    const tarball = join(to, `${name.replace(/\W+/g, "-")}.tgz`);
    await execute("npx", ["--yes", root.packageManager, "pack", "--out", tarball], { cwd });
    const folder = join(to, name);
    await execute("mkdir", ["-p", folder]);
    await execute("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
    packed[name] = { tarball, folder };
  }
  project.provide("packed", packed);
  project.provide("packedFolder", to);
  return () => rmSync(to, { recursive: true, force: true });
}
