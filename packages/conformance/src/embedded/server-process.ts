import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SuiteError, type SuiteErrorCode } from "../http/suite-error.ts";

/** A running server. Stop it, or keep it with `await using`. */
export interface ServerProcess extends AsyncDisposable {
  /** Address that it listens on, such as `http://127.0.0.1:43211`. */
  readonly url: string;
  /** Stops the process, and waits until it has ended. Safe to call twice. */
  stop(): Promise<void>;
}

/** Options of starting a server. */
export interface ServerProgram {
  /** Name in messages. */
  readonly name: string;
  /** Returns the path of its program, a script for Node.js, and its arguments. The folder is its own, and removed at the end. */
  readonly prepare: (folder: string) => readonly string[] | Promise<readonly string[]>;
  /** Its environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** Pattern of the address in its output: the first group. */
  readonly address: RegExp;
  /** Code of the error when it does not come up. */
  readonly failure: SuiteErrorCode;
  /** Signal that asks it to end. */
  readonly stopSignal: NodeJS.Signals;
}

/** Time limit for a server to listen, in milliseconds: 3 s were seen on two busy cores. */
const startTimeoutMs = 60_000;

/** Returns a module that is loaded before the program, and ends it when this process has ended, in whatever way. */
function endingWithUs(signal: NodeJS.Signals): string {
  const code = `process.once("disconnect", () => process.kill(process.pid, "${signal}")); process.channel.unref();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Time limit for a server to end when it is asked to, in milliseconds; then it is killed. */
const stopTimeoutMs = 15_000;

/**
 * Starts a server in a process of its own, which ends with this one. Ctrl-C on the terminal does not reach it: the run that uses it decides.
 *
 * @throws {SuiteError} `failure` when it does not come up; the message carries the end of what it printed.
 */
export async function startServer(program: ServerProgram): Promise<ServerProcess> {
  const { environment, stopSignal } = program;
  const folder = await mkdtemp(join(tmpdir(), "conformance-target-"));
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child) await end(child, stopSignal);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const args = await program.prepare(folder);
    child = spawn(process.execPath, ["--import", endingWithUs(stopSignal), ...args], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: environment,
      detached: true,
    });
    const url = await awaitAddress(child, program);
    return { url, stop, [Symbol.asyncDispose]: stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** Waits for the address that the server reports to listen on. */
function awaitAddress(child: ChildProcess, { name, address, failure }: ServerProgram): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (what: string): void => {
      clearTimeout(timer);
      reject(new SuiteError(failure, `${name} ${what}; its output: ${output.trim().slice(-800) || "none"}`));
    };
    const timer = setTimeout(() => fail(`did not listen within ${startTimeoutMs / 1000} s`), startTimeoutMs);
    const onOutput = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = address.exec(output)?.[1];
      if (!url) return;
      clearTimeout(timer);
      child.stdout?.off("data", onOutput).resume();
      child.stderr?.off("data", onOutput).resume();
      resolve(url);
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.on("error", (cause) => fail(`could not be started (${cause.message})`));
    child.once("close", (code, signal) =>
      fail(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`),
    );
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve();
    const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill(signal);
  });
}
