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

/** Returns whether a process is of a type; a `zygote` starts others. */
export function isProcessOfType(pid: number, type: ProcessType | "zygote"): boolean {
  return readProcess(pid, "cmdline").includes(`--type=${type}`);
}

/**
 * Returns the state of a process of a group. One that has ended, and waits to be reaped or has given its id to another, is `dead`; one that
 * was stopped by a signal or a debugger is `stopped`.
 */
export function readProcessState(pid: number, group: number): "alive" | "dead" | "stopped" {
  const line = readProcess(pid, "stat");
  const [state = ""] = fieldsAfterName(line);
  if (parseGroup(line) !== group || /[ZXx]/u.test(state)) return "dead";
  return /[Tt]/u.test(state) ? "stopped" : "alive";
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
  return Number(fieldsAfterName(line)[2]);
}

/** The fields of `/proc/<pid>/stat` from the state on: the program name before them is in parentheses, and may contain anything. */
function fieldsAfterName(line: string): string[] {
  return line.slice(line.lastIndexOf(")") + 2).split(" ");
}
