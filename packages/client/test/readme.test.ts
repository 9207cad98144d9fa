import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPrism, type PrismServer } from "@cloud-browser/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = new URL("..", import.meta.url);
const readme = readFileSync(new URL("README.md", folder), "utf8");

const modules = [
  { module: "index", atLeast: 40 },
  { module: "cookies", atLeast: 25 },
  { module: "replay", atLeast: 20 },
  { module: "runs", atLeast: 8 },
];
test.for(modules)("the README names every export of $module", ({ module, atLeast }) => {
  const source = readFileSync(new URL(`src/${module}.ts`, folder), "utf8");
  const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const exported = names.map((name) => name.replace("type ", "").trim()).filter((name) => name !== "");
  expect(exported.length).toBeGreaterThanOrEqual(atLeast);
  expect(exported.filter((name) => !readme.includes(`\`${name}\``) && !readme.includes(`\`${name}(`))).toEqual([]);
});

let prism: PrismServer;
beforeAll(async () => {
  prism = await startPrism();
});
afterAll(() => prism.stop());

/** Every program of the README but those that are marked, with the line that it begins at. */
const programs = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(({ 1: code = "", index }) => ({
  line: readme.slice(0, index).split("\n").length,
  code,
}));
test("the README has programs, and few that can't be run", () => {
  expect(programs.length).toBeGreaterThanOrEqual(8);
  expect(readme.match(/^```ts ignore$/gm)).toHaveLength(1);
});

/** Node.js compiles the sources for the first program, and not again for each. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL("node_modules/.cache/node-compile", folder));

const first = ["# Harbour ferries\n", "\ndone for 0.0431 USD\n"];
test.for(programs)(
  "the program in line $line of the README runs as it is, and complains of nothing",
  async (program) => {
    const { code } = program;
    const addresses = { CLOUD_BROWSER_BASE_URL: prism.url, CLOUD_BROWSER_AUTOMATION_URL: prism.url };
    const env = { NODE_COMPILE_CACHE, ...process.env, ...addresses, CLOUD_BROWSER_API_KEY: "key" };
    const args = ["--conditions=@cloud-browser/source", "--input-type=module-typescript", "--eval", code];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(folder), env });
    expect(stderr).toBe("");
    expect(stdout).not.toBe("");
    for (const text of program === programs[0] ? first : []) expect(stdout).toContain(text);
  },
);
