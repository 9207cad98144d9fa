import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { listPublishedPackages, findManifest } from "../src/workspace.ts";
import { listRequiredPeers } from "./required-peers.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const packed = Object.entries(inject("packed"));
const publishedFolders = listPublishedPackages().map(({ directory }) => directory);

describe.each(packed)("the tarball of %s", (name, { folder }) => {
  test("names versions that a registry has, and runs nothing when it is installed", () => {
    const manifest = findManifest(folder);
    expect(JSON.stringify([manifest.dependencies, manifest.optionalDependencies])).not.toMatch(/workspace:|catalog:/);
    expect(Object.keys(manifest.scripts)).not.toContain("preinstall");
    expect(Object.keys(manifest.scripts)).not.toContain("install");
    expect(Object.keys(manifest.scripts)).not.toContain("postinstall");
  });

  test("holds its licence, its changelog and its README", () => {
    const licence = readFileSync(join(folder, "LICENSE"), "utf8");
    expect(licence).toContain(findManifest(folder).license === "MIT" ? "MIT License" : "GNU GENERAL PUBLIC LICENSE");
    const { version } = findManifest(folder);
    expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8")).toMatch(`# ${name}\n\n## ${version}\n\n`);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(`# ${name}\n`);
  });

  test("has no link that leads nowhere", () => {
    const dead = listDocuments(folder).flatMap((file) =>
      listLinks(readFileSync(file, "utf8"))
        .filter((target) => !/^(https?:|mailto:|#)/.test(target))
        .filter((target) => !isInside(folder, file, target))
        .map((target) => `${relative(folder, file)}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  test("has every file that its manifest points to", () => {
    const manifest = findManifest(folder);
    const pointed = [...Object.values(manifest.bin), ...listPaths(manifest["exports"])].filter(
      (path) => !path.includes("*"),
    );
    expect(pointed.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  });
});

test.each(publishedFolders)("%s depends on all that its dependencies demand of it", (from) => {
  const { dependencies, optionalDependencies, peerDependencies } = findManifest(join(root, from));
  const needed = { ...dependencies, ...optionalDependencies };
  const known = new Set(Object.keys({ ...needed, ...peerDependencies }));
  const missing = Object.keys(needed).flatMap((name) =>
    listRequiredPeers(join(root, from, "node_modules", name))
      .filter((peer) => !known.has(peer))
      .map((peer) => `${peer}, for ${name}`),
  );
  expect(missing).toEqual([]);
});

test("npm refuses to pack, also when a script of pnpm runs it, and says what to run instead", async () => {
  const guards = publishedFolders.map((from) => findManifest(join(root, from)).scripts["prepack"]);
  expect(guards).toEqual(guards.map(() => expect.stringMatching(/^node (\.\.\/)+scripts\/packed-by-pnpm\.mjs$/)));
  const env = { ...process.env, npm_config_user_agent: "pnpm/12.21.0 npm/? node/? linux x64" };
  const packing = execute("npm", ["pack", "--dry-run"], { cwd: join(root, "packages/stream"), env });
  await expect(packing).rejects.toMatchObject({ stderr: expect.stringContaining("npm run release") });
});

/** Documents of a package, not those in its sources. */
function listDocuments(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file));
}

function listLinks(markdown: string): string[] {
  const prose = markdown.replaceAll(/```.*?```/gs, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

function isInside(folder: string, file: string, target: string): boolean {
  const path = join(dirname(file), target.replace(/#.*/, ""));
  return !relative(folder, path).startsWith("..") && statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Paths in a value of `exports`, but for those that only this repository can follow. */
function listPaths(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listPaths);
}
