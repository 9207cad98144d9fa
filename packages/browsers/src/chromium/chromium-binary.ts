import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { BrowserError } from "../browser-error.ts";
import { unpackedChromium } from "./chromium-pack.ts";

/** Which Chromium to start. */
export interface ChromiumSettings {
  /** Path of an installed Chromium or headless shell. Default: the one that comes with npm. */
  readonly executable?: string;
  /** Where npm's is unpacked to; 215 MB. Default: `cloud-browser` in `$XDG_CACHE_HOME` or in `~/.cache`. */
  readonly cacheFolder?: string;
}

/** A Chromium that can be started. */
export interface ChromiumBinary {
  /** Absolute path of the program. */
  readonly executable: string;
  /** Variables that it needs: where its libraries and fonts are. */
  readonly env: Readonly<Record<string, string>>;
  /** Origin of the program: a setting, or npm. */
  readonly origin: "configured" | "npm";
}

/** Variables that tell an installed program where its libraries and fonts are. */
const passedOn = ["LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"];

/**
 * Finds the Chromium to start; unpacks npm's at the first time (some 2 s).
 *
 * @throws {BrowserError} `browser-missing` when the one configured is no program, or npm's can't run on this machine.
 */
export async function findChromium(settings: ChromiumSettings = {}): Promise<ChromiumBinary> {
  if (settings.executable === undefined) return { ...(await unpackedChromium(settings.cacheFolder)), origin: "npm" };

  const executable = resolve(settings.executable);
  if (!(await isProgram(executable))) {
    throw new BrowserError(
      "browser-missing",
      `The configured Chromium ${executable} is not a program that can be run. Set the path of a Chromium, or none to use npm's.`,
    );
  }
  const env = Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { executable, env, origin: "configured" };
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
