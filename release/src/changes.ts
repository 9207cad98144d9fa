import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CleanClone } from "./clean-clone.ts";
import { runProgram } from "./run-program.ts";
import type { PublishedPackage } from "./workspace.ts";

/** Lines of a changelog with new versions of dependencies only, or with nothing. */
const onlyFollows = /^- Updated dependencies|^\s*- @[\w-]+\/[\w-]+@\d[^\s]*$|^No changes in this release\.$/;

/** Lists the change files that no version has yet. */
export function listPendingChanges(root: string): string[] {
  const folder = join(root, ".changeset");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted();
}

/** Sets the versions of the packages of a clone by its change files, and writes their changelogs. */
export async function applyChanges({ root, pnpm }: CleanClone): Promise<void> {
  await runProgram("npx", [...pnpm, "exec", "changeset", "version"], { cwd: root, minutes: 2 });
}

/**
 * Returns the section of a version in a changelog, without its heading and without lists of dependencies that only have a new version.
 *
 * @returns Undefined where the changelog does not have the version.
 */
export function findChanges(changelog: string, version: string): string | undefined {
  const lines = changelog.split("\n");
  const start = lines.indexOf(`## ${version}`);
  if (start === -1) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  const section = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  const own = section.filter((line) => !onlyFollows.test(line)).join("\n");
  return own
    .replaceAll(/^### [^\n]*\n+(?=###|$(?![^]))/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * Renders the changes of all packages as one Markdown document: the text of a release.
 *
 * @throws {Error} if a package has no entry for its version: a changelog would be empty.
 */
export function renderReleaseNotes(root: string, packages: readonly PublishedPackage[]): string {
  const sections = packages.map(({ directory, manifest: { name, version } }) => {
    const file = join(root, directory, "CHANGELOG.md");
    const changes = existsSync(file) ? findChanges(readFileSync(file, "utf8"), version) : undefined;
    if (changes === undefined) {
      throw new Error(`${directory}/CHANGELOG.md has no entry for ${version}; add a change file: npx pnpm change`);
    }
    return { heading: `## ${name} ${version}`, changes };
  });
  const changed = sections.filter(({ changes }) => changes !== "");
  const same = sections.filter(({ changes }) => changes === "").map(({ heading }) => heading.slice(3));
  const rest = same.length === 0 ? [] : [`Without changes of their own: ${same.join(", ")}.`];
  return `${["# Release notes", ...changed.map(({ heading, changes }) => `${heading}\n\n${changes}`), ...rest].join("\n\n")}\n`;
}
