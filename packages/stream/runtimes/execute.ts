import { execFile } from "node:child_process";

/** How a program is run. */
export interface ExecuteOptions {
  /** Its working directory. */
  readonly cwd: string;
  /** Beside the environment of this process. */
  readonly env?: Record<string, string> | undefined;
  /** After how many milliseconds it is killed. Default: ten minutes. */
  readonly timeout?: number | undefined;
}

/** A program could not be started, failed, or took too long. */
export class ExecuteError extends Error {
  override readonly name = "ExecuteError";
  /** What it wrote to its standard output until then. */
  readonly stdout: string;

  /** Makes an error. */
  constructor(message: string, stdout: string) {
    super(message);
    this.stdout = stdout;
  }
}

/**
 * Runs a program, without a shell, and gives back what it wrote to its standard output.
 *
 * @throws {ExecuteError} with the end of what it wrote to its standard error.
 */
export async function execute(file: string, args: string[], options: ExecuteOptions): Promise<string> {
  const { cwd, env, timeout = 600_000 } = options;
  return new Promise((resolve, reject) => {
    const settings = { cwd, env: { ...process.env, ...env }, timeout, killSignal: "SIGKILL", maxBuffer: 1e8 } as const;
    execFile(file, args, settings, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const how = error.killed ? `was killed after ${timeout} ms` : `failed (${error.code ?? error.signal})`;
      reject(new ExecuteError(`${file} ${how}: ${(stderr || stdout || error.message).trim().slice(-2000)}`, stdout));
    });
  });
}
