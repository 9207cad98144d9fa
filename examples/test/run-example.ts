import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the examples. */
export const folder = new URL("..", import.meta.url);

/** Node.js compiles the sources for the first example, and not again for each. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL("../node_modules/.cache/node-compile", import.meta.url));

/** Runs an example as its own process, in an environment without an address unless one is given. */
export function runExample(
  file: string,
  ownEnv: Record<string, string> = {},
): Promise<{ code: unknown; lines: string[]; stderr: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CLOUD_BROWSER_"));
  const env = { NODE_COMPILE_CACHE, ...Object.fromEntries(inherited), ...ownEnv };
  const args = ["--conditions=@cloud-browser/source", fileURLToPath(new URL(file, folder))];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: 200_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, lines: stdout.trimEnd().split("\n"), stderr });
    });
  });
}
