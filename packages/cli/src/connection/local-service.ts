import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Address of a service that runs on this machine. */
export interface LocalService {
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** Its API key. A secret. */
  readonly apiKey: string;
}

/** Returns the folder that a service on this machine keeps its data in unless it is given another one. */
export function defaultDataFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { XDG_DATA_HOME: named = "" } = env;
  // Empty and relative paths are ignored, as the XDG Base Directory Specification requires.
  return join(isAbsolute(named) ? named : join(env["HOME"] || homedir(), ".local", "share"), "cloud-browser");
}

/** Reads the address that the service of a folder wrote for programs of its owner; undefined when none runs. */
export function localService(folder: string): LocalService | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(join(folder, "service.json"), "utf8"));
    const { url, apiKey }: Partial<Record<keyof LocalService, unknown>> = Object(content);
    return typeof url === "string" && typeof apiKey === "string" ? { url, apiKey } : undefined;
  } catch {
    return undefined;
  }
}
