import { fileURLToPath } from "node:url";
import { prismVersion } from "../contract/suite-version.ts";
import { SuiteError } from "../http/suite-error.ts";
import { resolveInstalled } from "../target/installed.ts";
import type { Capability, Target } from "../target/target.ts";
import { defaultQuery } from "./live-target.ts";
import { startServer, type ServerProcess } from "./server-process.ts";

/** A running mock server: its address is both base URL and automation URL. Stop it, or keep it with `await using`. */
export type PrismServer = ServerProcess;

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
  const contract = fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi.json"));
  return startServer({
    name: "Prism",
    args: [prismProgram(), "mock", "--port", "0", contract],
    environment: { ...process.env, NO_COLOR: "1", SCARF_ANALYTICS: "false" },
    address: /listening on (http:\/\/\S+)/,
    failure: "mock-failed",
    stopSignal: "SIGKILL",
  });
}

/** Finds the program of Prism. */
function prismProgram(): string {
  const program = resolveInstalled("@stoplight/prism-cli/dist/index.js");
  if (program !== undefined) return program;
  const prism = `@stoplight/prism-cli@${prismVersion}`;
  throw new SuiteError(
    "usage",
    `the mock needs @stoplight/prism-cli, which is not installed; run: npm install --save-dev ${prism}. Without installation: ` +
      `npx -p @cloud-browser/conformance -p ${prism} conformance run. A live server needs no mock: --base-url`,
  );
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
