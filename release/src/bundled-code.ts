import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import type { PublishedPackage } from "./workspace.ts";

/** Third-party package whose code is in a build of ours. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** Its licence, as its `package.json` says. */
  readonly license: string;
}

/** File in `dist` with the bundled packages of a build without source maps. */
const listName = "bundled.json";

const mapForm = z.looseObject({ sources: z.array(z.string()) });

const listForm = z.array(
  z
    .looseObject({ name: z.string(), version: z.string(), identifier: z.string().default("") })
    .transform(({ name, version, identifier }): BundledPackage => ({ name, version, license: identifier })),
);

const manifestForm = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().default(""),
});

/**
 * Finds the packages of others whose code is in a build: by the source maps of its scripts, and by `bundled.json` for scripts without one.
 *
 * @param root - Of the clone that was built.
 * @throws {Error} if a script has neither, or if the package names one of them in no file that it publishes.
 */
export function findBundledPackages(root: string, { directory, manifest }: PublishedPackage): BundledPackage[] {
  const dist = join(root, directory, "dist");
  if (!existsSync(dist)) return [];
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  const lists = files.filter((file) => file.split("/").at(-1) === listName);
  const byVersion = new Map<string, BundledPackage>();
  const add = ({ name, version, license }: BundledPackage): void =>
    void byVersion.set(`${name}@${version}`, { name, version, license });
  for (const list of lists) {
    for (const one of listForm.parse(JSON.parse(readFileSync(join(dist, list), "utf8")))) add(one);
  }
  for (const file of files.filter((name) => /\.[cm]?js$/.test(name))) {
    const map = join(dist, `${file}.map`);
    if (existsSync(map)) for (const one of listPackages(map)) add(one);
    else if (isListed(file, lists) || passesOn(readFileSync(join(dist, file), "utf8"))) continue;
    else {
      throw new Error(
        `${directory}/dist/${file} has no source map, and no ${listName} says what was bundled into it: ` +
          "its licences can't be known. Let the build write one of the two.",
      );
    }
  }
  // Our own packages are under our own licence.
  const bundled = [...byVersion.values()].filter(({ name }) => name.split("/")[0] !== manifest.name.split("/")[0]);
  const notices = getNotices(join(root, directory));
  const unnamed = bundled.filter(({ name, version }) => !notices.includes(`${name} ${version}`));
  if (unnamed.length > 0) {
    throw new Error(
      `${manifest.name} publishes code of ${unnamed.map(({ name, version }) => `${name} ${version}`).join(", ")}, ` +
        "whose licences want to be given with it: name it, with its version and licence, in THIRD-PARTY-LICENSES.txt of the package.",
    );
  }
  return bundled;
}

const isListed = (file: string, lists: readonly string[]): boolean =>
  lists.some((list) => !relative(dirname(list), file).startsWith(".."));

/** Returns whether a script only re-exports other scripts: no source map is written for it. */
function passesOn(script: string): boolean {
  const statement = /^(?:import\s*(?:\{[^}]*\}\s*from\s*)?"[^"]*"|export\s*\{[^}]*\}(?:\s*from\s*"[^"]*")?);?$/gm;
  return (
    script
      .replaceAll(statement, "")
      .replaceAll(/^\/\/.*$/gm, "")
      .trim() === ""
  );
}

function listPackages(map: string): BundledPackage[] {
  const { sources } = mapForm.parse(JSON.parse(readFileSync(map, "utf8")));
  const folders = new Set<string>();
  for (const source of sources) {
    const path = resolve(dirname(map), source.replace(/^file:\/\//, ""));
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].map((folder) =>
    manifestForm.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))),
  );
}

function getNotices(folder: string): string {
  return ["", "dist", "dist/console"]
    .map((inner) => join(folder, inner, "THIRD-PARTY-LICENSES.txt"))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}
