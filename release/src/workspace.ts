import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";

/** Root of this repository. */
export const repositoryRoot: string = fileURLToPath(new URL("../../", import.meta.url));

const rangesForm = z.record(z.string(), z.string()).default({});

const manifestForm = z.looseObject({
  name: z.string(),
  version: z.string().default("0.0.0"),
  private: z.boolean().default(false),
  license: z.string().default(""),
  repository: z.looseObject({ type: z.string(), url: z.string(), directory: z.string() }).optional().catch(undefined),
  files: z.array(z.string()).default([]),
  bin: z.record(z.string(), z.string()).default({}),
  scripts: rangesForm,
  dependencies: rangesForm,
  optionalDependencies: rangesForm,
  peerDependencies: rangesForm,
});

/** Fields of a `package.json`. */
export type Manifest = z.infer<typeof manifestForm>;

/** A package of the workspace that is published. */
export interface PublishedPackage {
  /** Its folder, relative to the root of the repository. */
  readonly directory: string;
  /** Fields of its `package.json`. */
  readonly manifest: Manifest;
}

/** Reads the manifest of the package that lies in a folder. */
export function findManifest(folder: string): Manifest {
  return manifestForm.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}

const workspaceForm = z.looseObject({ packages: z.array(z.string()) });

/**
 * Lists the packages of the workspace that are not private, each behind those that it depends on: the order to publish them in.
 *
 * @param root - Of the repository, or of a clone of it.
 */
export function listPublishedPackages(root: string = repositoryRoot): PublishedPackage[] {
  const { packages } = workspaceForm.parse(parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")));
  const directories = packages.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  const published = directories
    .filter((directory) => existsSync(join(root, directory, "package.json")))
    .map((directory) => ({ directory, manifest: findManifest(join(root, directory)) }))
    .filter(({ manifest }) => !manifest.private);
  return sortByDependencies(published);
}

function sortByDependencies(packages: readonly PublishedPackage[]): PublishedPackage[] {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const sorted = new Set<PublishedPackage>();
  const visit = (one: PublishedPackage, above: readonly PublishedPackage[]): void => {
    if (above.includes(one)) throw new Error(`${one.manifest.name} depends on itself, by way of other packages`);
    const { dependencies, optionalDependencies } = one.manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }).toSorted()) {
      const needed = byName.get(name);
      if (needed) visit(needed, [...above, one]);
    }
    sorted.add(one);
  };
  for (const one of packages) visit(one, []);
  return [...sorted];
}
