/** Tasks that do not wait for the sources of the packages that theirs uses name them as inputs: what they came to is kept until one changes. */
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Task {
  readonly dependsOn?: readonly string[];
  readonly inputs?: readonly string[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");
const { tasks }: { tasks: Readonly<Record<string, Task>> } = JSON.parse(
  read("turbo.json").replaceAll(/^\s*\/\/.*$/gmu, ""),
);

const packages = new Map(
  globSync("{spec,testing,packages/*}/package.json", { cwd: root }).map((path) => {
    const manifest: Manifest = JSON.parse(read(path));
    return [manifest.name, { folder: posix.dirname(path), manifest }];
  }),
);

/** Folders of the packages that one uses, directly or by another one; those that only its tests use where they are run. */
function listUsed(name: string, isTested: boolean): readonly string[] {
  const { manifest } = packages.get(name) ?? {};
  const { dependencies = {}, devDependencies = {} } = manifest ?? {};
  const direct = Object.keys(isTested ? { ...dependencies, ...devDependencies } : dependencies);
  const own = direct.flatMap((other) => packages.get(other)?.folder ?? []);
  return [...new Set([...own, ...direct.flatMap((other) => listUsed(other, isTested))])];
}

const apart = Object.entries(tasks).filter(
  ([id, { dependsOn = [] }]) => id.startsWith("@cloud-browser/") && !dependsOn.includes("sources"),
);

test("there are tasks that wait for no sources", () => {
  expect(apart.map(([id]) => id)).toContain("@cloud-browser/service#test");
});

test.for(apart)("the inputs of %s have the sources and the manifest of every package that it uses", ([id, task]) => {
  const [name = "", kind] = id.split("#");
  const patterns = (task.inputs ?? []).filter((input) => input.startsWith("$TURBO_ROOT$/"));
  const isInput = (path: string): boolean =>
    patterns.some((pattern) => posix.matchesGlob(path, pattern.slice("$TURBO_ROOT$/".length)));
  const used = listUsed(name, kind !== "build").flatMap((folder) => [
    `${folder}/package.json`,
    `${folder}/src/in/it.ts`,
  ]);
  expect(used.filter((path) => !isInput(path))).toEqual([]);
});
