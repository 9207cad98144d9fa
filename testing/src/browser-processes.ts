import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Lists ids of the living processes whose command line, variables or folder name a text; the dead that wait to be reaped do not count. */
export function listProcessesNaming(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.[0];
        const surroundings = [
          readFileSync(`/proc/${pid}/cmdline`, "utf8"),
          readFileSync(`/proc/${pid}/environ`, "utf8"),
          readlinkSync(`/proc/${pid}/cwd`),
        ];
        return state !== "Z" && surroundings.some((one) => one.includes(text));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Lists ids of the main processes of the browsers that this process has started. */
export function listOwnBrowsers(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const parent = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1];
      const isBrowser = readFileSync(`/proc/${name}/cmdline`, "utf8").includes("--remote-debugging-pipe");
      return isBrowser && parent === String(process.pid) ? [Number(name)] : [];
    } catch {
      return []; // It has ended, or is nobody's.
    }
  });
}

/** Lists ids of the processes of pages in those browsers. */
export function listOwnRenderers(): number[] {
  return listOwnBrowserProcesses("--type=renderer");
}

/** Lists ids of the processes of those browsers whose command line has a text: `--type=zygote`, `--utility-sub-type=network`. */
export function listOwnBrowserProcesses(text: string): number[] {
  const browsers = new Set(listOwnBrowsers());
  const descends = (pid: number): boolean => {
    const parent = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
    return browsers.has(parent) || (parent > 1 && descends(parent));
  };
  return readdirSync("/proc").flatMap((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text) && descends(Number(name))
        ? [Number(name)]
        : [];
    } catch {
      return []; // It has ended, or is nobody's.
    }
  });
}

/** Starts a module in its own Node.js process. */
export function startNode(script: URL, parts: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, ["--conditions=@cloud-browser/source", fileURLToPath(script), ...parts], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Reads the first line that a process writes. */
export async function readFirstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no output is read of this process");
  const [line]: unknown[] = await once(createInterface(child.stdout), "line");
  return String(line);
}

/** Reads how much memory processes have written to, in bytes. Unlike their PSS it does not depend on who else runs the same program. */
export function readWrittenMemory(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    try {
      return Number(/^Pss_Anon:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024;
}
