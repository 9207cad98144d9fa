import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { makeRelease } from "../src/make-release.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Tarball of each published package, and the folder that it was unpacked to, by name. */
    readonly packed: Record<string, Packed>;
    /** Where they are. */
    readonly packedFolder: string;
    /** Folder of the release that they are of. */
    readonly releaseFolder: string;
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

/** Makes a release once, for all files of tests, of the working tree as it is. */
export default async function packAll(project: TestProject): Promise<() => void> {
  const to = realpathSync(mkdtempSync(join(tmpdir(), "packed-")));
  const releaseFolder = join(to, "release");
  const record = await makeRelease({ folder: releaseFolder, withUncommitted: true });
  const packed: Record<string, Packed> = {};
  for (const { name, file } of record.packages) {
    const folder = join(to, name);
    const tarball = join(releaseFolder, file);
    mkdirSync(folder, { recursive: true });
    await execute("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
    packed[name] = { tarball, folder };
  }
  project.provide("packed", packed);
  project.provide("packedFolder", to);
  project.provide("releaseFolder", releaseFolder);
  return () => rmSync(to, { recursive: true, force: true });
}
