import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compileCache } from "./compile-cache.ts";

/** The words that call the CLI. */
export const program = [
  process.execPath,
  "--conditions=@cloud-browser/source",
  fileURLToPath(new URL("../../src/cli.ts", import.meta.url)),
] as const;

/** Result of a call of the CLI. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Standard output of a call: a pipe, or a file that is open. */
export type Output = "pipe" | number;

interface Surroundings {
  readonly env?: Record<string, string>;
  readonly cwd: string;
  readonly output?: Output;
}

/** Starts the CLI as a person would, in a folder, and with no environment but the one that is given. */
export function startCommand(
  args: readonly string[],
  { env = {}, cwd, output = "pipe" }: Surroundings,
): { child: ChildProcess; ended: Promise<Outcome> } {
  const [node, ...words] = program;
  const child = spawn(node, [...words, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], NO_COLOR: "1", ...compileCache, ...env },
    stdio: ["ignore", output, "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (text: Buffer) => (texts[name] += text.toString()));
  const ended = new Promise<Outcome>((resolve) => child.once("close", (code) => resolve({ code, ...texts })));
  return { child, ended };
}

/** Runs the CLI to its end. */
export function conformance(args: readonly string[], surroundings: Surroundings): Promise<Outcome> {
  return startCommand(args, surroundings).ended;
}
