import { segmentMs } from "../journal/chunk.ts";

/** One segment of a replay. */
export interface Segment {
  /** Name of its file. */
  readonly file: string;
  /** Duration, in milliseconds. */
  readonly durationMs: number;
}

/**
 * The HLS segments of a video with a given duration in milliseconds: all have the same length, except the last one.
 *
 * @example
 * ```ts from=examples/api/recorder/split-segments.ts
 * import { segmentsOf } from "@cloud-browser/recorder";
 *
 * console.log(
 *   segmentsOf(5_000)
 *     .map(({ file, durationMs }) => `${file}: ${durationMs} ms`)
 *     .join(", "),
 * ); // segment-000000.ts: 4000 ms, segment-000001.ts: 1000 ms
 * ```
 */
export function splitSegments(durationMs: number): Segment[] {
  return Array.from({ length: Math.ceil(durationMs / segmentMs) }, (_, index) => ({
    file: `segment-${String(index).padStart(6, "0")}.ts`,
    durationMs: Math.min(segmentMs, durationMs - index * segmentMs),
  }));
}

/**
 * The playlist of a video (HLS, version 6).
 *
 * See RFC 8216.
 *
 * @param address - Gives the address of a segment's file.
 *
 * @example
 * ```ts from=examples/api/recorder/write-playlist.ts
 * import { playlistOf } from "@cloud-browser/recorder";
 *
 * const playlist = playlistOf(5_000, (file) => `https://recordings.example/${file}`);
 * console.log(playlist); // #EXTM3U #EXT-X-VERSION:6…https://recordings.example/segment-000001.ts #EXT-X-ENDLIST
 * ```
 */
export function writePlaylist(durationMs: number, address: (file: string) => string): string {
  const entries = splitSegments(durationMs).map((segment) => {
    return `#EXTINF:${(segment.durationMs / 1_000).toFixed(3)},\n${address(segment.file)}\n`;
  });
  return [
    "#EXTM3U\n#EXT-X-VERSION:6\n",
    `#EXT-X-TARGETDURATION:${segmentMs / 1_000}\n`,
    "#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n",
    ...entries,
    "#EXT-X-ENDLIST\n",
  ].join("");
}
