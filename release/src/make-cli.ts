// Makes a release: npm run release [-- --out FOLDER] [--uncommitted]. RELEASE_REPOSITORY is the public address of the repository.
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeRelease } from "./make-release.ts";
import { releaseFiles } from "./release-record.ts";
import { repositoryRoot } from "./workspace.ts";

try {
  const { values } = parseArgs({
    options: { out: { type: "string" }, uncommitted: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values.help) {
    console.log(
      "Usage: npm run release [-- --out FOLDER] [--uncommitted]\n\nMakes tarballs, changelogs, SBOM, licences and checksums in a clean clone of the commit; publishes nothing.\nFOLDER: default reports/release. RELEASE_REPOSITORY: https address of the repository.",
    );
  } else {
    const folder = resolve(process.env["INIT_CWD"] ?? ".", values.out ?? resolve(repositoryRoot, "reports/release"));
    const record = await makeRelease({
      folder,
      repository: process.env["RELEASE_REPOSITORY"] || undefined,
      withUncommitted: values.uncommitted ?? false,
      onStep: (sentence) => console.error(`release: ${sentence} …`),
    });
    const shown = relative(process.cwd(), folder);
    const at = shown === "" || shown.startsWith("..") ? folder : shown;
    console.log(`Release ${record.version} of ${record.commit.slice(0, 12)}, ${record.packages.length} packages:`);
    for (const { file } of record.packages) console.log(`  ${at}/${file}`);
    for (const name of ["notes", "bill", "licences", "checksums", "record"] as const) {
      console.log(`  ${at}/${releaseFiles[name]}`);
    }
    for (const obstacle of record.obstacles) console.log(`Not to be published: ${obstacle}.`);
    if (record.obstacles.length === 0) console.log(`Publish it: npm run publish-release -- ${at}`);
  }
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
