import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { vi } from "vitest";
import { listProcessesNaming } from "@cloud-browser/testing/browser-processes.ts";

/** How a command ended, and what it wrote. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Command {
  readonly process: ChildProcess;
  /** What it has written to standard output until now. */
  readonly stdout: () => string;
  /** What it has written to standard error until now. */
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
/** Node.js compiles the sources for the first process of the tests, and not again for each. */
const compileCache = fileURLToPath(new URL("../node_modules/.cache/node-compile", import.meta.url));

/**
 * Starts `cloud-browser`, with none of this process's settings for it.
 *
 * @param log - Where its standard error goes. Default: it is read.
 */
export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  log: number | "pipe" = "pipe",
): Command {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CLOUD_BROWSER_")));
  const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", cli, ...args], {
    env: { NODE_COMPILE_CACHE: compileCache, ...own, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", log],
  });
  const written = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (written.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (written.stderr += text));
  const ended = once(child, "close").then(() => ({ code: child.exitCode, ...written }));
  return { process: child, stdout: () => written.stdout, stderr: () => written.stderr, ended };
}

let runs = 0;

/** What a process is going to end with. */
function readExitCode({ exitCode }: Pick<NodeJS.Process, "exitCode">): number {
  return Number(exitCode ?? 0);
}

/** Runs it to its end in this process, which takes a fraction of the time; one at a time. */
export async function runHere(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { argv, exitCode } = process;
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).flatMap((name) => {
    const keep = (...parts: unknown[]): void => void (written[name] += `${format(...parts)}\n`);
    const write = vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
    return [write, vi.spyOn(console, name === "stdout" ? "log" : "error").mockImplementation(keep)];
  });
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    process.argv = [process.execPath, cli, ...args];
    process.exitCode = undefined;
    runs += 1;
    await import(/* @vite-ignore */ `${cli}?run=${runs}`);
    return { code: readExitCode(process), ...written };
  } finally {
    Object.assign(process, { argv, exitCode });
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}

/** A place for services: all of their files are in it, and all of their processes name it. */
export class Place {
  readonly root = mkdtempSync(join(tmpdir(), "cloud-browser-place-"));
  readonly data = join(this.root, "data");
  readonly #temporary = join(this.root, "temporary");
  readonly #served: Command[] = [];

  constructor() {
    mkdirSync(this.#temporary);
  }

  /** Starts `cloud-browser serve` here; what it needs to come up is up to the caller. */
  serve(
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
    log: number | "pipe" = "pipe",
  ): Command {
    const all = ["serve", "--data", this.data, "--port", "0", ...args];
    const command = startCommand(all, { TMPDIR: this.#temporary, CLOUD_BROWSER_API_KEY: key, ...env }, log);
    this.#served.push(command);
    return command;
  }

  /** Starts it, and resolves when it takes requests. */
  async serving(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Served> {
    const command = this.serve(["--allow", "127.0.0.1", ...args], env);
    const { stdout } = command.process;
    let text = "";
    const url = await new Promise<string>((resolve, reject) => {
      void command.ended.then(({ stderr }) => reject(new Error(`the service has ended: ${stderr}`)));
      stdout?.on("data", (piece: string) => {
        text += piece;
        const [, address] = /Sessions\s+(\S+)\n/.exec(text) ?? [];
        if (address !== undefined) resolve(address);
      });
    });
    return { ...command, url };
  }

  /** Ids of the processes of services here that are alive. */
  get processes(): readonly number[] {
    return listProcessesNaming(this.root);
  }

  /** What lies among the temporary files. */
  get temporaryFiles(): readonly string[] {
    return readdirSync(this.#temporary);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { process: child, ended } of this.#served) {
      child.kill("SIGKILL");
      await ended;
    }
    // A browser whose service was killed ends by itself, and writes to its folder until it does.
    await vi.waitUntil(() => this.processes.length === 0, { timeout: 60_000 });
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** The API key of services here. */
export const key = "key-of-the-place";

/** A service in a process of its own. */
export interface Served extends Command {
  /** Its address. */
  readonly url: string;
}

/** Sends a request with the key to a service; throws unless it succeeds. */
export async function ask<Answer>(
  { url }: { readonly url: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  const answer: Answer = await response.json();
  return answer;
}
