import { ClientError, guardArguments, requireOptions } from "../errors/client-error.ts";
import type { ByteRange } from "./byte-range.ts";

/** Encryption of segments. See RFC 8216, 4.3.2.4. */
export interface PlaylistKey {
  /** Method, such as `AES-128`; never `NONE`. */
  readonly method: string;
  /** URL of the key; may be presigned. */
  readonly uri?: string;
  /** Initialization vector, such as `0x9c7db8778570d05c3177c349fd9236aa`. */
  readonly iv?: string;
  /** Format of the key at `uri`; absent for a plain key. */
  readonly keyFormat?: string;
}

/** Initialization section that a decoder needs before the segments. See RFC 8216, 4.3.2.5. */
export interface PlaylistMap {
  /** Its URL; may be presigned. */
  readonly uri: string;
  /** Byte range of the file. Default: the whole file. */
  readonly byteRange?: ByteRange;
  /** Its encryption. Default: none. */
  readonly key?: PlaylistKey;
}

/** A segment of the video. See RFC 8216, 4.3.2. */
export interface PlaylistSegment {
  /** Its URL; a secret if presigned. Source: interface § Resources and their fields. */
  readonly uri: string;
  /** Duration, in seconds. */
  readonly durationSeconds: number;
  /** Start time, in seconds after the start of the first segment. */
  readonly startSeconds: number;
  /** End time, in seconds after the start of the first segment. */
  readonly endSeconds: number;
  /** Title; absent when empty. */
  readonly title?: string;
  /** Byte range of the file. Default: the whole file. */
  readonly byteRange?: ByteRange;
  /** True when encoding or timestamps may change before it. */
  readonly discontinuity: boolean;
  /** Date of recording, in ISO 8601, as in the playlist; not validated. */
  readonly programDateTime?: string;
  /** Its encryption; the last one if there are keys of several formats. Default: none. */
  readonly key?: PlaylistKey;
  /** Its initialization section; the same object for all segments that share it. */
  readonly map?: PlaylistMap;
}

/** A media playlist. See RFC 8216, 4.3.3. */
export interface MediaPlaylist {
  /** Upper limit of segment durations, in seconds. */
  readonly targetDurationSeconds: number;
  /** Media sequence number of the first segment. */
  readonly mediaSequence: number;
  /** True when the playlist is complete. */
  readonly endList: boolean;
  /** Version of the format. Default: 1. */
  readonly version: number;
  /** Initialization section of the first segment. */
  readonly map?: PlaylistMap;
  /** All segments, in order. */
  readonly segments: readonly PlaylistSegment[];
  /** Duration of all segments, in seconds. */
  readonly totalSeconds: number;
}

// hls-parser was tried in place of this reader. Bundled and compressed it has 12.7 kB, this has 2.4; it takes a playlist without a target
// duration and a duration that is not a number, writes what it complains of to the console, turns dates into UTC, and resolves no URLs.

/** Options of parsing a playlist. */
export interface PlaylistOptions {
  /** Base URL of relative URLs. Default: they are kept unchanged. */
  readonly baseUrl?: string | URL | undefined;
}

/**
 * Parses an HLS media playlist, such as the `playlist_content` of a replay. Does not fetch anything.
 *
 * Unknown tags are ignored, and variables (`EXT-X-DEFINE`) are not replaced.
 *
 * See RFC 8216. Source: interface § Resources and their fields.
 *
 * @throws {ClientError} `unexpected-content` when the text is not a media playlist, but a master playlist, for instance; the
 * message has the number of the line, and does not quote it. `misuse` when `baseUrl` is malformed.
 *
 * @example
 * ```ts from=examples/api/client/parse-playlist.ts
 * import { parsePlaylist } from "@cloud-browser/client/replay";
 *
 * const { segments } = parsePlaylist(`#EXTM3U
 * #EXT-X-TARGETDURATION:4
 * #EXTINF:4,
 * 0.ts
 * #EXTINF:2.5,
 * 1.ts
 * #EXT-X-ENDLIST
 * `);
 * console.log(segments.map(({ uri, durationSeconds }) => `${uri}: ${durationSeconds} s`).join(", ")); // 0.ts: 4 s, 1.ts: 2.5 s
 * ```
 */
