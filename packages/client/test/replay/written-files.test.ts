import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { downloadHls, downloadReplay } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { getBytes, readOutcome, startReplayHost } from "./replay-host.ts";
import { start } from "./replay-segments.ts";
import { contents, quick, video } from "./replay-video.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await makeOwnFolder();
  path = join(folder, "replay.mp4");
});

async function readMode(name: string): Promise<string> {
  return ((await stat(name)).mode & 0o7777).toString(8);
}

test.for([0o600, 0o640, 0o400, 0o666, 0o4755])("a replaced file keeps its permissions: %o", async (mode) => {
  await using host = await startReplayHost({ contents });
  await writeFile(path, "before");
  await chmod(path, mode);
  const modes: string[] = [];
  const onProgress = async (): Promise<void> => {
    for (const name of await readdir(folder)) modes.push(await readMode(join(folder, name)));
  };
  await downloadReplay(host.client, "s1", path, { onProgress });
  expect(await readMode(path)).toBe(mode.toString(8));
  expect(new Set(modes)).toEqual(new Set([mode.toString(8)]));
  expect((await readFile(path)).length).toBe(video.size);
});

test("a replaced folder and its files keep their permissions", async () => {
  await using host = await start();
  await mkdir(path, { mode: 0o700 });
  await writeFile(join(path, "segment-00001.ts"), "before", { mode: 0o600 });
  await downloadHls(host.client, "s1", path, { overwrite: true });
  expect([await readMode(path), await readMode(join(path, "segment-00001.ts"))]).toEqual(["700", "600"]);
});

test.for(["text/html", "text/html; charset=utf-8", "TEXT/HTML", "application/xml", "text/xml", "application/json", "application/problem+json", "application/xhtml+xml"])(
  "what a host sends as %s is no recording",
  async (type) => {
    await using host = await startReplayHost({ contents, always: { headers: { "content-type": type } } });
    expect(await readOutcome(downloadReplay(host.client, "s1", path, quick))).toMatchObject({ code: "download", status: 200 });
    expect(host.files).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  },
); // prettier-ignore

test.for(["video/mp4", "application/octet-stream", "binary/octet-stream", "text/plain", "text/vnd.trolltech.linguist", ""])(
  "what a host sends as %j may be a recording",
  async (type) => {
    await using host = await startReplayHost({ contents, always: { headers: { "content-type": type } } });
    await downloadReplay(host.client, "s1", path, quick);
    expect((await readFile(path)).equals(getBytes(video))).toBe(true);
  },
); // prettier-ignore

test.for([`${"a".repeat(251)}.mp4`, `${"ä".repeat(125)}.mp4`, "😀".repeat(63), "b".repeat(240)])(
  "a name may be as long as the file system allows: %s",
  async (name) => {
    await using host = await startReplayHost({ contents });
    await downloadReplay(host.client, "s1", join(folder, name));
    await using segments = await start();
    await mkdir(join(folder, "hls"));
    await downloadHls(segments.client, "s1", join(folder, "hls", name));
    expect(await readdir(folder)).toEqual([name, "hls"].sort());
    expect(await readdir(join(folder, "hls"))).toEqual([name]);
  },
);

/** Downloads in another process, which is killed in the middle. */
async function killDownload(url: string): Promise<void> {
  const replay = new URL("../../src/replay.ts", import.meta.url).href;
  const code = `
    import { downloadReplay } from ${JSON.stringify(replay)};
    const client = { replay: async () => (await fetch(${JSON.stringify(`${url}/sessions/s1/replay`)}, { headers: { authorization: "Bearer k3y-0f-the-service" } })).json() };
    await downloadReplay(client, "s1", ${JSON.stringify(path)}, { onProgress: ({ receivedBytes }) => receivedBytes > 0 && console.log("writes") });`;
  const options = ["--conditions=@cloud-browser/source", "--input-type=module", "-e", code];
  const child = spawn(process.execPath, options, { cwd: fileURLToPath(new URL("../..", import.meta.url)), stdio: ["ignore", "pipe", "inherit"] }); // prettier-ignore
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("a download removes what a killed one left, and nothing else", async () => {
  await using host = await startReplayHost({ contents });
  host.faults.push({ stallAfter: 1000 });
  await killDownload(host.url);
  const [leftover = ""] = await readdir(folder);
  expect(leftover).toMatch(/^replay\.mp4\.[\da-f]{8}-\d+\.[\da-f]{8}\.part$/);
  const others = [
    "replay.mp4.part",
    "replay.mp4.12345678.part",
    `other.${leftover}`,
    `replay.mp4.ffffffff-1.12345678.part`,
  ];
  for (const name of others) await writeFile(join(folder, name), "of others");
  const long = join(folder, "replay.mp4.ffffffff-1.87654321.part");
  await writeFile(long, "of another machine, long ago");
  await utimes(long, 1e9, 1e9);
  await downloadReplay(host.client, "s1", path);
  expect(await readdir(folder)).toEqual([...others, "replay.mp4"].sort());
});

test("downloads to one path at a time leave each other alone", async () => {
  await using host = await startReplayHost({ contents });
  const same = await Promise.all([1, 2, 3].map(() => downloadReplay(host.client, "s1", path)));
  expect(same.map(({ bytes }) => bytes)).toEqual([video.size, video.size, video.size]);
  expect(await readdir(folder)).toEqual(["replay.mp4"]);
});
