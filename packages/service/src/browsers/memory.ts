import { readFile, readdir } from "node:fs/promises";

/**
 * Memory of the processes of a group, in bytes: what each uses alone and its share of what it shares (PSS).
 * Undefined where the platform does not tell (elsewhere than Linux), or when no process of the group is left.
 *
 * Source: ours.
 */
export async function proportionalMemory(processGroup: number): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const shares = await Promise.all((await processesOf(processGroup)).map(shareOf));
  const known = shares.filter((share) => share !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, share) => sum + share, 0);
}

async function processesOf(group: number): Promise<string[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const groups = await Promise.all(all.map(groupOf));
  return all.filter((_, index) => groups[index] === group);
}

async function groupOf(pid: string): Promise<number | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The name of the program stands in brackets and may hold anything: the fields follow the last bracket.
  const group = line?.slice(line.lastIndexOf(")") + 2).split(" ")[2];
  return group === undefined ? undefined : Number(group);
}

async function shareOf(pid: string): Promise<number | undefined> {
  const totals = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => undefined);
  const kilobytes = totals && /^Pss:\s+(\d+) kB$/mu.exec(totals)?.[1];
  return kilobytes ? Number(kilobytes) * 1024 : undefined;
}
