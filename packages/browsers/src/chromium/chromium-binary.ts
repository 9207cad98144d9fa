import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { BrowserError } from "../browser-error.ts";
import { unpackedChromium } from "./chromium-pack.ts";

/** Which Chromium to start. */
export interface ChromiumSettings {
  /** Path of an installed Chromium or headless shell. Default: the one that comes with npm. */
  readonly executable?: string;
  /** Folder that the one from npm is unpacked to; 215 MB. Default: `cloud-browser` in `$XDG_CACHE_HOME` or in `~/.cache`. */
  readonly cacheFolder?: string;
}

/** A Chromium that can be started. */
export interface ChromiumBinary {
  /** Absolute path of the program. */
  readonly executable: string;
  /** Environment variables that it needs: where its libraries and fonts are. */
  readonly env: Readonly<Record<string, string>>;
  /** Origin of the program: a setting, or npm. */
  readonly origin: "configured" | "npm";
}

/** Environment variables that an installed Chromium inherits. */
const inheritedVariables = ["LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"];

/**
 * Finds the Chromium to start; unpacks the one from npm when first used (about 2 s).
 *
 * @throws {BrowserError} `browser-missing` if the configured one is not executable, or the one from npm can't run on this machine.
 */
export async function findChromium(settings: ChromiumSettings = {}): Promise<ChromiumBinary> {
  if (settings.executable === undefined) return { ...(await unpackedChromium(settings.cacheFolder)), origin: "npm" };

  const executable = resolve(settings.executable);
  if (!(await isExecutable(executable))) {
    throw new BrowserError(
      "browser-missing",
      `the configured Chromium ${executable} is not an executable file; set the path of a Chromium, or none to use the one from npm`,
    );
  }
  const env = Object.fromEntries(
    inheritedVariables.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { executable, env, origin: "configured" };
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
