import * as HLS from "hls-parser";
import { timestampNotation } from "../../../../contract/timestamp.ts";

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
  const missing = text.length > parsedLength || !isPlaylist ? undefined : findMissing(text);
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
  return "problem" in result ? result.problem : findBrokenRule(text);
}

/** Returns the duration of all segments, in milliseconds; undefined when there are none. Source: RFC 8216, section 4.3.2.1. */
export function playlistDurationMs({ segments }: Playlist): number | undefined {
  if (segments.length === 0) return undefined;
  return segments.reduce((sum, { seconds }) => sum + seconds, 0) * 1000;
}

/** A tag or an address of a playlist, with its line; blank lines and comments are left out. */
interface Line {
  /** Name of the tag, such as `EXTINF`; undefined for an address. */
  readonly tag: string | undefined;
  /** Text behind the colon of a tag, or the address. */
  readonly value: string;
}

function listLines(text: string): Line[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && (!line.startsWith("#") || line.startsWith("#EXT")))
    .map((line) => {
      const [, tag, value = ""] = /^#(EXT[^:]*)(?::(.*))?$/.exec(line) ?? [];
      return { tag, value: tag === undefined ? line : value };
    });
}

const whole = /^\d{1,20}$/;

/**
 * Returns what a media playlist lacks of what the standard calls REQUIRED, and no player can do without: a target duration, and the
 * duration of each segment; undefined when it has all of it, lists no segment, or is a list of other playlists, each with its bandwidth.
 *
 * Source: RFC 8216, sections 4.3.2.1, 4.3.3.1 and 4.3.4.2.
 */
function findMissing(text: string): string | undefined {
  const lines = listLines(text);
  const variants = lines.filter(({ tag }) => tag === "EXT-X-STREAM-INF");
  if (variants.length > 0)
    return variants.every(({ value }) => /(?:^|,)\s*BANDWIDTH=\d/.test(value)) ? undefined : "BANDWIDTH of a playlist";
  if (!lines.some(({ tag }) => tag === undefined)) return undefined;
  const targets = lines.filter(({ tag }) => tag === "EXT-X-TARGETDURATION");
  if (!targets.some(({ value }) => Number.parseFloat(value) >= 0)) return "#EXT-X-TARGETDURATION with seconds";
  let hasDuration = false;
  for (const line of lines) {
    if (line.tag === "EXTINF") hasDuration = Number.parseFloat(line.value) >= 0;
    if (line.tag === undefined && !hasDuration) return "#EXTINF with seconds, of a segment";
    if (line.tag === undefined) hasDuration = false;
  }
  return undefined;
}

/** Rules of the standard about the value of one tag, each with the section that has it. */
const valueRules: readonly (readonly [tag: string, holds: (value: string) => boolean, rule: string])[] = [
  ["EXTINF", (value) => /^\d+(?:\.\d*)?,/.test(value), "#EXTINF has a decimal duration and a comma (4.3.2.1)"],
  ["EXT-X-TARGETDURATION", (value) => whole.test(value), "#EXT-X-TARGETDURATION is a decimal integer (4.3.3.1)"],
  ["EXT-X-MEDIA-SEQUENCE", (value) => whole.test(value), "#EXT-X-MEDIA-SEQUENCE is a decimal integer (4.3.3.2)"],
  ["EXT-X-DISCONTINUITY-SEQUENCE", (value) => whole.test(value), "#EXT-X-DISCONTINUITY-SEQUENCE is one (4.3.3.3)"],
  ["EXT-X-PLAYLIST-TYPE", (value) => /^(?:EVENT|VOD)$/.test(value), "#EXT-X-PLAYLIST-TYPE is EVENT or VOD (4.3.3.5)"],
  [
    "EXT-X-PROGRAM-DATE-TIME",
    (value) => /T.*\d/.test(value) && isDateTime(value),
    "#EXT-X-PROGRAM-DATE-TIME is an ISO 8601 date and time (4.3.2.6)",
  ],
];

/** Returns whether a value is a date and time. The offset may be missing, since the standard says SHOULD. */
const isDateTime = (value: string): boolean =>
  timestampNotation(value) !== undefined || timestampNotation(`${value}Z`) !== undefined;

/** Returns a rule of RFC 8216 that a playlist breaks, beyond those that its parser knows; undefined when it breaks none. */
function findBrokenRule(text: string): string | undefined {
  const lines = listLines(text);
  const value = valueRules.find(([name, holds]) => lines.some((line) => line.tag === name && !holds(line.value)));
  if (value) return value[2];
  if (lines.filter(({ tag }) => tag === "EXTM3U").length > 1) return "#EXTM3U stands in the first line alone (4.3.1.1)";
  const last = lines.findLast(({ tag }) => tag === undefined || tag === "EXTINF");
  return last?.tag === "EXTINF" ? "#EXTINF is followed by the address of its segment (4.3.2.1)" : undefined;
}
