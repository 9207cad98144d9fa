import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { runProgram } from "../src/program/program.ts";
import { createTerminal } from "../src/terminal/terminal.ts";

/** How a command ended, and what it wrote. */
export interface CommandResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command runs in. */
export interface Surroundings {
  /** Its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads. Default: nothing. */
  readonly stdin?: string;
  /** Width of the terminal that it writes to. Default: a pipe. */
  readonly columns?: number;
  /** Aborts it, as Ctrl-C does. */
  readonly interrupt?: AbortController;
  /** Called with what was written to standard error until now. */
  readonly onNote?: (text: string) => void;
}

/** Runs `cloud-browser` in this process, with streams of its own. */
export async function runCli(args: readonly string[], surroundings: Surroundings = {}): Promise<CommandResult> {
  const { env = {}, stdin = "", columns, interrupt = new AbortController(), onNote } = surroundings;
  const output = { stdout: "", stderr: "" };
  const makeOutput = (name: "stdout" | "stderr"): Writable & { isTTY?: boolean; columns?: number } => {
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        output[name] += String(chunk);
        if (name === "stderr") onNote?.(output.stderr);
        done();
      },
    });
    return columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns });
  };
  const input = new PassThrough();
  input.end(stdin);
  const terminal = createTerminal({ stdin: input, stdout: makeOutput("stdout"), stderr: makeOutput("stderr"), env });
  // What stands for flags is read from the process.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    const code = await runProgram(args, { terminal, signal: interrupt.signal, interrupt: () => interrupt.abort() });
    return { code, ...output };
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Runs `cloud-browser` in this process, as in a pipe, with an environment. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return runCli(args, { env });
}

/** A command that runs. */
export interface Command {
  readonly process: ChildProcess;
  readonly end: Promise<CommandResult>;
}

const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));

/** Starts `cloud-browser` in a process of its own, with none of this process's settings for it. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CLOUD_BROWSER_")));
  const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", cli, ...args], {
    env: { ...own, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const end = once(child, "close").then(() => ({ code: child.exitCode, ...output }));
  return { process: child, end };
}
