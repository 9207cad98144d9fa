import { z } from "zod";

const names = z.record(z.string(), z.string()).default({});

const lockForm = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().default(false),
      dependencies: names,
      optionalDependencies: names,
      peerDependencies: names,
      peerDependenciesMeta: z.record(z.string(), z.looseObject({ optional: z.boolean().default(false) })).default({}),
    }),
  ),
});

/** A `package-lock.json`. */
export type Lock = z.infer<typeof lockForm>;

/** Parses a `package-lock.json`. */
export function parseLock(text: string): Lock {
  return lockForm.parse(JSON.parse(text));
}

/** Lists the places of packages that run something when they are installed, of all that others bring with them. */
export function listInstallScripts({ packages }: Lock, roots: readonly string[]): string[] {
  const places = new Set<string>();
  const waiting = [...roots];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const entry = packages[place];
    if (!entry || places.has(place)) continue;
    places.add(place);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entry;
    const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const next = findPlace(packages, place, name);
      if (next !== undefined) waiting.push(next);
    }
  }
  return [...places].filter((place) => packages[place]?.hasInstallScript === true);
}

/** Returns where Node.js finds a package from the place of another. */
function findPlace(packages: Lock["packages"], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (place in packages) return place;
    if (folder === "") return undefined;
  }
}
