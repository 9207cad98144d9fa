import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPrism } from "@cloud-browser/conformance";
import { expect, test } from "vitest";

const folder = new URL("..", import.meta.url);
const readme = readFileSync(new URL("README.md", folder), "utf8");
const index = readFileSync(new URL("src/index.ts", folder), "utf8");

test("the README names every export", () => {
  const names = [...index.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const exported = names.map((name) => name.replace("type ", "").trim()).filter((name) => name !== "");
  expect(exported.length).toBeGreaterThan(10);
  expect(exported.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
});

test("the example of the README runs as it is", { timeout: 90_000 }, async () => {
  const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? "";
  await using prism = await startPrism();
  const addresses = { CLOUD_BROWSER_BASE_URL: prism.url, CLOUD_BROWSER_AUTOMATION_URL: prism.url };
  const env = { ...process.env, ...addresses, CLOUD_BROWSER_API_KEY: "key" };
  const args = ["--conditions=@cloud-browser/source", "--input-type=module-typescript", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(folder), env });
  expect(stdout).toContain("# Harbour ferries\n");
  expect(stdout).toContain("\ndone for 0.0431 USD\n");
});
