import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Folders of the packages that are published, seen from the root of the repository. */
export const publishedFolders = [
  "spec",
  "packages/stream",
  "packages/client",
  "packages/agent-tools",
  "packages/contract-diff",
  "packages/conformance",
  "packages/ffmpeg-linux-x64",
  "packages/page-content",
  "packages/recorder",
  "packages/automation",
  "packages/browsers",
  "packages/service",
  "packages/cli",
];

const manifestForm = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  bin: z.record(z.string(), z.string()).default({}),
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

const peersForm = z.looseObject({
  peerDependencies: z.record(z.string(), z.string()).default({}),
  peerDependenciesMeta: z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })).default({}),
});

/** What a `package.json` says. */
export type Manifest = z.infer<typeof manifestForm>;

/** Reads the manifest of the package that lies in a folder. */
export function manifestOf(folder: string): Manifest {
  return manifestForm.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}

/** Names of the packages that whoever depends on the package in a folder has to depend on, too. */
export function requiredPeersOf(folder: string): string[] {
  const manifest = peersForm.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const { peerDependencies, peerDependenciesMeta } = manifest;
  return Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
}
