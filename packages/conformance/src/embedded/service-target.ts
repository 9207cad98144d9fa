import { randomBytes } from "node:crypto";
import { neutralWords, completeWords, type OwnWords } from "../http/own-words.ts";
import { SuiteError } from "../http/suite-error.ts";
import { resolveInstalled } from "../target/installed.ts";
import type { Target } from "../target/target.ts";
import { liveTarget } from "../run/live-target.ts";
import { startServer, type ServerProcess } from "./server-process.ts";

/** The service on a real Chromium, together with the process that serves it. */
export interface ServiceTarget extends AsyncDisposable {
  /** The service as a target, whose sessions the suite opens and ends. */
  readonly target: Target;
  /** The process that serves it. */
  readonly server: ServerProcess;
}

/** Most billed runs of the embedded service: they cost nothing there, since no model is asked. */
export const serviceRuns = 8;

/**
 * Starts `@cloud-browser/service` in a process of its own, on a free loopback port and with a folder that is removed at the end, and
 * describes it as a target. Its runs cost nothing: give the run the profile `full`.
 *
 * @param words - Words of the service in path and header names. Default: the neutral ones.
 * @throws {SuiteError} `usage` when `@cloud-browser/service` is not installed; the message says how to install it. `service-failed` when it
 *   does not come up; the message carries what it printed.
 */
export async function serviceTarget(words: OwnWords = {}): Promise<ServiceTarget> {
  const program = serviceProgram();
  const apiKey = `key-${randomBytes(24).toString("base64url")}`;
  const flags = ["serve", "--port", "0", "--allow", "127.0.0.1", ...listFlags(words)];
  const server = await startServer({
    name: "the service",
    prepare: (folder) => [...sourceConditions(), program, ...flags, "--data", folder],
    environment: {
      ...ownEnvironment(),
      CLOUD_BROWSER_API_KEY: apiKey,
      CLOUD_BROWSER_LOG_LEVEL: "error",
      NO_COLOR: "1",
    },
    address: /^\s*Sessions\s+(http:\/\/\S+)$/m,
    failure: "service-failed",
    stopSignal: "SIGTERM",
  });
  return { target: describe(server.url, apiKey, words), server, [Symbol.asyncDispose]: () => server.stop() };
}

function describe(baseUrl: string, apiKey: string, words: OwnWords): Target {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    // oxlint-disable-next-line no-restricted-globals -- stands for the command of a user; nothing of the interface is judged by it
    const response = await fetch(`${baseUrl}/control/sessions${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  return {
    ...liveTarget({
      baseUrl,
      apiKey,
      ...completeWords(words),
      query: "Open about:blank",
      openSession: async (url) => {
        const session = await ask("POST", "", { url });
        return typeof session === "object" && session !== null && "session_id" in session
          ? String(session.session_id)
          : "";
      },
      endSession: async (id) => void (await ask("DELETE", `/${encodeURIComponent(id)}`)),
    }),
    name: "service",
  };
}

/** Returns the flags of the service for words that are not the neutral ones: an earlier version has no such flags. */
function listFlags(words: OwnWords): string[] {
  const { automationWord, serviceWord } = completeWords(words);
  return [
    ...(automationWord === neutralWords.automationWord ? [] : ["--automation-word", automationWord]),
    ...(serviceWord === neutralWords.serviceWord ? [] : ["--service-word", serviceWord]),
  ];
}

/** Finds the command line of the service. */
function serviceProgram(): string {
  const program = resolveInstalled("@cloud-browser/service/cli");
  if (program !== undefined) return program;
  throw new SuiteError(
    "usage",
    "the service as a target needs @cloud-browser/service, which is not installed; run: npm install --save-dev @cloud-browser/service; " +
      "a live server (`baseUrl`) needs no installation",
  );
}

/** Returns the environment without settings of a service, which may name a database or a paid model; but with its programs. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const programs = new Set(["CLOUD_BROWSER_CHROMIUM", "CLOUD_BROWSER_FFMPEG"]);
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("CLOUD_BROWSER_") || programs.has(name)),
  );
}

/** Returns the conditions with which this process resolves modules. */
function sourceConditions(): string[] {
  return process.execArgv.filter((argument) => /^(--conditions=|-C=)/.test(argument));
}
