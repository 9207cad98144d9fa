import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { BrowserPool } from "../../src/pool/browser-pool.ts";

/** Ids of the processes of a group. */
function listProcesses(group: number): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/stat`, "utf8");
      return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[2]) === group;
    } catch {
      return false;
    }
  });
}

/** Numbers of the sockets that a process has. */
function findSockets(pid: string): (string | undefined)[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return /^socket:\[(\d+)\]$/u.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      } catch {
        return undefined; // that of the look itself
      }
    });
  } catch {
    return []; // it has ended
  }
}

/** Ports on which a process listens, in the way that the kernel tells of sockets and their owners. */
function listPorts(pids: readonly string[]): number[] {
  const sockets = new Set(pids.flatMap(findSockets));
  return ["tcp", "tcp6"].flatMap((kind) =>
    readFileSync(`/proc/self/net/${kind}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/u))
      .filter(([, , , state, , , , , , inode]) => state === "0A" && sockets.has(inode))
      .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16)),
  );
}

/** Returns whether a port tells of a page that has a mark, as the DevTools of a browser would. */
async function readTells(mark: string, port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/json/list`;
  const pages = await fetch(url, { signal: AbortSignal.timeout(5000) })
    .then((one) => one.text())
    .catch(() => "");
  return pages.includes(mark);
}

test.runIf(process.platform === "linux")(
  "no process of a browser listens on a port, and nobody finds its DevTools on one, not even who started it",
  async () => {
    const pool = await BrowserPool.start({ contextsPerBrowser: 1 });
    onTestFinished(async () => pool.close());
    const pooled = await pool.open();
    const mark = randomUUID();
    await (await pooled.context.newPage()).goto(`data:text/html,<title>${mark}</title>`);
    // What is listened for here is found in these ways.
    const marked = createServer((_, response) => response.end(`[{ "title": "${mark}" }]`)).listen(0, "127.0.0.1");
    onTestFinished(() => void marked.close());
    await once(marked, "listening");
    const address = marked.address();
    const port = typeof address === "object" ? address?.port : undefined;
    expect(listPorts([String(process.pid)])).toContain(port);

    const pids = listProcesses(pooled.browserPid);
    expect(pids.length).toBeGreaterThan(2);
    expect(listPorts(pids)).toEqual([]);
    expect(readFileSync(`/proc/${pooled.browserPid}/cmdline`, "utf8")).not.toContain("remote-debugging-port");

    // Other ports are those of tests that run meanwhile, which count what they are asked for.
    const ports = listPorts([String(process.pid), ...listProcesses(pooled.browserPid)]);
    const telling = await Promise.all(ports.map(async (one) => ((await readTells(mark, one)) ? [one] : [])));
    expect(telling.flat()).toEqual([port]);
  },
);
