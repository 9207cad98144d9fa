/** The contract with the words of a service, by the program of this package, by its overlays, and by `npm run generate`. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { documents, neutralWords, overlays, templateWords, withWords, writeContract } from "../words/own-words.mjs";
import { applyOverlay, type Overlay } from "./overlay.ts";

const spec = fileURLToPath(new URL("..", import.meta.url));
const words = { automationWord: "acme", serviceWord: "acme-web" };
const flags = ["--automation-word", "acme", "--service-word", "acme-web"];

let folder = "";
let before: ReadonlyMap<string, string>;
beforeAll(async () => {
  before = readTexts(spec);
  folder = mkdtempSync(join(tmpdir(), "own-words-"));
  await Promise.all([
    run("spec/words/cli.mjs", [...flags, "--out", join(folder, "program")]),
    run("scripts/generate.ts", [...flags, "--out", join(folder, "generated")]),
    run("spec/words/cli.mjs", ["--out", join(folder, "neutral")]),
    run("spec/words/cli.mjs", ["--out", join(folder, "environment")], {
      CLOUD_BROWSER_AUTOMATION_WORD: "acme",
      CLOUD_BROWSER_SERVICE_WORD: "acme-web",
    }),
  ]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program of the repository, with none of this process's words. */
function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<{ stdout: string }> {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CLOUD_BROWSER_")));
  return promisify(execFile)(process.execPath, [join(spec, "..", program), ...args], { env: { ...own, ...env } });
}

/** The texts of all files of a folder that a service's words could be in. */
function readTexts(path: string): ReadonlyMap<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.(?:json|ya?ml|ts|sse)$/.test(name) && !name.includes("node_modules"));
  return new Map(files.sort().map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

const readShipped = (name: string): string =>
  readFileSync(join(spec, name === "openapi.yaml" ? name : `generated/${name}`), "utf8");
const readWritten = (name: string, where = "program"): string => readFileSync(join(folder, where, name), "utf8");

test("generating with words writes the same as the program, and neither changes a file of the contract", () => {
  const program = readTexts(join(folder, "program"));
  expect([...program.keys()]).toEqual(expect.arrayContaining([...documents, ...overlays]));
  expect(readTexts(join(folder, "generated"))).toEqual(program);
  expect(readTexts(join(folder, "environment"))).toEqual(program);
  expect(readTexts(spec)).toEqual(before);
});

test.for(documents)("without words %s is the one that is shipped", (name) => {
  expect(readWritten(name, "neutral")).toBe(readShipped(name));
});

test.for(documents)("%s differs in one path and two header names, and in nothing else", (name) => {
  const lines = readShipped(name).split("\n");
  const changes = readWritten(name)
    .split("\n")
    .map((line, at) => [lines[at]?.trim(), line.trim()])
    .filter(([was, is]) => was !== is);
  expect(changes).toEqual([
    [expect.stringContaining("/api/automation/start"), expect.stringContaining("/api/acme/start")],
    [expect.stringContaining("x-service-request-origin"), expect.stringContaining("x-acme-web-request-origin")],
    [expect.stringContaining("x-service-sdk-version"), expect.stringContaining("x-acme-web-sdk-version")],
  ]);
});

test.for(["openapi", "openapi-3.1", "openapi-mock"])("the overlay of %s makes the same document of it", (name) => {
  const overlay: Overlay = JSON.parse(readWritten(`overlays/${name}.overlay.json`));
  const document: object = JSON.parse(readShipped(`${name}.json`));
  expect(applyOverlay(document, overlay)).toEqual(JSON.parse(readWritten(`${name}.json`)));
});

test("the document that was written by hand says the same as the generated one", () => {
  const { paths }: { paths: object } = parse(readWritten("openapi.yaml"));
  const generated: { paths: object } = JSON.parse(readWritten("openapi.json"));
  expect(Object.keys(paths)).toEqual(Object.keys(generated.paths));
});

test.for(overlays)(
  "%s is a template: as it is shipped, it has no word, and nothing that Overlay 1.0 has not",
  (name) => {
    const overlay: Overlay = JSON.parse(readShipped(name));
    expect(overlay.overlay).toBe("1.0.0");
    const keys = overlay.actions.flatMap((action) => Object.keys(action));
    expect([...new Set(keys)].sort()).toEqual(["remove", "target", "update"]);
    expect(withWords(readShipped(name), words, templateWords)).toBe(readWritten(name));
    const template = withWords(readShipped(name), neutralWords, templateWords);
    const document: object = JSON.parse(readShipped(name.replace(/^.*\/(.*)\.overlay/, "$1")));
    expect(applyOverlay(document, JSON.parse(template))).toEqual(document);
  },
);

test.for([
  { args: [], says: "--out is missing" },
  { args: ["--automation-word", "a/b"], says: 'malformed automationWord "a/b"' },
  { args: ["--service-word", ""], says: 'malformed serviceWord ""' },
  { args: ["--word", "acme"], says: "Unknown option '--word'" },
  { args: ["--out", spec], says: "is inside the contract itself" },
  { args: ["--out", join(spec, "generated")], says: "is inside the contract itself" },
])("says what is wrong with $args, and writes nothing", ({ args, says }) => {
  const all = args.includes("--out") || says.startsWith("--out") ? args : [...args, "--out", join(folder, "refused")];
  expect(writeContract(all, readShipped, {})).toEqual({ code: 2, said: expect.stringContaining(says) });
  expect(readdirSync(folder)).not.toContain("refused");
  expect(readTexts(spec)).toEqual(before);
});

test.for(["spec/words/cli.mjs", "scripts/generate.ts"])(
  "%s ends with 2 when it is called in a wrong way",
  async (program) => {
    await expect(run(program, flags)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--out is missing"),
    });
  },
);
