import { readdirSync, readFileSync } from "node:fs";

/** Type of a process of Chromium, as its command line has it: `renderer` runs pages, `gpu-process` draws those of all contexts. */
export type ProcessType = "renderer" | "gpu-process";

/**
 * Returns the ids of the processes of a group, read at once: asking one after the other takes ten times the processor. None on
 * platforms other than Linux.
 */
export function listBrowserProcesses(group: number): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => parseGroup(readProcess(pid, "stat")) === group);
}

/** Returns whether a process is of a type. */
export function isProcessOfType(pid: number, type: ProcessType): boolean {
  return readProcess(pid, "cmdline").includes(`--type=${type}`);
}

/** Returns the resident memory of a process, in bytes: its own and all that it shares. 0 when it has ended. */
export function residentBytes(pid: number): number {
  return parseKilobytes(readProcess(pid, "status"), "VmRSS") ?? 0;
}

/** Parses one figure of a file that has them by name, in bytes. */
export function parseKilobytes(text: string, name: string): number | undefined {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "mu").exec(text)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Reads a file that the operating system has of a process; empty when that has ended. */
function readProcess(pid: number, file: "stat" | "status" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Parses the process group from `/proc/<pid>/stat`. */
function parseGroup(line: string): number {
  // The program name is in parentheses and may contain anything: the fields follow the last one.
  return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[2]);
}
