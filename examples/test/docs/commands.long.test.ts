/** The commands that documents name are those of the command lines, with flags that these have. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createProgram } from "../../../packages/cli/src/program/program.ts";
import { createTerminal } from "../../../packages/cli/src/terminal/terminal.ts";
import { makeSuiteProgram as makeSuite } from "../../../packages/conformance/src/cli/program.ts";
import { makeServiceProgram as makeService } from "../../../packages/service/src/cli/program.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
type Program = ReturnType<typeof makeService>;

const { stdin, stdout, stderr } = process;
const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
const own = createProgram({ terminal, signal: new AbortController().signal, interrupt: () => undefined });
/** Variables, and what lets another user run a command. */
const before = String.raw`^\s*(?:\$\s+)?(?:sudo -u \S+ env )?(?:[A-Z_]+=\S*\s+)*`;
/** Command lines, by how documents call them. `cloud-browser serve` and `bucket` are those of the service. */
const programs: readonly (readonly [called: RegExp, program: Program])[] = [
  [new RegExp(`${before}(?:npx @cloud-browser/service|cloud-browser(?= (?:serve|bucket)\\b))(?= )`), makeService()],
  [new RegExp(`${before}(?:npx @cloud-browser/cli|npm run cloud-browser --|cloud-browser)(?= )`), own],
  [new RegExp(`${before}(?:npx -p @cloud-browser/conformance )?conformance(?= )`), makeSuite()],
];

const files = globSync(
  ["README.md", "packages/*/README.md", "docs/*.md", "docs/{start,guides,reference,recipes}/**/*.md"],
  {
    cwd: root,
  },
);

/** Lines of shell and words in code of a document. */
function listCode(text: string): string[] {
  const shell = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, " ")
      .split("\n")
      .map((line) => line.replace(/(?:^|\s)#.*$/, "")),
  );
  const prose = text.replaceAll(/^```[^]*?^```/gm, "");
  return [...shell, ...[...prose.matchAll(/`([^`\n]+)`/g)].map(([, words = ""]) => words)];
}

/** Flags that every command has. */
const common = new Set(["--help", "--version", "--json-schema"]);

/** Returns what is wrong with a command; undefined when nothing is, or when it is none. */
function findFault(line: string): string | undefined {
  for (const [pattern, program] of programs) {
    const match = pattern.exec(line);
    if (!match) continue;
    const words = line.slice(match[0].length).split(/[;&|>]/)[0] ?? "";
    return findWordsFault(program, words.trim().split(/\s+/));
  }
  return undefined;
}

function findWordsFault(program: Program, words: readonly string[]): string | undefined {
  let command = program;
  for (const word of words) {
    const flag = /^--[a-z-]+/.exec(word)?.[0];
    if (flag !== undefined) {
      // Without a name the default command of a group is meant, which is its first one here.
      const options = [command, program, ...command.commands.slice(0, 1)].flatMap((one) => one.options);
      if (!common.has(flag) && !options.some(({ long }) => long === flag)) return `${command.name()} has no ${flag}`;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next) command = next;
    else if (command.commands.length > 0 && /^[a-z][a-z-]*$/.test(word))
      return `${command.name()} has no command ${word}`;
  }
  return undefined;
}

/** Returns what is wrong with a package that npx is told to run; undefined when nothing is. */
function findPackageFault(line: string): string | undefined {
  const [, packageFlag, name = "", word = ""] =
    /\bnpx (?:-y )?(-p )?@cloud-browser\/([a-z-]+)(?: (\S+))?/.exec(line) ?? [];
  if (name === "") return undefined;
  const file = name === "spec" ? "spec/package.json" : `packages/${name}/package.json`;
  const { bin = {} }: { bin?: string | Record<string, string> } = JSON.parse(readFileSync(root + file, "utf8"));
  const names = typeof bin === "string" ? [name] : Object.keys(bin);
  if (packageFlag === undefined)
    return names.length === 1 ? undefined : `@cloud-browser/${name} has not one command but ${names.length}`;
  return word === "…" || names.includes(word) ? undefined : `@cloud-browser/${name} has no command ${word}`;
}

test("every command that a document names is one, and has the flags", () => {
  let count = 0;
  const faults = files.flatMap((file) =>
    listCode(readFileSync(root + file, "utf8")).flatMap((line) => {
      if (/cloud-browser |conformance /.test(line)) count++;
      const fault = findFault(line) ?? findPackageFault(line);
      return fault === undefined ? [] : [`${file}: ${line.trim()}: ${fault}`];
    }),
  );
  expect(count).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});

test.for([
  ["cloud-browser lst", "cloud-browser has no command lst"],
  ["cloud-browser keys remove team-a", "keys has no command remove"],
  ["cloud-browser open https://example.com --url x", "open has no --url"],
  ["npx -p @cloud-browser/conformance conformance run --strickt", "run has no --strickt"],
  ["npx @cloud-browser/service open x", "cloud-browser-service has no command open"],
  ["cloud-browser serve --ports 8", "serve has no --ports"],
  ["cloud-browser open https://example.com --profile a", undefined],
  ["the conformance suite", undefined],
  ["npx -p @cloud-browser/service cloud-browser open x", "@cloud-browser/service has no command cloud-browser"],
] as const)("%s: %s", ([line, want]) => expect(findFault(line) ?? findPackageFault(line)).toBe(want));
