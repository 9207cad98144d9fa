import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compileCache } from "./compile-cache.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** Result of a call of the CLI. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the CLI as a person would, in a folder, and with no environment but the one that is given. */
export function conformance(
  args: readonly string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd: string },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", cli, ...args], {
      cwd,
      env: { PATH: process.env["PATH"], NO_COLOR: "1", ...compileCache, ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
