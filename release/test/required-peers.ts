import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const peersForm = z.looseObject({
  peerDependencies: z.record(z.string(), z.string()).default({}),
  peerDependenciesMeta: z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })).default({}),
});

/** Names of the packages that whoever depends on the package in a folder has to depend on, too. */
export function listRequiredPeers(folder: string): string[] {
  const manifest = peersForm.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const { peerDependencies, peerDependenciesMeta } = manifest;
  return Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
}
