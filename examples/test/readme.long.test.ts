import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPrism, type PrismServer } from "@cloud-browser/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

let prism: PrismServer;
beforeAll(async () => {
  prism = await startPrism();
});
afterAll(() => prism.stop());

/** The programs of a page, with the line of the first character. Blocks marked `ignore` need what only their reader has; those with `from` are run as files. */
function listPrograms(file: string): { name: string; code: string }[] {
  const text = readFileSync(new URL(file, root), "utf8");
  return [...text.matchAll(/```ts\n([^]*?)```/g)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    return { name: `${file}:${line}`, code: match[1] ?? "" };
  });
}

const readmes = ["README.md", ...globSync(["spec/README.md", "packages/*/README.md"], { cwd: root })];
const pages = globSync("docs/start/*.md", { cwd: root });
const ofGuides = globSync("examples/guides/*.ts", { cwd: root }).map((file) => ({
  name: file,
  code: readFileSync(new URL(file, root), "utf8"),
}));
const all = [...[...readmes, ...pages].flatMap(listPrograms), ...ofGuides];

test("there are programs to run", () => {
  expect(all.length).toBeGreaterThanOrEqual(25);
});

test.for(all)("the program at $name runs as it is", async ({ code }) => {
  const addresses = { CLOUD_BROWSER_BASE_URL: prism.url, CLOUD_BROWSER_AUTOMATION_URL: prism.url };
  const env = { ...process.env, ...addresses, CLOUD_BROWSER_API_KEY: "any-key" };
  const args = ["--conditions=@cloud-browser/source", "--input-type=module-typescript", "--eval", code];
  const cwd = fileURLToPath(new URL("examples/", root));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, env });
  expect(stderr).toBe("");
  // A program that only defines something prints nothing.
  expect(stdout).toMatch(code.includes("console.") ? /\S/ : /^$/);
});
