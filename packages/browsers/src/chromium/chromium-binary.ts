import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, resolve } from "node:path";
import { chromium } from "playwright-core";
import { BrowserError } from "../browser-error.ts";
import { canRunChromiumPack, unpackedChromium } from "./chromium-pack.ts";
import { adviseChromium, listChromiumPlaces, type Machine } from "./chromium-places.ts";

/** Settings of the Chromium to start. */
export interface ChromiumSettings {
  /**
   * Path of an installed Chromium or headless shell. Default: the one that comes with npm; where that can't run (it is for Linux with
   * glibc on x64), the one that `npx playwright-core install chromium` brings, or Chrome, Chromium or Edge of the system.
   */
  readonly executable?: string;
  /** Folder to which the Chromium from npm is unpacked; 215 MB. Default: `cloud-browser` in `$XDG_CACHE_HOME` or in `~/.cache`. */
  readonly cacheFolder?: string;
}

/** A Chromium that can be started. */
export interface ChromiumBinary {
  /** Absolute path of the program. */
  readonly executable: string;
  /** Environment variables that it needs: where its libraries and fonts are. */
  readonly env: Readonly<Record<string, string>>;
  /** Origin of the program: a setting, npm, or an installation that was found. */
  readonly origin: "configured" | "npm" | "found";
}

/** Environment variables that an installed Chromium inherits. */
const inheritedVariables = ["LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"];

/**
 * Finds the Chromium to start; unpacks the one from npm when first used (about 2 s).
 *
 * @param machine - The machine to find it for. Default: this one.
 * @throws {BrowserError} `browser-missing` if the configured one is not executable, or there is none; the message says how one is
 *   installed on this platform.
 */
export async function findChromium(
  settings: ChromiumSettings = {},
  machine: Machine = thisMachine(),
): Promise<ChromiumBinary> {
  if (settings.executable === undefined) {
    if (await canRunChromiumPack(machine)) return { ...(await unpackedChromium(settings.cacheFolder)), origin: "npm" };
    return findInstalledChromium(machine);
  }
  const executable = resolve(settings.executable);
  if (!(await isExecutable(executable))) {
    throw new BrowserError(
      "browser-missing",
      `the configured Chromium ${executable} is not an executable file; set the path of a Chromium, or none to use the one from npm`,
    );
  }
  return { executable, env: inheritedEnvironment(), origin: "configured" };
}

async function findInstalledChromium(machine: Machine): Promise<ChromiumBinary> {
  for (const executable of listChromiumPlaces(machine)) {
    if (await isExecutable(executable)) return { executable, env: inheritedEnvironment(), origin: "found" };
  }
  throw new BrowserError(
    "browser-missing",
    `no Chromium was found, and the one that comes with npm runs on Linux with glibc on x64 only; this is ${machine.platform} ` +
      `${machine.arch}. ${adviseChromium(machine)}; or set the path of its program`,
  );
}

function thisMachine(): Machine {
  const path = (process.env["PATH"] ?? "").split(delimiter);
  const downloaded = chromium.executablePath();
  return { platform: process.platform, arch: process.arch, path, home: homedir(), downloaded };
}

function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    inheritedVariables.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
