/** A segment of a playlist. Source: RFC 8216, section 4.3.2.1. */
export interface Segment {
  /** Its address, as it is written. */
  readonly address: string;
  /** How long it lasts, in seconds; undefined when `EXTINF` is missing or is no number. */
  readonly seconds: number | undefined;
}

/** What an HLS playlist says. Source: RFC 8216. */
export interface Playlist {
  /** Whether its first line says that it is one. */
  readonly isPlaylist: boolean;
  /** Whether it lists other playlists in place of segments. */
  readonly isMaster: boolean;
  /** Segments, in their order. */
  readonly segments: readonly Segment[];
  /** Addresses of the initialization sections, each once. */
  readonly maps: readonly string[];
  /** Whether any of it is encrypted: then bytes tell nothing of what they are. */
  readonly encrypted: boolean;
  /** Whether it says where it ends. */
  readonly ended: boolean;
}

/** Reads a playlist. It never throws. Source: RFC 8216. */
export function readPlaylist(text: string): Playlist {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.trim());
  const tags = lines.filter((line) => line.startsWith("#EXT"));
  const has = (tag: RegExp): boolean => tags.some((line) => tag.test(line));
  const maps = tags.flatMap((line) => /^#EXT-X-MAP:(?:.*,)?URI="([^"]+)"/.exec(line)?.[1] ?? []);
  return {
    isPlaylist: lines[0] === "#EXTM3U",
    isMaster: has(/^#EXT-X-STREAM-INF:/),
    segments: segmentsOf(lines),
    maps: [...new Set(maps)],
    encrypted: has(/^#EXT-X-KEY:(?!.*METHOD=NONE)/),
    ended: has(/^#EXT-X-ENDLIST$/),
  };
}

function segmentsOf(lines: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  let seconds: number | undefined;
  for (const line of lines) {
    const told = /^#EXTINF:\s*([\d.]+)/.exec(line)?.[1];
    if (told !== undefined) seconds = Number.isFinite(Number(told)) ? Number(told) : undefined;
    if (line === "" || line.startsWith("#")) continue;
    segments.push({ address: line, seconds });
    seconds = undefined;
  }
  return segments;
}

/** How long all segments last, in milliseconds; undefined when one of them does not say. Source: RFC 8216, section 4.3.2.1. */
export function playlistDurationMs({ segments }: Playlist): number | undefined {
  const seconds = segments.map((segment) => segment.seconds);
  if (seconds.length === 0 || seconds.includes(undefined)) return undefined;
  return seconds.reduce<number>((sum, one) => sum + (one ?? 0), 0) * 1000;
}
