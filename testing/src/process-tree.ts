import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of Linux per second. */
const ticksPerSecond = 100;

/** Seconds of a processor that a process and all that descend from it have used. */
export interface Usage {
  /** The process itself. */
  readonly own: number;
  /** Encoders, and whatever else it started and has ended. */
  readonly encoders: number;
  /** Its children that run: browsers. */
  readonly browsers: number;
}

/** Adds up a usage. */
export const sumUsage = ({ own, encoders, browsers }: Usage): number => own + encoders + browsers;

/** Gives what was used between two samples. */
export function diffUsage(from: Usage, to: Usage): Usage {
  return { own: to.own - from.own, encoders: to.encoders - from.encoders, browsers: to.browsers - from.browsers };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Seconds that it used, and those of its children that it has reaped. */
  readonly used: number;
  readonly reaped: number;
  /** Its name and when it started: a number is given again. */
  readonly key: string;
}

/** Usage of a process and its descendants. A child that is not sampled before it ends counts as an encoder. */
export class ProcessTree {
  readonly #root: number;
  readonly #secondsByKey = new Map<string, number>();

  /** Watches this process, unless another one is named. */
  constructor(root = process.pid) {
    this.#root = root;
  }

  /** Samples all processes: call it about every second, as ended processes are not counted. */
  sample(): Usage {
    const all = listProcesses();
    const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
    let [own, reaped] = [0, 0];
    for (const one of all) {
      if (one.pid === this.#root) {
        own = one.used;
        reaped = one.reaped;
      } else if (!one.key.startsWith("ffmpeg ") && descends(one.pid, this.#root, parents)) {
        this.#secondsByKey.set(one.key, one.used + one.reaped);
      }
    }
    const running = new Set(all.map(({ key }) => key));
    let [browsers, endedBrowsers] = [0, 0];
    for (const [key, used] of this.#secondsByKey) {
      browsers += used;
      if (!running.has(key)) endedBrowsers += used;
    }
    // Browsers that have ended are among those that were reaped.
    return { own, encoders: Math.max(0, reaped - endedBrowsers), browsers };
  }

  /** Memory of all of them now, in bytes (PSS); and of its children alone. */
  memory(): { readonly all: number; readonly children: number } {
    const all = listProcesses();
    const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
    let children = 0;
    for (const { pid } of all) if (descends(pid, this.#root, parents)) children += readMemory(pid);
    return { all: children + readMemory(this.#root), children };
  }
}

/** Lists the processes that descend from one, by their numbers. */
export function listDescendants(root: number): number[] {
  const all = listProcesses();
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  return all.map(({ pid }) => pid).filter((pid) => descends(pid, root, parents));
}

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
  return false;
}

function listProcesses(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    const line = Number.isInteger(pid) ? read(`/proc/${pid}/stat`) : "";
    if (line === "") return [];
    const command = line.slice(line.indexOf("(") + 1, line.lastIndexOf(")"));
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    const seconds = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) / ticksPerSecond;
    const key = `${command} ${pid} ${fields[19]}`;
    return [{ pid, parent: Number(fields[1]), used: seconds(11), reaped: seconds(13), key }];
  });
}

function readMemory(pid: number): number {
  const [, kilobytes = "0"] = /^Pss:\s+(\d+)/mu.exec(read(`/proc/${pid}/smaps_rollup`)) ?? [];
  return Number(kilobytes) * 1_024;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
