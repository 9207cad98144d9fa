import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const node20 = createRequire(import.meta.url)
  .resolve("node20/package.json")
  .replace(/package\.json$/, "bin/node");
const entry = fileURLToPath(new URL("../runtimes/node.mjs", import.meta.url));
const cases = fileURLToPath(new URL("data/sse-cases.json", import.meta.url));

/** `npm run test:runtimes` has the others, and installs the packed tarball. */
const runtimes = [
  { name: "Node.js 20", executable: node20, version: "v20." },
  { name: "Node.js 24", executable: process.execPath, version: "v24." },
];
test.for(runtimes)("the build does the same in $name", ({ executable, version }) => {
  expect(spawnSync(executable, ["--version"], { encoding: "utf8" }).stdout).toContain(version);
  const { error, stderr, stdout } = spawnSync(executable, [entry, cases], { encoding: "utf8", timeout: 200_000 });
  expect({ error, stderr }).toEqual({ error: undefined, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({ passed: expect.toSatisfy((passed: number) => passed > 150), failed: [] });
});
