import * as HLS from "hls-parser";
import { brokenRuleIn, missingIn } from "./playlist-rules.ts";

/** A segment of a playlist. Source: RFC 8216, section 4.3.2.1. */
export interface Segment {
  /** Its address, as it is written. */
  readonly address: string;
  /** Duration in seconds; 0 when the value is not a number. */
  readonly seconds: number;
  /** True when it is only a part of the file at its address. */
  readonly isPart: boolean;
  /** True when its time does not follow that of the one before. */
  readonly isDiscontinuous: boolean;
}

/** A parsed HLS playlist. Source: RFC 8216. */
export interface Playlist {
  /** True when its first line is `#EXTM3U`. */
  readonly isPlaylist: boolean;
  /** True for a master playlist: it lists other playlists in place of segments. */
  readonly isMaster: boolean;
  /** Segments, in their order. */
  readonly segments: readonly Segment[];
  /** Addresses of the playlists that it lists in place of segments. */
  readonly variants: readonly string[];
  /** Addresses of the initialization sections, each once. */
  readonly maps: readonly string[];
  /** Addresses of the keys of encrypted segments, each once. */
  readonly keys: readonly string[];
  /** True when it says that no segment will follow. */
  readonly hasEnd: boolean;
  /** True when a segment is encrypted, so that its bytes can't be judged. */
  readonly encrypted: boolean;
  /** The first rule of RFC 8216 that it breaks, in the words of the parser; undefined when it breaks none. */
  readonly problem: string | undefined;
  /** Missing part that no player can do without; undefined when nothing is missing. */
  readonly missing: string | undefined;
}

/** Longest playlist that is parsed, in characters: an hour of segments of a second, with long addresses. */
const parsedLength = 1024 * 1024;

/** A segment as the parser returns it: missing values are null, contrary to the parser's types. */
interface Sparse {
  readonly map?: { readonly uri?: string } | null;
  readonly key?: { readonly method: string; readonly uri?: string | null } | null;
}

/** Reads a playlist. It never throws. Source: RFC 8216. */
export function readPlaylist(text: string): Playlist {
  const problem = text.length > parsedLength ? "it is longer than the suite reads" : findProblem(text);
  const isPlaylist = /^\uFEFF?#EXTM3U[ \t]*(?:\r?\n|$)/.test(text);
  const empty = { isMaster: false, segments: [], variants: [], maps: [], keys: [], hasEnd: false, encrypted: false };
  const missing = text.length > parsedLength || !isPlaylist ? undefined : missingIn(text);
  const none = { isPlaylist, problem, missing, ...empty };
  if (!isPlaylist || text.length > parsedLength) return none;
  const result = parse(text, false);
  if ("problem" in result) return none;
  if (result.isMasterPlaylist) return { ...none, isMaster: true, variants: result.variants.map(({ uri }) => uri) };
  const { segments } = result;
  return {
    ...none,
    // A tag of a segment that no address follows makes none.
    segments: segments
      .filter(({ uri }) => Boolean(uri))
      .map((segment: HLS.types.Segment & Sparse) => ({
        address: segment.uri,
        seconds: segment.duration,
        isPart: (segment.byterange ?? null) !== null,
        isDiscontinuous: segment.discontinuity === true,
      })),
    hasEnd: result.endlist,
    maps: [...new Set(segments.flatMap(({ map }: Sparse) => map?.uri ?? []))],
    keys: [...new Set(segments.flatMap(({ key }: Sparse) => key?.uri ?? []))],
    encrypted: segments.some(({ key }: Sparse) => (key?.method ?? "NONE") !== "NONE"),
  };
}

/** Parses a playlist. The parser's options are global, so each call sets them. */
function parse(
  text: string,
  strictMode: boolean,
): HLS.types.MasterPlaylist | HLS.types.MediaPlaylist | { problem: string } {
  HLS.setOptions({ strictMode, silent: true });
  try {
    return HLS.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "it could not be read" };
  }
}

function findProblem(text: string): string | undefined {
  const result = parse(text, true);
  return "problem" in result ? result.problem : brokenRuleIn(text);
}

/** Returns the duration of all segments, in milliseconds; undefined when there are none. Source: RFC 8216, section 4.3.2.1. */
export function playlistDurationMs({ segments }: Playlist): number | undefined {
  if (segments.length === 0) return undefined;
  return segments.reduce((sum, { seconds }) => sum + seconds, 0) * 1000;
}
