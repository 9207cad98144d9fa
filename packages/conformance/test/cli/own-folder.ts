import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { apiKey, endedSessionId, sessionId } from "../server.ts";
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
}

/** Makes a folder before the tests of the file that calls this, and removes it after them. */
export function ownFolder(): OwnFolder {
  let path = "";
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), "conformance-"));
  });
  afterAll(() => rmSync(path, { recursive: true }));
  return {
    get path() {
      return path;
    },
    write: (name, content) => {
      writeFileSync(join(path, name), typeof content === "string" ? content : JSON.stringify(content));
      return join(path, name);
    },
    conformance: (args, env = {}) => conformance(args, { env, cwd: path }),
  };
}
