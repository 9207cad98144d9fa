import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { listPublishedPackages, findManifest, repositoryRoot } from "../src/workspace.ts";

/**
 * An empty project outside of the repository that has packages installed as a registry would give them, and of other packages
 * only what they depend on: no development dependency and no optional peer. Asks no registry.
 * It is gone with the tarballs, after all tests.
 */
export function installOffline(names: readonly string[]): string {
  const packed = inject("packed");
  const project = mkdtempSync(join(inject("packedFolder"), "installed-"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const to = join(project, "node_modules", name);
    const from = packed[name]?.folder;
    if (existsSync(to) || from === undefined) continue;
    cpSync(from, to, { recursive: true });
    const { dependencies, optionalDependencies } = findManifest(from);
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (packed[dependency]) waiting.push(dependency);
      else link(join(createSource(name), "node_modules", dependency), join(project, "node_modules", dependency));
    }
  }
  return project;
}

function createSource(name: string): string {
  const found = listPublishedPackages().find(({ manifest }) => manifest.name === name);
  if (!found) throw new Error(`${name} is not published from this repository`);
  return join(repositoryRoot, found.directory);
}

function link(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(from), to);
}
