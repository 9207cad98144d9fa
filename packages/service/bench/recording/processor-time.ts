import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of Linux per second. */
const ticksPerSecond = 100;

interface Usage {
  /** Of this process, in seconds. */
  readonly own: number;
  /** Of encoders that have ended. */
  readonly encoders: number;
  /** Of browsers. */
  readonly browsers: number;
  /** Most memory at a time (PSS). */
  readonly bytes: number;
}

/** What this process and all that descends from it use: those that have ended, too. Samples, so call {@link sample} every second. */
export class ProcessTree {
  readonly #seconds = new Map<string, number>();
  #peakBytes = 0;

  /** Looks at all processes now. */
  sample(): Usage {
    let [own, encoders] = [0, 0];
    const parents = new Map<number, number>();
    const seconds = new Map<number, [key: string, seconds: number]>();
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      const fields = Number.isInteger(pid) ? statOf(pid) : undefined;
      if (!fields) continue;
      parents.set(pid, Number(fields[1]));
      const inSeconds = (one: number, other: number): number =>
        (Number(fields[one]) + Number(fields[other])) / ticksPerSecond;
      if (pid === process.pid) [own, encoders] = [inSeconds(11, 12), inSeconds(13, 14)];
      seconds.set(pid, [`${pid} ${fields[19]}`, inSeconds(11, 12)]);
    }
    let bytes = 0;
    for (const [pid, [key, spent]] of seconds) {
      if (!isOurs(pid, parents)) continue;
      if (pid !== process.pid) this.#seconds.set(key, spent);
      bytes += memoryOf(pid);
    }
    this.#peakBytes = Math.max(this.#peakBytes, bytes);
    const browsers = [...this.#seconds.values()].reduce((sum, one) => sum + one, 0);
    return { own, encoders, browsers, bytes: this.#peakBytes };
  }
}

function isOurs(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
    if (at === process.pid) return commandOf(pid) !== "ffmpeg";
  }
  return false;
}

/** An encoder that runs is counted when it has ended. */
function commandOf(pid: number): string {
  return read(`/proc/${pid}/comm`).trim();
}

function statOf(pid: number): string[] | undefined {
  const line = read(`/proc/${pid}/stat`);
  return line === "" ? undefined : line.slice(line.lastIndexOf(")") + 2).split(" ");
}

function memoryOf(pid: number): number {
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
