import { readFile } from "node:fs/promises";
import {
  isProcessOfType,
  parseKilobytes,
  listBrowserProcesses,
  residentBytes,
  type ProcessType,
} from "./browser-processes.ts";
import { sendSignal } from "./send-signal.ts";

/** Memory of the processes of a browser, in bytes: private memory and a share of shared memory (PSS). */
export interface BrowserMemory {
  /** Memory of all processes. */
  readonly all: number;
  /** Memory of the largest renderer process. */
  readonly heaviestPage: number;
  /** Memory of the GPU process, which draws the pages of all contexts. */
  readonly gpu: number;
}

/**
 * Reads the memory of a browser, by its process group.
 * Undefined on platforms other than Linux, or if the group has no process.
 */
export async function browserMemory(processGroup: number): Promise<BrowserMemory | undefined> {
  const shares = await readShares(listBrowserProcesses(processGroup));
  if (shares.length === 0) return undefined;
  const most = (type: ProcessType): number =>
    Math.max(0, ...shares.filter(({ pid }) => isProcessOfType(pid, type)).map(({ bytes }) => bytes));
  return {
    all: shares.reduce((sum, { bytes }) => sum + bytes, 0),
    heaviestPage: most("renderer"),
    gpu: most("gpu-process"),
  };
}

/**
 * Kills the process of a type that uses most memory of those of a browser. Of a renderer the pages crash, and no others; the
 * GPU process is started again, and pages lose their WebGL contexts. Does nothing when the process uses less than
 * `leastBytes`, or on platforms other than Linux.
 *
 * @returns Whether one was killed.
 */
export async function killHeaviest(processGroup: number, type: ProcessType, leastBytes: number): Promise<boolean> {
  // Resident memory is never less, and is told without a walk through the pages of memory.
  const candidates = listBrowserProcesses(processGroup).filter(
    (pid) => residentBytes(pid) >= leastBytes && isProcessOfType(pid, type),
  );
  const [heaviest] = (await readShares(candidates)).toSorted((one, other) => other.bytes - one.bytes);
  return heaviest !== undefined && heaviest.bytes >= leastBytes && sendSignal(heaviest.pid, "SIGKILL");
}

/** Memory of one process. */
interface Share {
  readonly pid: number;
  readonly bytes: number;
}

/** Returns the memory of each process that still runs. */
async function readShares(pids: readonly number[]): Promise<Share[]> {
  const shares = await Promise.all(
    pids.map(async (pid): Promise<Share[]> => {
      const totals = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
      const bytes = parseKilobytes(totals, "Pss");
      return bytes === undefined ? [] : [{ pid, bytes }];
    }),
  );
  return shares.flat();
}