export function parsePlaylist(text: string, options: PlaylistOptions = {}): MediaPlaylist {
  return guardArguments(() => readPlaylist(text, options));
}

function readPlaylist(text: string, options: PlaylistOptions): MediaPlaylist {
  requireOptions(options);
  const { baseUrl } = options;
  if (baseUrl !== undefined && (typeof baseUrl === "symbol" || !URL.canParse(baseUrl)))
    throw new ClientError("misuse", "baseUrl is not a URL");
  // The service may send another type.
  const lines = typeof text === "string" ? text.split(/\r\n?|\n/) : [""];
  let at = 0;
  const broken = (what: string): ClientError =>
    new ClientError("unexpected-content", `line ${at} of the playlist: ${what}`);
  const number = (written = "", pattern = /^\d+$/): number => {
    if (!pattern.test(written) || !Number.isFinite(Number(written))) throw broken("missing or malformed number");
    return Number(written);
  };
  const resolveAddress = (uri = ""): string => {
    if (!uri || (baseUrl !== undefined && !URL.canParse(uri, baseUrl))) throw broken("missing or malformed URL");
    return baseUrl === undefined ? uri : new URL(uri, baseUrl).href;
  };
  /** Parses a byte range; without an offset it starts after the previous one of the same file. */
  const readRange = (written: string, implied?: number): ByteRange => {
    const [length, offset = implied?.toString()] = written.split("@");
    const range = { length: number(length), offset: number(offset) };
    if (!range.length) throw broken("empty byte range"); // which can't be requested
    return range;
  };

  let [target, sequence, version, totalSeconds, endList] = [NaN, 0, 1, 0, false];
  let key: PlaylistKey | undefined;
  let map: PlaylistMap | undefined;
  let before: PlaylistSegment | undefined;
  let next: Pending = {};
  const segments: PlaylistSegment[] = [];

  for (const raw of lines) {
    const line = raw.trim(); // also removes a byte order mark
    if (++at === 1 && line !== "#EXTM3U") throw broken("missing #EXTM3U");
    if (!line) continue;
    if (!line.startsWith("#")) {
      const { durationSeconds, byteRange, ...rest } = next;
      if (durationSeconds === undefined) throw broken("missing segment duration");
      const uri = resolveAddress(line);
      const last = before?.uri === uri ? before.byteRange : undefined;
      before = {
        uri,
        durationSeconds,
        startSeconds: totalSeconds,
        endSeconds: (totalSeconds += durationSeconds),
        discontinuity: false,
        ...rest,
        ...(byteRange !== undefined && { byteRange: readRange(byteRange, last && last.offset + last.length) }),
        ...(key && { key }),
        ...(map && { map }),
      };
      segments.push(before);
      next = {};
      continue;
    }
    const [, tag = "", value = ""] = /^#(EXT[\w-]*):?(.*)/.exec(line) ?? [];
    switch (tag) {
      case "EXTINF": {
        const [duration, ...words] = value.split(",");
        const title = words.join(",").trim();
        next = { ...next, durationSeconds: number(duration?.trim(), decimal), ...(title && { title }) };
        break;
      }
      case "EXT-X-BYTERANGE":
        next = { ...next, byteRange: value };
        break;
      case "EXT-X-DISCONTINUITY":
        next = { ...next, discontinuity: true };
        break;
      case "EXT-X-PROGRAM-DATE-TIME":
        next = { ...next, programDateTime: value };
        break;
      case "EXT-X-KEY": {
        const { METHOD: method, URI, IV: iv, KEYFORMAT: keyFormat } = attributes(value);
        if (!method) throw broken("missing key method");
        const uri = URI === undefined ? {} : { uri: resolveAddress(URI) };
        key = method === "NONE" ? undefined : { method, ...uri, ...(iv && { iv }), ...(keyFormat && { keyFormat }) };
        break;
      }
      case "EXT-X-MAP": {
        const { URI, BYTERANGE } = attributes(value);
        map = {
          uri: resolveAddress(URI),
          ...(BYTERANGE !== undefined && { byteRange: readRange(BYTERANGE, 0) }),
          ...(key && { key }),
        };
        break;
      }
      case "EXT-X-TARGETDURATION":
        target = number(value, decimal);
        break;
      case "EXT-X-MEDIA-SEQUENCE":
        sequence = number(value);
        break;
      case "EXT-X-VERSION":
        version = number(value);
        break;
      case "EXT-X-ENDLIST":
        endList = true;
        break;
      case "EXT-X-STREAM-INF":
      case "EXT-X-MEDIA":
      case "EXT-X-I-FRAME-STREAM-INF":
        throw broken("master playlist: pass a media playlist that it lists");
    }
  }
  if (Number.isNaN(target)) throw broken("missing target duration");
  const [first] = segments;
  return {
    targetDurationSeconds: target,
    mediaSequence: sequence,
    endList,
    version,
    ...(first?.map && { map: first.map }),
    segments,
    totalSeconds,
  };
}

