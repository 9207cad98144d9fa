import { defaultQuery } from "./live-target.ts";
import type { Capability, Target } from "../target/target.ts";
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SuiteError } from "../http/suite-error.ts";
import { prismVersion } from "../contract/suite-version.ts";

/** A running mock server. Stop it, or keep it with `await using`. */
export interface PrismServer extends AsyncDisposable {
  /** Address of the mock, such as `http://127.0.0.1:43211`; both base URL and automation URL. */
  readonly url: string;
  /** Stops the mock's process, and waits until it has ended. Safe to call twice. */
  stop(): Promise<void>;
}

/** Time limit for Prism to listen, in milliseconds: 3 s were seen on two busy cores. */
const startTimeoutMs = 60_000;

/**
 * Starts Prism on the contract, in a process of its own and on a free loopback port.
 *
 * The mock validates requests and answers with the contract's examples. It can't show everything: it knows no
 * sessions, accepts any key, and never answers a body that is not JSON.
 *
 * @throws {SuiteError} `usage` when `@stoplight/prism-cli` is not installed, which is an optional peer dependency; the message
 *   says how to install it. `mock-failed` when Prism does not come up; the message carries what it printed.
 */
export async function startPrism(): Promise<PrismServer> {
  const cli = prismProgram();
  const contract = fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi.json"));
  const child = spawn(process.execPath, [cli, "mock", "--port", "0", contract], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", SCARF_ANALYTICS: "false" },
  });
  const endWithUs = (): void => void child.kill();
  process.once("exit", endWithUs);
  const stop = async (): Promise<void> => {
    process.off("exit", endWithUs);
    await end(child);
  };
  try {
    const url = await listening(child);
    return { url, stop, [Symbol.asyncDispose]: stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** Finds the program of Prism: installed beside this package, or else in the working directory. */
function prismProgram(): string {
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    try {
      return createRequire(from).resolve("@stoplight/prism-cli/dist/index.js");
    } catch {
      // Not installed there.
    }
  }
  const prism = `@stoplight/prism-cli@${prismVersion}`;
  throw new SuiteError(
    "usage",
    `the mock needs @stoplight/prism-cli, which is not installed; run: npm install --save-dev ${prism}. Without installation: ` +
      `npx -p @cloud-browser/conformance -p ${prism} conformance run. A live server needs no mock: --base-url`,
  );
}

/** Resolves with the address that Prism says it listens on. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (what: string): void =>
      reject(new SuiteError("mock-failed", `Prism ${what}; its output: ${said.trim().slice(-800) || "none"}`));
    const timer = setTimeout(() => fail(`did not listen within ${startTimeoutMs / 1000} s`), startTimeoutMs);
    const onOutput = (chunk: Buffer): void => {
      said += chunk.toString();
      const url = /listening on (http:\/\/\S+)/.exec(said)?.[1];
      if (!url) return;
      clearTimeout(timer);
      child.stdout?.off("data", onOutput).resume();
      child.stderr?.off("data", onOutput).resume();
      resolve(url);
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("error", (cause) => fail(`could not be started (${cause.message})`));
    child.once("exit", (code) => fail(`ended with exit code ${code}`));
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** A mock of the contract, together with the process that serves it. */
export interface PrismTarget extends AsyncDisposable {
  /** The mock as a target. */
  readonly target: Target;
  /** The process that serves it. */
  readonly server: PrismServer;
}

/**
 * Starts Prism on the contract and describes it as a target.
 *
 * @throws {SuiteError} `usage` when `@stoplight/prism-cli` is not installed; `mock-failed` when Prism does not come up.
 */
export async function prismTarget(): Promise<PrismTarget> {
  const server = await startPrism();
  return { target: mockTarget(server.url), server, [Symbol.asyncDispose]: () => server.stop() };
}

function mockTarget(url: string): Target {
  return {
    name: "prism",
    kind: "mock",
    baseUrl: url,
    automationUrl: url,
    apiKey: "any-key-will-do-on-the-mock",
    sessionId: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318",
    endedSessionId: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318",
    query: defaultQuery,
    lacks: new Map<Capability, string>([
      ["judges-keys", "The mock accepts any key."],
      ["knows-sessions", "The mock knows no sessions."],
      ["reads-any-body", "The mock never answers a body that is not JSON."],
      ["streams", "The mock sends a whole stream as one body of known length."],
    ]),
  };
}
