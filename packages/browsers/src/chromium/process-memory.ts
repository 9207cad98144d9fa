import { readdirSync, readFileSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { sendSignal } from "./send-signal.ts";

/** Memory of the processes of a browser, in bytes: what each uses alone and its share of what it shares (PSS). */
export interface BrowserMemory {
  /** Of all its processes. */
  readonly all: number;
  /** Of the renderer process that uses most. */
  readonly heaviestPage: number;
}

/**
 * Reads the memory of a browser, by its process group.
 * Undefined on platforms other than Linux, or if the group has no process.
 */
export async function browserMemory(processGroup: number): Promise<BrowserMemory | undefined> {
  const known = await sharesOf(processGroup);
  if (known.length === 0) return undefined;
  return {
    all: known.reduce((sum, { bytes }) => sum + bytes, 0),
    heaviestPage: Math.max(0, ...known.map(({ bytes, isRenderer }) => (isRenderer ? bytes : 0))),
  };
}

/**
 * Kills the renderer process of a browser that uses most memory: its pages crash, and no others. Does nothing when that is less than
 * `leastBytes`, or on platforms other than Linux.
 */
export async function killHeaviestRenderer(processGroup: number, leastBytes: number): Promise<void> {
  const renderers = (await sharesOf(processGroup)).filter(({ isRenderer }) => isRenderer);
  const heaviest = renderers.toSorted((one, other) => other.bytes - one.bytes)[0];
  if (heaviest && heaviest.bytes >= leastBytes) sendSignal(heaviest.pid, "SIGKILL");
}

/** Memory of one process. */
interface Share {
  readonly pid: number;
  readonly bytes: number;
  readonly isRenderer: boolean;
}

/** Memory of each process of a browser; none on platforms other than Linux. */
async function sharesOf(processGroup: number): Promise<Share[]> {
  if (process.platform !== "linux") return [];
  const pids = await processesOf(processGroup);
  const shares = await Promise.all(
    pids.map(async (pid): Promise<Share[]> => {
      const [bytes, isRenderer] = await Promise.all([pssOf(pid), hasPages(pid)]);
      return bytes === undefined ? [] : [{ pid: Number(pid), bytes, isRenderer }];
    }),
  );
  return shares.flat();
}

/** Returns the ids of the renderer processes of a browser, synchronously; none on platforms other than Linux. */
export function renderersOf(processGroup: number): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        const isOfGroup = parseGroup(readFileSync(`/proc/${pid}/stat`, "utf8")) === processGroup;
        return isOfGroup && isRenderer(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      } catch {
        return false; // it has ended meanwhile
      }
    })
    .map(Number);
}

async function processesOf(group: number): Promise<string[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const groups = await Promise.all(all.map(groupOf));
  return all.filter((_, index) => groups[index] === group);
}

async function groupOf(pid: string): Promise<number | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return line === undefined ? undefined : parseGroup(line);
}

/** Parses the process group from `/proc/<pid>/stat`. */
function parseGroup(line: string): number {
  // The program name is in parentheses and may contain anything: the fields follow the last one.
  return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[2]);
}

async function pssOf(pid: string): Promise<number | undefined> {
  const totals = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => undefined);
  const kilobytes = totals && /^Pss:\s+(\d+) kB$/mu.exec(totals)?.[1];
  return kilobytes ? Number(kilobytes) * 1024 : undefined;
}

async function hasPages(pid: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return isRenderer(commandLine);
}

const isRenderer = (commandLine: string): boolean => commandLine.includes("--type=renderer");
