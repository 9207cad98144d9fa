import type { Probe } from "../../http/probe.ts";
import { bodyBytes, redirectOf, type Exchange } from "../../http/exchange.ts";
import { readPlaylist } from "./playlist.ts";
import { replayOf } from "./replay-fields.ts";

/** Maximum number of segments that are downloaded; the rest of a long recording is not. */
const segmentLimit = 100;

/** Most initialization sections that are downloaded. */
const mapLimit = 4;

/** Maximum number of redirects that are followed for one file. */
const hopLimit = 3;

/** Bounds of all downloads together. */
export interface DownloadBounds {
  /** No further download begins after this time, in milliseconds. Default: 120,000. */
  readonly timeMs: number;
  /** No further download begins after so many bytes. Default: 128 MiB. */
  readonly bytes: number;
}

/** The bounds that hold unless a run is given others. */
const defaultDownloadBounds: DownloadBounds = { timeMs: 120_000, bytes: 128 * 1024 * 1024 };

const hops = (id: string): string[] => [
  id,
  ...Array.from({ length: hopLimit }, (_, hop) => `${id}-redirect-${hop + 1}`),
];

const numbered = (id: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${id}-${index + 1}`);

/** Ids of the exchanges in which the MP4 is downloaded, in the order of redirects. */
export const mp4ProbeIds: readonly string[] = hops("recording/mp4");

/** The same for the MP4 of the other session. */
export const otherMp4ProbeIds: readonly string[] = hops("recording/other-mp4");

/** The same for what is downloaded once more at the end of the run. */
export const lastProbeIds: readonly string[] = [...hops("recording/last-mp4"), ...hops("recording/last-segment")];

/** The same for the MP4 after its address has expired. */
export const expiredProbeIds: readonly string[] = hops("recording/expired-mp4");

/** Ids of the exchanges in which segments and initialization sections may be downloaded. */
export const segmentProbeIds: readonly string[] = [
  ...numbered("recording/segment", segmentLimit),
  ...numbered("recording/segment-map", mapLimit),
].flatMap(hops);

/** Ids of the exchanges in which the segment at a place is downloaded, the first one of which is 1. */
export const segmentIdsAt = (place: number): readonly string[] => hops(`recording/segment-${place}`);

/**
 * Makes the probe of a download. It carries no credentials and none of the target's headers: the presigned URL is enough.
 * Source: interface § ReplayResponse.
 */
function downloadProbe(id: string, address: string): Probe {
  return {
    id,
    operation: "session_replay",
    needs: ["ends-sessions"],
    expects: "open",
    startsRun: false,
    request: () => ({ method: "GET", path: "", url: address, credentials: "none" }),
  };
}

/** Sends the request of one download; undefined when it was not sent. */
type Send = (probe: Probe) => Promise<Exchange | undefined>;

/**
 * Downloads what a replay points at: the MP4, then each address of the playlist once, one after the other, within bounds.
 *
 * Source: interface § ReplayResponse.
 *
 * @param replay - The exchange that read the replay; without one, or when it holds no addresses, nothing is sent.
 */
export async function downloadRecording(
  replay: Exchange | undefined,
  send: Send,
  bounds: DownloadBounds = defaultDownloadBounds,
): Promise<void> {
  const until = performance.now() + bounds.timeMs;
  let bytes = 0;
  for (const { id, address } of filesOf(replay)) {
    if (performance.now() >= until || bytes >= bounds.bytes) return;
    bytes += await follow(id, address, send);
  }
}

/** Largest MP4 that is downloaded a second time, in bytes. */
const againLimit = 16 * 1024 * 1024;

/** Downloads the MP4 of another replay. */
export async function downloadOther(replay: Exchange | undefined, send: Send): Promise<void> {
  const { mp4_url: mp4 } = replay ? replayOf(replay) : {};
  const address = typeof mp4 === "string" ? webAddress(mp4) : undefined;
  if (address !== undefined) await follow("recording/other-mp4", address, send);
}

/**
 * Downloads the MP4, unless it was a large one, and the first segment once more.
 *
 * @param before - What was downloaded so far, by the ids of the probes.
 */
export async function downloadLast(
  replay: Exchange | undefined,
  before: ReadonlyMap<string, Exchange>,
  send: Send,
): Promise<void> {
  const files = filesOf(replay);
  const mp4 = files.find(({ id }) => id === "recording/mp4");
  const size = mp4ProbeIds.reduce((sum, id) => sum + sizeOf(before.get(id)), 0);
  if (mp4 && size > 0 && size <= againLimit) await follow("recording/last-mp4", mp4.address, send);
  const segment = files.find(({ id }) => id === "recording/segment-1");
  if (segment) await follow("recording/last-segment", segment.address, send);
}

/** Asks for the MP4 when its address has expired. */
export async function downloadExpired(replay: Exchange | undefined, send: Send): Promise<void> {
  const mp4 = filesOf(replay).find(({ id }) => id === "recording/mp4");
  if (mp4) await follow("recording/expired-mp4", mp4.address, send);
}

function sizeOf(exchange: Exchange | undefined): number {
  return exchange?.response ? bodyBytes(exchange.response).length : 0;
}

/** Follows redirects to a file, and returns the number of bytes received. */
async function follow(id: string, first: string, send: Send): Promise<number> {
  let address: string | undefined = first;
  for (const hop of hops(id)) {
    if (address === undefined) return 0;
    const exchange = await send(downloadProbe(hop, address));
    if (!exchange?.response) return 0;
    const next = redirectOf(exchange);
    if (next === undefined) return bodyBytes(exchange.response).length;
    address = webAddress(URL.parse(next, address)?.href ?? "");
  }
  return 0;
}

interface File {
  readonly id: string;
  readonly address: string;
}

function filesOf(replay: Exchange | undefined): File[] {
  const { mp4_url: mp4, playlist_content: text } = replay ? replayOf(replay) : {};
  const playlist = readPlaylist(typeof text === "string" ? text : "");
  const segments = playlist.isMaster ? [] : [...new Set(playlist.segments.map(({ address }) => address))];
  return [
    ...(typeof mp4 === "string" ? [{ id: "recording/mp4", address: mp4 }] : []),
    ...listed("recording/segment-map", playlist.maps.slice(0, mapLimit)),
    ...listed("recording/segment", segments.slice(0, segmentLimit)),
  ].filter(({ address }) => webAddress(address) !== undefined);
}

function listed(id: string, addresses: readonly string[]): File[] {
  return addresses.map((address, index) => ({ id: `${id}-${index + 1}`, address }));
}

/** An absolute http(s) address; undefined for anything else. */
function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === "https:" || url?.protocol === "http:" ? text : undefined;
}
