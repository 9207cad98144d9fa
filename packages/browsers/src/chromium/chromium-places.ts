import { join } from "node:path";

/** A machine, as far as it decides which Chromium there is. */
export interface Machine {
  /** Platform, as `process.platform`. */
  readonly platform: NodeJS.Platform;
  /** Architecture, as `process.arch`. */
  readonly arch: string;
  /** Folders of the variable PATH. */
  readonly path: readonly string[];
  /** Home folder of the user. */
  readonly home: string;
  /** Path of the Chromium that `playwright-core install` downloads. */
  readonly downloaded?: string;
}

/** Version of playwright-core whose Chromium the drivers of this package are made for: that in its package.json. */
const playwright = "playwright-core@1.65.1";

/** Applications of macOS, by their folder and their program. */
const applications = [
  "Google Chrome.app/Contents/MacOS/Google Chrome",
  "Chromium.app/Contents/MacOS/Chromium",
  "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/** Names of programs on Linux. */
const programs = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable"];

/** Folders of programs on Linux that PATH may lack. */
const usualFolders = ["/usr/local/bin", "/usr/bin", "/opt/google/chrome"];

/** Lists the paths of an installed Chromium on a machine, the best first: that of Playwright matches the drivers. */
export function listChromiumPlaces(machine: Machine): string[] {
  if (machine.platform === "win32") return [];
  return [...(machine.downloaded === undefined ? [] : [machine.downloaded]), ...listSystemPlaces(machine)];
}

function listSystemPlaces({ platform, path, home }: Machine): string[] {
  if (platform === "darwin") {
    const folders = ["/Applications", join(home, "Applications")];
    return applications.flatMap((application) => folders.map((folder) => join(folder, application)));
  }
  if (platform !== "linux") return [];
  // A Chromium of snap may not read the folders that it is given.
  const folders = [...new Set([...path, ...usualFolders])].filter(
    (folder) => folder.startsWith("/") && !folder.startsWith("/snap/"),
  );
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)));
}

/** Returns advice on how to install Chromium on a machine. */
export function adviseChromium({ platform, arch }: Pick<Machine, "platform" | "arch">): string {
  if (platform === "win32") return "Windows has none that can be used: run it in WSL or a container";
  const download = `npx ${playwright} install chromium`;
  if (platform === "darwin") return `install Google Chrome, or run: ${download}`;
  if (platform === "linux" && (arch === "x64" || arch === "arm64")) {
    return `run: ${download} --with-deps; or install one of the system (Debian: apt-get install chromium, Alpine: apk add chromium)`;
  }
  return "install one of the system (Debian: apt-get install chromium)";
}
