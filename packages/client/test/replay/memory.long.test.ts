import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { apiKey, getContent, getHash, startReplayHost } from "./replay-host.ts";

/**
 * Downloads in a process of its own, and returns what that adds at most: to what is held after a collection of garbage, measured
 * after every 25 MB, and to the size of the process at any time. The latter says more about Node.js than about the download: it lets
 * used-up chunks pile up before it collects them, up to 94 MB when the same file is merely read from \`fetch\`.
 */
const program = `
  import { downloadReplay } from ${JSON.stringify(new URL("../../src/replay.ts", import.meta.url).href)};
  import { createClient } from ${JSON.stringify(new URL("replay-host.ts", import.meta.url).href)};
  const [url, path] = process.argv.slice(2);
  await downloadReplay(createClient(url), "warm-up", path, { retryDelayMs: 1 });
  const held = () => {
    gc();
    gc(); // finishes what the first one has left to other threads
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external; // external has the array buffers in it
  };
  const before = { rss: process.memoryUsage.rss(), held: held() };
  const most = { ...before };
  let next = 0;
  const onProgress = ({ receivedBytes }) => {
    if (receivedBytes < next) return;
    next += 25e6;
    most.held = Math.max(most.held, held());
  };
  const timer = setInterval(() => (most.rss = Math.max(most.rss, process.memoryUsage.rss())), 20);
  const cpuBefore = process.cpuUsage();
  const { replay, ...result } = await downloadReplay(createClient(url), "s1", path, { retryDelayMs: 1, onProgress });
  clearInterval(timer);
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpu = (user + system) / 1e6;
  console.log(JSON.stringify({ ...result, cpu, rss: most.rss - before.rss, held: most.held - before.held }));
`;

test("downloads 500 MB over five lost connections and two expiries, byte for byte, in bounded memory", async () => {
  const size = 500_000_000;
  const video = getContent("500 MB", size);
  const folder = await mkdtemp(join(tmpdir(), "replay-"));
  const path = join(folder, "replay.mp4");
  await using host = await startReplayHost({ contents: { "video.mp4": video } });
  const part = size / 6;
  const warmUp = { swap: getContent("warm-up", 1_000_000) };
  host.faults.push(
    warmUp,
    { swap: video, cutAfter: part },
    { cutAfter: part },
    { expire: true },
    { cutAfter: part },
    { cutAfter: part },
    { expire: true },
    { cutAfter: part },
  );
  try {
    const flags = ["--expose-gc", "--conditions=@cloud-browser/source", "--input-type=module", "-"];
    const running = promisify(execFile)(process.execPath, [...flags, host.url, path]);
    running.child.stdin?.end(program);
    const { stdout } = await running;
    const { rss, held, cpu, ...result }: Record<string, number> = JSON.parse(stdout);
    expect(result).toEqual({ bytes: size, resumes: 5, refreshes: 2 });
    expect(host.files.map(({ status }) => status)).toEqual([200, 200, 206, 403, 206, 206, 403, 206, 206]);
    expect(await readdir(folder)).toEqual(["replay.mp4"]);
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk);
    expect(hash.digest("hex")).toBe(getHash(video));
    expect(held).toBeLessThan(8 * 2 ** 20);
    expect(rss).toBeLessThan(128 * 2 ** 20);
    expect(cpu).toBeLessThan(10); // not the time by the clock: that is long on a busy machine
    console.log(`${cpu?.toFixed(1)} s of work, ${held} bytes held, ${rss} bytes of process`);
    expect(host.files.every(({ headers }) => !JSON.stringify(headers).includes(apiKey))).toBe(true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
