import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getContent, startReplayHost, type Content, type Fault, type ReplayHost } from "./replay-host.ts";

/** Options under which nothing waits long for its next attempt. */
export const quick = { retryDelayMs: 1 };

/** The files of the replay: twelve segments, and what else a playlist may name. */
export const contents: Record<string, Content> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`s${at}.ts`, getContent(`s${at}`, 200_000 + at)])),
  "init.mp4": getContent("init", 700),
  "all.mp4": getContent("all", 500_000),
  "key.bin": getContent("key", 16),
};

/** Makes the presigned URL of a file. */
export type Sign = (name: string) => string;

/** What a playlist begins with. */
export const head = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:5", "#EXT-X-MEDIA-SEQUENCE:3"];

/** The segments of a playlist. */
export const getList = (sign: Sign, count = 12, seconds = 4.5): string[] =>
  Array.from({ length: count }, (_, at) => [`#EXTINF:${seconds},about ${sign("x")}`, sign(`s${at}.ts`)]).flat();

/** A playlist of all segments. */
export const plain = (sign: Sign): string => [...head, ...getList(sign), "#EXT-X-ENDLIST"].join("\n");

/** Starts a host whose replay has this playlist; `nth` counts the requests for it, from 1. */
export function start(playlist: (sign: Sign, nth: number) => unknown = plain, always: Fault = {}): Promise<ReplayHost> {
  const replay = (sign: Sign, nth: number) => ({ playlist_content: playlist(sign, nth) });
  return startReplayHost({ contents, always, replay });
}

/** All files of a folder, by name. */
export async function readFiles(folder: string): Promise<Record<string, Buffer>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}
