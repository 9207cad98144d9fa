// The `prepack` script of every package: npm and others would ship `workspace:` and `catalog:` ranges as they stand,
// which nobody can install. pnpm puts versions in their place, and adds the licence. A package whose build is missing is not packed
// either: pnpm leaves out files that are not there, and says nothing.
// Not the user agent: npm hands on that of a pnpm which called it.
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const packer = basename(process.env["npm_execpath"] ?? "an unknown program");
if (!packer.startsWith("pnpm")) {
  console.error(`This package can only be packed and published by pnpm; this is ${packer}.`);
  console.error("Publish all packages with: npm run release. Pack one with: npx pnpm pack.");
  process.exit(1);
}

const { name, files = [], main, types, bin, exports } = JSON.parse(readFileSync("package.json", "utf8"));

/** Paths of files in a part of the manifest; that of sources is for this repository only. */
function listPaths(part) {
  if (typeof part === "string") return [part];
  return Object.entries(part ?? {}).flatMap(([key, inner]) =>
    key === "@cloud-browser/source" ? [] : listPaths(inner),
  );
}

const named = [...files, ...listPaths(main), ...listPaths(types), ...listPaths(bin), ...listPaths(exports)];
const missing = [...new Set(named)].filter((path) => !path.includes("*") && !existsSync(path));
if (missing.length > 0) {
  console.error(`${name} is not built: ${missing.slice(0, 3).join(", ")}${missing.length > 3 ? ", …" : ""} missing.`);
  console.error(`Build it first, in the root of the repository: npx turbo run build --filter=${name}`);
  process.exit(1);
}
