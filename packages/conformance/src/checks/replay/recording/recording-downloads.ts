import { readReplay } from "../replay-status.ts";
import type { Probe } from "../../../http/probe.ts";
import { bodyBytes, type Exchange } from "../../../http/exchange.ts";
import { followDownload, listHops, parseWebAddress, isForDocumentation } from "../../follow-download.ts";
import { readPlaylist } from "./media/playlist.ts";
import { mapLimit, segmentLimit, type RecordingName } from "./recording-ids.ts";

/** Bounds of all downloads of a run together: no further one begins after this time, in milliseconds, or after so many bytes. */
const bounds = { timeMs: 120_000, bytes: 128 * 1024 * 1024 };

/** Sends the request of one download; undefined when it was not sent. */
type Send = (probe: Probe) => Promise<Exchange | undefined>;

/** Options of downloading the files of one recording. */
export interface RecordingDownload {
  /** The recording that it is about. */
  readonly name: RecordingName;
  /** The exchange that read its replay; when it holds no addresses, nothing is sent. */
  readonly replay: Exchange;
  /** Address of the target: a name for documentation leads nowhere, unless the target itself is at it. */
  readonly baseUrl: string;
  /** Sends one more request. */
  readonly send: Send;
}

/**
 * Downloads the files that a replay refers to: the MP4, then each address of the playlist once, one after the other, within bounds. A host
 * that can't be reached is asked once.
 *
 * Source: interface § ReplayResponse.
 */
export async function downloadRecording(options: RecordingDownload): Promise<void> {
  const { send } = options;
  const until = performance.now() + bounds.timeMs;
  const dead = new Set<string>();
  let bytes = 0;
  for (const { id, address } of listFiles(options)) {
    if (performance.now() >= until || bytes >= bounds.bytes) return;
    const { origin } = new URL(address);
    if (dead.has(origin)) continue;
    const received = await follow(id, address, send);
    if (received === undefined) dead.add(origin);
    else bytes += received;
  }
}

/** Largest MP4 that is downloaded a second time, in bytes. */
const againLimit = 16 * 1024 * 1024;

/** Downloads the MP4 of the replay of the other session that the suite has ended. */
export async function downloadOther(replay: Exchange | undefined, send: Send): Promise<void> {
  const { mp4_url: mp4 } = replay ? readReplay(replay) : {};
  const address = typeof mp4 === "string" ? parseWebAddress(mp4) : undefined;
  if (address !== undefined) await follow("recording/other-mp4", address, send);
}

/**
 * Downloads the MP4, unless it was a large one, and the first segment once more.
 *
 * @param before - Exchanges of the downloads so far, by the ids of the probes.
 */
export async function downloadLast(options: RecordingDownload, before: ReadonlyMap<string, Exchange>): Promise<void> {
  const { name, send } = options;
  const files = listFiles(options);
  const size = (id: string): number => listHops(id).reduce((sum, hop) => sum + measureSize(before.get(hop)), 0);
  const again = (id: string): File[] =>
    files.filter((file) => file.id === id && size(id) > 0 && size(id) <= againLimit);
  for (const { address } of again(`${name}/mp4`)) await follow(`${name}/last-mp4`, address, send);
  for (const { address } of again(`${name}/segment-1`)) await follow(`${name}/last-segment`, address, send);
}

/** Requests the MP4 after its address has expired. */
export async function downloadExpired(options: RecordingDownload): Promise<void> {
  const { name, send } = options;
  const mp4 = listFiles(options).find(({ id }) => id === `${name}/mp4`);
  if (mp4) await follow(`${name}/expired-mp4`, mp4.address, send);
}

function measureSize(exchange: Exchange | undefined): number {
  return exchange?.response ? bodyBytes(exchange.response).length : 0;
}

/** Downloads a file of a recording; undefined when its host did not answer. */
function follow(id: string, address: string, send: Send): Promise<number | undefined> {
  return followDownload({ id, operation: "session_replay", address, send });
}

interface File {
  readonly id: string;
  readonly address: string;
}

function listFiles({ name, replay, baseUrl }: RecordingDownload): File[] {
  const { mp4_url: mp4, playlist_content: text } = readReplay(replay);
  const playlist = readPlaylist(typeof text === "string" ? text : "");
  const segments = playlist.isMaster ? [] : [...new Set(playlist.segments.map(({ address }) => address))];
  return [
    ...(typeof mp4 === "string" ? [{ id: `${name}/mp4`, address: mp4 }] : []),
    ...numberFiles(`${name}/segment-map`, playlist.maps.slice(0, mapLimit)),
    ...numberFiles(`${name}/segment`, segments.slice(0, segmentLimit)),
  ].filter(({ address }) => parseWebAddress(address) !== undefined && leadsSomewhere(address, baseUrl));
}

const leadsSomewhere = (address: string, baseUrl: string): boolean =>
  !isForDocumentation(address) || URL.parse(address)?.host === URL.parse(baseUrl)?.host;

/** Returns whether a replay has addresses, and all of them are for documentation. */
export function isForDocumentationAlone({ replay, ...about }: Omit<RecordingDownload, "send" | "name">): boolean {
  const { mp4_url: mp4, playlist_content: text } = readReplay(replay);
  const { segments, maps } = readPlaylist(typeof text === "string" ? text : "");
  const addresses = [...(typeof mp4 === "string" ? [mp4] : []), ...segments.map(({ address }) => address), ...maps];
  const web = addresses.filter((address) => parseWebAddress(address) !== undefined);
  return web.length > 0 && web.every((address) => !leadsSomewhere(address, about.baseUrl));
}

function numberFiles(id: string, addresses: readonly string[]): File[] {
  return addresses.map((address, index) => ({ id: `${id}-${index + 1}`, address }));
}
