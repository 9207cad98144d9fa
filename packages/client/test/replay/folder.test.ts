import { mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { downloadHls, type HlsOptions } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { readOutcome } from "./replay-host.ts";
import { quick, start } from "./replay-segments.ts";

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await makeOwnFolder();
  folder = join(parent, "hls");
});

/** Writes a file, and the folders that it needs. */
async function put(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "precious");
}

/** Downloads, and lets something happen in the file system before the last segment. */
async function downloadWhile(happens: () => Promise<void>, options?: HlsOptions): Promise<unknown> {
  await using host = await start();
  let requestCount = 0;
  const meddlingFetch: typeof fetch = async (...args) => {
    if (++requestCount === 12) await happens();
    return fetch(...args);
  };
  return await readOutcome(
    downloadHls(host.client, "s1", folder, { ...quick, concurrency: 1, fetch: meddlingFetch, ...options }),
  );
}

const strangers: { name: string; before?: string[]; file: string; overwrite?: boolean }[] = [
  { name: "where no folder was", file: "thesis.doc" },
  { name: "in a folder that was empty", before: [], file: "thesis.doc" },
  { name: "of a name that a segment has", before: [], file: "segment-00001.ts" },
  { name: "beside what may be replaced", before: ["playlist.m3u8"], file: "thesis.doc", overwrite: true },
  { name: "where no folder was that may be replaced", file: "thesis.doc", overwrite: true },
  {
    name: "in a folder of such a name",
    before: ["playlist.m3u8"],
    file: "segment-00001.ts/thesis.doc",
    overwrite: true,
  },
];
test.for(strangers)("keeps a file that comes during the download: $name", async ({ before, file, overwrite }) => {
  if (before) await mkdir(folder);
  await Promise.all((before ?? []).map((name) => put(join(folder, name))));
  const outcome = await downloadWhile(() => put(join(folder, file)), { overwrite });
  expect(outcome).toMatchObject({ code: "misuse", cause: { message: "the folder is not empty" } });
  expect(await readFile(join(folder, file), "utf8")).toBe("precious");
  expect(new Set(await readdir(folder))).toEqual(new Set([...(before ?? []), file.split("/", 1)[0]]));
  expect(await readdir(parent)).toEqual(["hls"]);
});

test("keeps a file that comes in the place of the folder", async () => {
  const outcome = await downloadWhile(() => put(folder), { overwrite: true });
  expect(outcome).toMatchObject({ code: "misuse" });
  expect(await readFile(folder, "utf8")).toBe("precious");
  expect(await readdir(parent)).toEqual(["hls"]);
});

test.for(["file", "link"])("keeps what is not a regular file, whatever its name: a folder with a %s", async (what) => {
  const inner = join(folder, "segment-00001.ts");
  await put(join(parent, "elsewhere", "thesis.doc"));
  await (what === "file" ? put(join(inner, "thesis.doc")) : put(join(folder, "playlist.m3u8")));
  if (what === "link") await symlink(join(parent, "elsewhere"), inner);
  await using host = await start();
  const outcome = await readOutcome(downloadHls(host.client, "s1", folder, { ...quick, overwrite: true }));
  expect(outcome).toMatchObject({ code: "misuse" });
  expect(host.replays).toEqual([]);
  expect(await readFile(join(inner, "thesis.doc"), "utf8")).toBe("precious");
  expect((await readdir(parent)).sort()).toEqual(["elsewhere", "hls"]);
});

test("replaces a link to a folder, and leaves what is in that folder", async () => {
  const elsewhere = join(parent, "elsewhere");
  await put(join(elsewhere, "playlist.m3u8"));
  await symlink(elsewhere, folder);
  await using host = await start();
  await downloadHls(host.client, "s1", folder, { ...quick, overwrite: true });
  expect((await readdir(folder)).length).toBe(13);
  expect(await readOutcome(readlink(folder))).toMatchObject({ code: "EINVAL" });
  expect(await readFile(join(elsewhere, "playlist.m3u8"), "utf8")).toBe("precious");
  expect((await readdir(parent)).sort()).toEqual(["elsewhere", "hls"]);
});

test("puts the download where a folder was that is gone", async () => {
  await put(join(folder, "playlist.m3u8"));
  expect(await downloadWhile(() => rm(folder, { recursive: true }), { overwrite: true })).toMatchObject({
    segmentCount: 12,
  });
  await rename(folder, join(parent, "away"));
  expect(await downloadWhile(async () => undefined)).toMatchObject({ segmentCount: 12 });
  expect((await readdir(parent)).sort()).toEqual(["away", "hls"]);
});
