import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";

/** Names of the files of a release, in its folder. */
export const releaseFiles = {
  record: "release.json",
  notes: "RELEASE-NOTES.md",
  bill: "sbom.cdx.json",
  licences: "LICENCES.md",
  checksums: "SHA256SUMS",
  tarballs: "packages",
} as const;

const recordForm = z.strictObject({
  version: z.string(),
  commit: z.string(),
  committedAt: z.iso.datetime({ offset: true }),
  obstacles: z.array(z.string()),
  packages: z.array(z.strictObject({ name: z.string(), version: z.string(), file: z.string() })),
});

/** Content of a release, as in `release.json` in its folder. */
export type ReleaseRecord = z.infer<typeof recordForm>;

/**
 * Reads the record of the release in a folder.
 *
 * @throws {Error} if there is none.
 */
export function readRelease(folder: string): ReleaseRecord {
  const file = join(folder, releaseFiles.record);
  if (!existsSync(file)) throw new Error(`${folder} holds no release: ${releaseFiles.record} is missing`);
  return recordForm.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Renders the SHA-256 of all files below a folder, but for the list itself, as `sha256sum --check` reads them. */
export function renderChecksums(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((name) => name !== releaseFiles.checksums)
    .toSorted();
  return files.map((name) => `${sha256(join(folder, name))}  ${name}\n`).join("");
}

/**
 * Compares the files of a release with their checksums.
 *
 * @throws {Error} if one differs, is missing or is not in the list.
 */
export function checkChecksums(folder: string): void {
  const checksums = readFileSync(join(folder, releaseFiles.checksums), "utf8");
  const actual = renderChecksums(folder);
  if (checksums === actual) return;
  const before = new Set(checksums.split("\n"));
  const now = new Set(actual.split("\n"));
  const differing = [...before.symmetricDifference(now)].map((line) => line.slice(66));
  throw new Error(`not as ${releaseFiles.checksums} of ${folder} says: ${[...new Set(differing)].join(", ")}`);
}

const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");
