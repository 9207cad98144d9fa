import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder of the package. */
export const folder = new URL("..", import.meta.url);

const readme = readFileSync(new URL("README.md", folder), "utf8");

/** Every program of the README, with the line that it begins at. */
export const programs = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(({ 1: code = "", index }) => ({
  line: readme.slice(0, index).split("\n").length,
  code,
}));
/** Node.js compiles the sources for the first program, and not again for each. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL("node_modules/.cache/node-compile", folder));

/** What the first program prints, among other things. */
export const first = ["# Harbour ferries\n", "\ndone for 0.0431 USD\n"];

/** Runs a program against a mock at an address, and returns what it wrote. */
export async function run(
  program: (typeof programs)[number],
  url: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const addresses = { CLOUD_BROWSER_BASE_URL: url, CLOUD_BROWSER_AUTOMATION_URL: url };
  const env = { NODE_COMPILE_CACHE, ...process.env, ...addresses, CLOUD_BROWSER_API_KEY: "key" };
  const args = ["--conditions=@cloud-browser/source", "--input-type=module-typescript", "--eval", program.code];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(folder), env });
  return { stdout, stderr };
}
