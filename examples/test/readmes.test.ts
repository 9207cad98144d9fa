import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Manifest {
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly os?: readonly string[];
}

const packages = globSync("packages/*/package.json", { cwd: root })
  .map((path): readonly [folder: string, manifest: Manifest] => [
    path.replace("/package.json", ""),
    JSON.parse(readFileSync(root + path, "utf8")),
  ])
  .filter(([, manifest]) => manifest.private !== true);

/** Names of systems in prose. */
const systems: Readonly<Record<string, RegExp>> = { linux: /\bLinux\b/, darwin: /\bmacOS\b/, win32: /\bWindows\b/ };

test.for(packages)("the README of %s says on what it runs", ([folder, { engines, os = [] }]) => {
  const readme = readFileSync(`${root}${folder}/README.md`, "utf8");
  const version = engines?.node?.replace(/^\D+/, "");
  expect(readme).toMatch(
    version === undefined ? /./ : new RegExp(`Node\\.js ${version.replaceAll(".", String.raw`\.`)}\\b`),
  );
  expect(os.filter((name) => systems[name]?.test(readme) !== true)).toEqual([]);
});

test("READMEs are short enough to be read before installing", () => {
  const readmes = [
    "README.md",
    "spec/README.md",
    "examples/README.md",
    ...globSync("packages/*/README.md", { cwd: root }),
  ];
  const lengths = readmes.map((file): [string, number] => [file, readFileSync(root + file, "utf8").split("\n").length]);
  expect(lengths.filter(([, lines]) => lines > 151)).toEqual([]);
});

test("the reference of the control interface names every route", () => {
  const text = readFileSync(`${root}docs/reference/control.md`, "utf8");
  const { paths }: { paths: Readonly<Record<string, unknown>> } = JSON.parse(
    readFileSync(`${root}packages/service/src/control/control.openapi.json`, "utf8"),
  );
  const lastWords = Object.keys(paths).map((path) => path.split("/").findLast((part) => /^\w/.test(part)) ?? path);
  expect(lastWords.length).toBeGreaterThan(20);
  expect(lastWords.filter((word) => !text.includes(word))).toEqual([]);
});
