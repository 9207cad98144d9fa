import { spawn } from "node:child_process";
import { once } from "node:events";

/** Options of running a program. */
export interface ProgramOptions {
  /** Folder that it runs in. */
  readonly cwd: string;
  /** Longest time, in minutes. Default: 5. */
  readonly minutes?: number;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program to its end.
 *
 * @returns What it wrote to its standard output.
 * @throws {Error} with the end of its output if it fails, can't be started or takes too long.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { cwd, minutes = 5, env = {} }: ProgramOptions,
): Promise<string> {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...quiet, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: what it has started ends with it.
    detached: true,
  });
  const out: string[] = [];
  const all: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (out.push(text), all.push(text)));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void all.push(text));
  let why = "";
  const stop = (reason: string): void => {
    why = reason;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(() => stop(`did not end within ${minutes} minutes`), minutes * 60_000);
  const onSignal = (signal: NodeJS.Signals): void => stop(`was ended by ${signal}`);
  for (const signal of signals) process.once(signal, onSignal);
  try {
    const [code] = await once(child, "close");
    if (code === 0 && why === "") return out.join("");
    why ||= `failed (exit ${String(code)})`;
  } catch (error) {
    why = `could not be started: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, onSignal);
  }
  const tail = all.join("").trim().split("\n").slice(-30).join("\n");
  throw new Error(`${[file, ...args].join(" ")} ${why}${tail === "" ? "" : `:\n${tail}`}`);
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const quiet = { NO_COLOR: "1", DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1", CI: "true" };
