import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeBillOfMaterials } from "./bill-of-materials.ts";
import { findBundledPackages, type BundledPackage } from "./bundled-code.ts";
import { applyChanges, listPendingChanges, renderReleaseNotes } from "./changes.ts";
import { cloneClean } from "./clean-clone.ts";
import { findLicenceProblems } from "./licences.ts";
import { writeOutwardLinks } from "./outward-links.ts";
import { renderLicences } from "./render-licences.ts";
import { releaseFiles, renderChecksums, type ReleaseRecord } from "./release-record.ts";
import { buildPackages, installDependencies, packPackages, writeRepository } from "./tarballs.ts";
import { listPublishedPackages, repositoryRoot } from "./workspace.ts";

/** Options of making a release. */
export interface ReleaseOptions {
  /** Folder of the release, whose content is replaced. */
  readonly folder: string;
  /** Public address of the repository, for packages whose `package.json` names none. */
  readonly repository?: string | undefined;
  /** True to include uncommitted changes; such a release can't be published. Default: false. */
  readonly withUncommitted?: boolean;
  /** Called at the start of each step. */
  readonly onStep?: (sentence: string) => void;
}

/**
 * Makes a release of the commit that this repository stands on, in a clean clone: versions and changelogs by the change files, tarballs,
 * release notes, a bill of materials, the list of licences, and checksums. Publishes nothing and changes nothing in the repository. The
 * same commit gives the same files.
 *
 * @throws {Error} if a step fails, or a licence is not permissive; the folder is not touched then.
 */
export async function makeRelease(options: ReleaseOptions): Promise<ReleaseRecord> {
  const { folder, repository, withUncommitted = false, onStep = () => undefined } = options;
  checkFolder(folder);
  checkAddress(repository);
  onStep("cloning the commit");
  using clone = await cloneClean(repositoryRoot, withUncommitted);
  const { root } = clone;
  onStep("installing dependencies");
  await installDependencies(clone);
  const pending = listPendingChanges(root);
  if (pending.length > 0) {
    onStep(`giving versions, by ${pending.length} change files`);
    await applyChanges(clone);
  }
  if (repository !== undefined) writeRepository(root, listPublishedPackages(root), repository);
  const packages = listPublishedPackages(root);
  writeOutwardLinks(root, packages, { repository, commit: clone.commit });
  const notes = renderReleaseNotes(root, packages);
  onStep(`building ${packages.length} packages`);
  await buildPackages(clone, packages);
  onStep("packing them");
  const draft = join(root, "..", "release");
  const tarballs = await packPackages(clone, packages, join(draft, releaseFiles.tarballs));
  onStep("listing what they are made of, and its licences");
  const bundled = new Map<string, readonly BundledPackage[]>(
    packages.map((one) => [one.manifest.name, findBundledPackages(root, one)]),
  );
  const bill = await makeBillOfMaterials(clone, packages, bundled);
  const problems = findLicenceProblems(bill.parts);
  if (problems.length > 0) {
    throw new Error(`licences that this repository does not allow (release/src/licences.ts):\n${problems.join("\n")}`);
  }

  const versions = [...new Set(packages.map(({ manifest }) => manifest.version))];
  const lacking = packages.filter(({ directory, manifest: { repository: stated } }) => stated?.directory !== directory);
  const record: ReleaseRecord = {
    version: versions.join(", "),
    commit: clone.commit,
    committedAt: clone.committedAt.toISOString(),
    obstacles: [
      ...(clone.uncommitted.length > 0 ? ["it has what was not committed"] : []),
      ...(pending.length > 0
        ? [`the versions are not committed: run \`npx pnpm changeset version\` and commit what it writes`]
        : []),
      ...(lacking.length > 0
        ? [
            `${lacking.length} packages do not say where their sources are: set RELEASE_REPOSITORY=https://…, or \`repository\` in package.json`,
          ]
        : []),
    ],
    packages: packages.map(({ manifest: { name, version } }) => ({
      name,
      version,
      file: `${releaseFiles.tarballs}/${tarballs.get(name)}`,
    })),
  };
  writeFileSync(join(draft, releaseFiles.notes), notes);
  writeFileSync(join(draft, releaseFiles.bill), bill.text);
  writeFileSync(join(draft, releaseFiles.licences), renderLicences(bill.parts, bundled));
  writeFileSync(join(draft, releaseFiles.record), `${JSON.stringify(record, undefined, 2)}\n`);
  writeFileSync(join(draft, releaseFiles.checksums), renderChecksums(draft));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(draft, folder, { recursive: true });
  return record;
}

/** Checks that the folder to be replaced holds an earlier release. */
function checkFolder(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  if (existsSync(join(folder, releaseFiles.record))) return;
  throw new Error(`${folder} is not empty and holds no release: give another folder with --out`);
}

function checkAddress(repository: string | undefined): void {
  if (repository === undefined) return;
  const url = URL.canParse(repository) ? new URL(repository) : undefined;
  if (url?.protocol === "https:" && url.username === "" && url.password === "") return;
  throw new Error("RELEASE_REPOSITORY is not the https address of a repository, without credentials");
}
