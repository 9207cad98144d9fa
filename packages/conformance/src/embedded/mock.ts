import { withWords } from "@cloud-browser/spec/own-words";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prismVersion } from "../contract/suite-version.ts";
import { completeWords, type OwnWords } from "../http/own-words.ts";
import { SuiteError } from "../http/suite-error.ts";
import { resolveInstalled } from "../target/installed.ts";
import type { Capability, Target } from "../target/target.ts";
import { defaultQuery } from "../run/live-target.ts";
import { startServer, type ServerProcess } from "./server-process.ts";

/** A running mock server: its address is both base URL and automation URL. Stop it, or keep it with `await using`. */
export type PrismServer = ServerProcess;

/**
 * Starts Prism on the contract, in a process of its own and on a free loopback port.
 *
 * The mock validates requests and answers with the contract's examples. It can't show everything: it knows no
 * sessions, accepts any key, and never answers a body that is not JSON.
 *
 * @param words - The words that stand for those of a service in path and header names. Default: the neutral ones.
 * @throws {SuiteError} `usage` when `@stoplight/prism-cli` is not installed, which is an optional peer dependency; the message
 *   says how to install it. `mock-failed` when Prism does not come up; the message carries what it printed.
 */
export async function startPrism(words: OwnWords = {}): Promise<PrismServer> {
  const program = prismProgram();
  return startServer({
    name: "Prism",
    prepare: async (folder) => {
      const contract = await readFile(
        fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi-mock.json")),
        "utf8",
      );
      const ownContract = join(folder, "openapi.json");
      await writeFile(ownContract, withWords(contract, completeWords(words)));
      return [program, "mock", "--port", "0", ownContract];
    },
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
    `the mock needs @stoplight/prism-cli, which is not installed; run: npm install --save-dev ${prism}; without installation: ` +
      `npx -p @cloud-browser/conformance -p ${prism} conformance run; a live server (\`baseUrl\`) needs no mock`,
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
 * @param words - As for `startPrism`.
 * @throws {SuiteError} `usage` when `@stoplight/prism-cli` is not installed; `mock-failed` when Prism does not come up.
 *
 * @example
 * ```ts from=examples/api/conformance/prism-target.ts
 * import { prismTarget } from "@cloud-browser/conformance";
 *
 * await using mock = await prismTarget();
 * const response = await fetch(`${mock.server.url}/sessions/any/cookies`, { headers: { authorization: "Bearer any" } });
 * console.log(response.status); // 200
 * ```
 */
export async function prismTarget(words: OwnWords = {}): Promise<PrismTarget> {
  const server = await startPrism(words);
  return {
    target: { ...mockTarget(server.url), ...completeWords(words) },
    server,
    [Symbol.asyncDispose]: () => server.stop(),
  };
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
