import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CleanClone } from "./clean-clone.ts";
import { runProgram } from "./run-program.ts";
import type { PublishedPackage } from "./workspace.ts";

/** Installs the dependencies of a clone, from the registry where the store of pnpm lacks them. */
export async function installDependencies({ root, pnpm }: CleanClone): Promise<void> {
  const args = ["install", "--frozen-lockfile", "--prefer-offline", "--reporter=append-only", "--loglevel=warn"];
  await runProgram("npx", [...pnpm, ...args], { cwd: root, minutes: 10 });
}

/** Builds all packages that are published, and takes nothing from a cache of earlier builds. */
export async function buildPackages(clone: CleanClone, packages: readonly PublishedPackage[]): Promise<void> {
  const args = ["exec", "turbo", "run", "build", "--force", ...listFilters(packages)];
  await runProgram("npx", [...clone.pnpm, ...args], { cwd: clone.root, minutes: 15 });
}

/**
 * Packs all packages that are published.
 *
 * @param folder - Where the tarballs go.
 * @returns File name of each tarball, by the name of its package.
 */
export async function packPackages(
  { root, pnpm }: CleanClone,
  packages: readonly PublishedPackage[],
  folder: string,
): Promise<Map<string, string>> {
  mkdirSync(folder, { recursive: true });
  const args = ["--recursive", ...listFilters(packages), "pack", "--pack-destination", folder];
  await runProgram("npx", [...pnpm, ...args], { cwd: root, minutes: 5 });
  return new Map(
    packages.map(({ manifest: { name, version } }) => [
      name,
      `${name.replace(/^@/, "").replaceAll("/", "-")}-${version}.tgz`,
    ]),
  );
}

/**
 * Writes into each `package.json` of a clone where its sources are, unless it says so itself: npm shows the address, and provenance is
 * proven with it.
 *
 * @param address - Of the repository, such as `https://github.com/owner/name`.
 */
export function writeRepository(root: string, packages: readonly PublishedPackage[], address: string): void {
  for (const { directory, manifest } of packages) {
    if (manifest.repository) continue;
    const file = join(root, directory, "package.json");
    const repository = { type: "git", url: `git+${address.replace(/\.git$/, "")}.git`, directory };
    const parsed: object = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, `${JSON.stringify({ ...parsed, repository }, undefined, 2)}\n`);
  }
}

const listFilters = (packages: readonly PublishedPackage[]): string[] =>
  packages.map(({ manifest }) => `--filter=${manifest.name}`);
