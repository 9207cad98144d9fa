import { ClientError } from "../errors/client-error.ts";
import type { ByteRange } from "./byte-range.ts";
import type { MediaPlaylist, PlaylistKey, PlaylistMap } from "./playlist.ts";

/** One file to download. */
export interface Piece {
  /** Name of the local file; nothing but its extension comes from the address. */
  readonly name: string;
  /** Where it is. */
  readonly uri: string;
  /** Part of that file. Default: all of it. */
  readonly byteRange?: ByteRange | undefined;
}

/** The files that a playlist needs, and the playlist that finds them on the disk. */
export interface Layout {
  /** The files, without repetitions. */
  readonly pieces: readonly Piece[];
  /** How many of them are segments. */
  readonly segmentCount: number;
  /** A playlist with nothing of the other one's addresses. */
  readonly text: string;
}

/**
 * Plans local files for a playlist. It is the same for a fresh playlist with other signatures.
 *
 * Times that are none are left out.
 *
 * @throws {ClientError} `replay-unavailable` when there are no segments; `download` when they can't be decrypted later;
 * `unexpected-content` when an initialization vector is none.
 */
export function layOut(playlist: MediaPlaylist): Layout {
  const { segments, version, targetDurationSeconds, mediaSequence } = playlist;
  if (!segments.length) throw new ClientError("replay-unavailable", "the playlist of the replay has no segments");
  const pieces: Piece[] = [];
  const names = new Map<string, string>();
  const counts: Record<string, number> = {};
  const lines = [
    "#EXTM3U",
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${mediaSequence}`,
    "#EXT-X-PLAYLIST-TYPE:VOD",
  ];

  const add = (kind: string, extension: string, piece: Omit<Piece, "name">): string => {
    const number = (counts[kind] = (counts[kind] ?? 0) + 1);
    const name = `${kind}-${String(number).padStart(5, "0")}.${extension}`;
    pieces.push({ ...piece, name });
    return name;
  };
  const shared = (kind: string, extension: string, { uri, byteRange }: PlaylistMap): string => {
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
    return `#EXT-X-KEY:METHOD=AES-128,URI="${shared("key", "key", { uri })}"${iv ? `,IV=${iv}` : ""}`;
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
      lines.push(`#EXT-X-MAP:URI="${shared("map", extensionOf(map.uri) ?? "mp4", map)}"`);
      nowMap = map;
    }
    setKey(segment.key);
    if (isoTime.test(segment.programDateTime ?? "")) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${segment.programDateTime}`);
    lines.push(`#EXTINF:${Number(durationSeconds.toFixed(6))},`);
    const extension = extensionOf(uri) ?? (map ? "m4s" : "ts");
    lines.push(add("segment", extension, { uri, byteRange }));
  }
  lines.push("#EXT-X-ENDLIST", "");
  return { pieces, segmentCount: segments.length, text: lines.join("\n") };
}

/** A time as ISO 8601 writes it. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?(?:\d\d)?)?$/;

/** Names that a layout has: nothing else is ever replaced. */
export const ownName = /^(?:playlist\.m3u8|(?:segment|map|key)-\d{5,}\.[a-z\d]{1,5})$/;

/**
 * Makes sure that a fresh playlist has the same pieces as the first one. It may have more at its end.
 *
 * @throws {ClientError} `download` when it has not.
 */
export function match(first: Layout, fresh: Layout): void {
  const isSame = ({ name, byteRange }: Piece, index: number): boolean => {
    const other = fresh.pieces[index];
    const [mine, its] = [byteRange, other?.byteRange];
    return name === other?.name && mine?.offset === its?.offset && mine?.length === its?.length;
  };
  // Durations, discontinuities and so on are in the text.
  if (!fresh.text.startsWith(first.text.replace(ending, "")) || !first.pieces.every(isSame)) {
    throw new ClientError("download", "the playlist changed while its segments were downloaded");
  }
}

const ending = /#EXT-X-ENDLIST\n$/;

/** The extension of an address, when it is harmless. */
function extensionOf(uri: string): string | undefined {
  const { pathname } = URL.canParse(uri) ? new URL(uri) : { pathname: "" };
  return /\.([a-z\d]{1,5})$/.exec(pathname.toLowerCase())?.[1];
}
