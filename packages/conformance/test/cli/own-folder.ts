import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { apiKey, endedSessionId, sessionId, startServer, type Alter } from "../server.ts";
import { conformance, type Outcome } from "./command.ts";

/** The key of the server, in the environment. */
export const key = { CLOUD_BROWSER_API_KEY: apiKey };

/** Its sessions, as flags. */
export const session = ["--session-id", sessionId, "--ended-session-id", endedSessionId];

/** A folder for the tests of one file, in which they run the CLI. */
export interface OwnFolder {
  /** Its path, once the tests run. */
  readonly path: string;
  /** Writes a file there, an object as JSON, and returns its path. */
  readonly write: (name: string, content: string | object) => string;
  readonly conformance: (args: readonly string[], env?: Record<string, string>) => Promise<Outcome>;
  /** Judges a server by the CLI. */
  readonly judge: (alter?: Alter, args?: readonly string[], env?: Record<string, string>) => Promise<Outcome>;
  /** Reads the report that a run has written to a folder in this one. */
  readonly readReport: (out?: string) => Report;
}

/** Makes a folder before the tests of the file that calls this, and removes it after them. */
export function ownFolder(): OwnFolder {
  let path = "";
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), "conformance-"));
  });
  afterAll(() => rmSync(path, { recursive: true }));
  const run: OwnFolder["conformance"] = (args, env = {}) => conformance(args, { env, cwd: path });
  return {
    get path() {
      return path;
    },
    write: (name, content) => {
      writeFileSync(join(path, name), typeof content === "string" ? content : JSON.stringify(content));
      return join(path, name);
    },
    conformance: run,
    judge: async (alter, args = [], env = {}) => {
      await using server = await startServer(alter);
      return await run(["run", "--base-url", server.url, ...session, ...args], { ...key, ...env });
    },
    readReport: (out = "reports") => JSON.parse(readFileSync(join(path, out, "report.json"), "utf8")),
  };
}