/**
 * Returns the segments that overlap the time from `fromSeconds` to `toSeconds`, counted from the start of the first one.
 *
 * @throws {ClientError} `misuse` when it is not a playlist, a time is not a number, or `toSeconds` is not after `fromSeconds`.
 *
 * @example
 * ```ts from=examples/api/client/segments-between.ts
 * import { parsePlaylist, segmentsBetween } from "@cloud-browser/client/replay";
 *
 * const playlist = parsePlaylist(`#EXTM3U
 * #EXT-X-TARGETDURATION:4
 * #EXTINF:4,
 * 0.ts
 * #EXTINF:2.5,
 * 1.ts
 * #EXT-X-ENDLIST
 * `);
 * console.log(segmentsBetween(playlist, 4.5, 6).map(({ uri }) => uri)); // [ '1.ts' ]
 * ```
 */
export function segmentsBetween(
  playlist: Pick<MediaPlaylist, "segments">,
  fromSeconds: number,
  toSeconds: number,
): PlaylistSegment[] {
  return guardArguments(() => selectOverlapping(playlist, fromSeconds, toSeconds));
}

function selectOverlapping(
  playlist: Pick<MediaPlaylist, "segments">,
  fromSeconds: number,
  toSeconds: number,
): PlaylistSegment[] {
  const { segments }: Pick<MediaPlaylist, "segments"> = Object(playlist);
  if (!Array.isArray(segments)) throw new ClientError("misuse", "pass the result of parsePlaylist");
  if (typeof fromSeconds !== "number" || typeof toSeconds !== "number" || !(fromSeconds < toSeconds))
    throw new ClientError("misuse", "fromSeconds and toSeconds must be numbers, the second after the first");
  return segments.filter(({ startSeconds, endSeconds }) => startSeconds < toSeconds && endSeconds > fromSeconds);
}

/** Tags of the next segment. */
type Pending = Partial<Pick<PlaylistSegment, "durationSeconds" | "title" | "discontinuity" | "programDateTime">> & {
  readonly byteRange?: string;
};

const decimal = /^\d+(?:\.\d*)?$/;

/** Parses an attribute list; quoted values may contain commas. */
function attributes(list: string): Partial<Record<string, string>> {
  const found = list.matchAll(/(?:^|,)\s*([A-Z\d-]+)=(?:"([^"]*)"|([^",]*))/g);
  return Object.fromEntries([...found].map(([, name, quoted, plain]) => [name, quoted ?? plain?.trim()]));
}
