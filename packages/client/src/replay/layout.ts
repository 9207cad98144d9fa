import { ClientError } from "../errors/client-error.ts";
import type { ByteRange } from "./byte-range.ts";
import type { MediaPlaylist, PlaylistKey, PlaylistMap } from "./playlist.ts";

/** A file to download. */
export interface DownloadFile {
  /** Name of the local file; only its extension is taken from the URL. */
  readonly name: string;
  /** Its URL. */
  readonly uri: string;
  /** Byte range of the file. Default: the whole file. */
  readonly byteRange?: ByteRange | undefined;
}

/** The files of a playlist, and the playlist that refers to their local copies. */
export interface ReplayLayout {
  /** The files, without duplicates. */
  readonly pieces: readonly DownloadFile[];
  /** Number of segments. */
  readonly segmentCount: number;
  /** The local playlist, without URLs of the original one. */
  readonly text: string;
}

/**
 * Maps a playlist to local files. The result is the same for a refreshed playlist, whose signatures differ.
 *
 * Malformed dates are left out.
 *
 * @throws {ClientError} `replay-unavailable` when there are no segments; `download` when their encryption is not supported;
 * `unexpected-content` when an initialization vector is malformed.
 */
export function layOut(playlist: MediaPlaylist): ReplayLayout {
  const { segments, version, targetDurationSeconds, mediaSequence } = playlist;
  if (!segments.length) throw new ClientError("replay-unavailable", "the playlist of the replay has no segments");
  const pieces: DownloadFile[] = [];
  const names = new Map<string, string>();
  const counts: Record<string, number> = {};
  const lines = [
    "#EXTM3U",
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${mediaSequence}`,
    "#EXT-X-PLAYLIST-TYPE:VOD",
  ];

  const add = (kind: string, extension: string, piece: Omit<DownloadFile, "name">): string => {
    const number = (counts[kind] = (counts[kind] ?? 0) + 1);
    const name = `${kind}-${String(number).padStart(5, "0")}.${extension}`;
    pieces.push({ ...piece, name });
    return name;
  };
  const shareFile = (kind: string, extension: string, { uri, byteRange }: PlaylistMap): string => {
    const id = [kind, uri, byteRange?.offset, byteRange?.length].join(" ");
    const name = names.get(id) ?? add(kind, extension, { uri, byteRange });
    names.set(id, name);
    return name;
  };
  const keyLine = (key?: PlaylistKey): string => {
    if (!key) return "#EXT-X-KEY:METHOD=NONE";
    const { method, uri, iv, keyFormat = "identity" } = key;
    if (method !== "AES-128" || !uri || keyFormat !== "identity") {
      throw new ClientError("download", "unsupported segment encryption: only AES-128 with a plain key");
    }
    if (iv && !/^0x[\da-f]{1,32}$/i.test(iv)) {
      throw new ClientError("unexpected-content", "malformed initialization vector");
    }
    return `#EXT-X-KEY:METHOD=AES-128,URI="${shareFile("key", "key", { uri })}"${iv ? `,IV=${iv}` : ""}`;
  };

  let nowKey = keyLine();
  const setKey = (key?: PlaylistKey): void => {
    const line = keyLine(key);
    if (line !== nowKey) lines.push((nowKey = line));
  };
  let nowMap: PlaylistMap | undefined;
  for (const segment of segments) {
    const { map, uri, byteRange, durationSeconds } = segment;
    if (segment.discontinuity) lines.push("#EXT-X-DISCONTINUITY");
    if (map && map !== nowMap) {
      setKey(map.key);
      lines.push(`#EXT-X-MAP:URI="${shareFile("map", findExtension(map.uri) ?? "mp4", map)}"`);
      nowMap = map;
    }
    setKey(segment.key);
    if (isoTime.test(segment.programDateTime ?? "")) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${segment.programDateTime}`);
    lines.push(`#EXTINF:${Number(durationSeconds.toFixed(6))},`);
    const extension = findExtension(uri) ?? (map ? "m4s" : "ts");
    lines.push(add("segment", extension, { uri, byteRange }));
  }
  lines.push("#EXT-X-ENDLIST", "");
  return { pieces, segmentCount: segments.length, text: lines.join("\n") };
}

/** A date of ISO 8601. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?(?:\d\d)?)?$/;

/** Names of files of a layout: no others are ever replaced. */
export const ownName = /^(?:playlist\.m3u8|(?:segment|map|key)-\d{5,}\.[a-z\d]{1,5})$/;

/**
 * Asserts that a refreshed playlist has the same files as the first one. It may have more at its end.
 *
 * @throws {ClientError} `download` when it differs.
 */
export function assertSameFiles(first: ReplayLayout, fresh: ReplayLayout): void {
  const isSame = ({ name, byteRange }: DownloadFile, index: number): boolean => {
    const other = fresh.pieces[index];
    const [mine, its] = [byteRange, other?.byteRange];
    return name === other?.name && mine?.offset === its?.offset && mine?.length === its?.length;
  };
  // The text also has durations, discontinuities and so on.
  if (!fresh.text.startsWith(first.text.replace(ending, "")) || !first.pieces.every(isSame)) {
    throw new ClientError("download", "the playlist changed while its segments were downloaded");
  }
}

const ending = /#EXT-X-ENDLIST\n$/;

/** Returns the extension of a URL, if it is short and alphanumeric. */
function findExtension(uri: string): string | undefined {
  const { pathname } = URL.canParse(uri) ? new URL(uri) : { pathname: "" };
  return /\.([a-z\d]{1,5})$/.exec(pathname.toLowerCase())?.[1];
}
