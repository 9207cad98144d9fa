import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const readmes = globSync(["README.md", "spec/README.md", "packages/*/README.md", "docs/start/*.md"], {
  cwd: fileURLToPath(root),
}).filter((file) => /^```ts/m.test(readFileSync(new URL(file, root), "utf8")));

test.each(readmes)("every package that the programs of %s import is in one of its install lines", (file) => {
  const text = readFileSync(new URL(file, root), "utf8");
  const programs = [...text.matchAll(/```ts[^\n]*\n(.*?)```/gs)].map(([, code = ""]) => code);
  expect(programs.length).toBeGreaterThan(0);
  expect(listMissing(programs, text)).toEqual([]);
});

test("every package that an example imports is in an install line of the README of the examples", () => {
  const folder = new URL("examples/", root);
  const programs = globSync("{*.ts,recipes/**/*.ts}", {
    cwd: fileURLToPath(folder),
    exclude: ["vitest.config.ts"],
  }).map((file) => readFileSync(new URL(file, folder), "utf8"));
  expect(programs.length).toBeGreaterThan(10);
  expect(listMissing(programs, readFileSync(new URL("README.md", folder), "utf8"))).toEqual([]);
});

/** Packages that programs import, and that no install line of a text names. */
function listMissing(programs: readonly string[], text: string): string[] {
  const names = listInstalled(text);
  return [...listImported(programs)].filter((name) => !names.has(name));
}

/** Names of the packages that programs import. */
function listImported(programs: readonly string[]): Set<string> {
  const specifiers = programs.flatMap((code) =>
    [...code.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, specifier = ""]) => specifier),
  );
  const foreign = specifiers.filter((specifier) => !specifier.startsWith(".") && !isBuiltin(specifier));
  return new Set(foreign.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier));
}

/** Names of the packages that a README says to install, without their versions. */
function listInstalled(readme: string): Set<string> {
  const lines = [...readme.matchAll(/npm install([^\n`#]*)/g)].map(([, names = ""]) => names);
  const names = lines.flatMap((line) => line.split(/\s+/)).filter((name) => name !== "" && !name.startsWith("-"));
  return new Set(names.map((name) => name.replace(/(?<=.)@.*/, "")));
}
