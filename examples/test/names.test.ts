import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Folders of the repository with code of its own. */
const folders = ["docs", "examples", "packages/*", "release", "scripts", "spec", "testing"];

/** Participles that say of a value only that something was done with it, and not what it is. */
const participles = /^#?(?:asked|given|kept|made|said|seen|taken|told|wanted)$/i;

/** Further ones, in the folders that are free of them. */
const furtherParticiples = /^#?(?:held|known|left|opened)$/i;
const withoutFurther = /^packages\/service\/src\//;

/** Code without such a word need not be parsed. */
const suspicious = /\b(?:asked|given|held|kept|known|left|made|opened|said|seen|taken|told|wanted)\b|[a-z]Of\b/i;

/** Folders of what others wrote, or a build. */
const foreign = /(?:^|\/)(?:node_modules|dist|\.astro|generated)$/;

/** Fields of the wire, and of what is published, in the files that declare them. */
const publicFields: ReadonlySet<string> = new Set([
  "packages/service/src/timeline/timeline-event.ts: asked",
  "spec/words/own-words.d.mts: said",
]);

/** Functions that the standards name so, and those that other packages pass or are given by this name. */
const exceptions: ReadonlySet<string> = new Set(["multipleOf", "textOf"]);

/** Names that values and functions of a file declare, of each the ones that break a rule. */
function listBadNames(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/ .*$/gm, "");
  if (!suspicious.test(code)) return [];
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const bad: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = findDeclaredName(node);
    if (
      name !== undefined &&
      (participles.test(name) ||
        (withoutFurther.test(file) && furtherParticiples.test(name)) ||
        (isFunction(node) && /[a-z]Of$/.test(name) && !exceptions.has(name)))
    ) {
      bad.push(`${file}: ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return bad;
}

function findDeclaredName(node: ts.Node): string | undefined {
  const declares =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isFunctionDeclaration(node);
  return declares && node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))
    ? node.name.text
    : undefined;
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return true;
  return ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer);
}

test.for(folders)("functions of %s begin with a verb, and no value is a bare participle", (folder) => {
  const files = globSync(`${folder}/**/*.{ts,tsx,mts,mjs}`, { cwd: root, exclude: (path) => foreign.test(path) });
  expect(files.length).toBeGreaterThan(5);
  const names = files.flatMap((file) => listBadNames(file, readFileSync(`${root}${file}`, "utf8")));
  const bad = names.filter((name) => !publicFields.has(name));
  expect(bad, "begin a function with a verb, and name a value by what it is").toEqual([]);
});

test.for([
  ["function keyOf(): void {}", ["a.ts: keyOf"]],
  ["const textIn = (given: string) => given;", ["a.ts: given"]],
  ["interface Call { readonly asked: number }", ["a.ts: asked"]],
  ["class Store { #seen = 0; rowOf() {} }", ["a.ts: #seen", "a.ts: rowOf"]],
  ["const { kept } = read(); const proof = 1; function readKey() {}", ["a.ts: kept"]],
] as const)("finds bad names in %s", ([text, want]) => {
  expect(listBadNames("a.ts", text)).toEqual(want);
});

test("refuses held, known, left and opened in the sources of the service only", () => {
  const text = "const left = 1; class Lease { #held = 0; known() {} }";
  expect(listBadNames("packages/service/src/a.ts", text)).toHaveLength(3);
  expect(listBadNames("packages/other/src/a.ts", text)).toEqual([]);
});
