import { ClientError } from "../errors/client-error.ts";
import type { ByteRange } from "./byte-range.ts";

/** How segments are encrypted. See RFC 8216, 4.3.2.4. */
export interface PlaylistKey {
  /** Such as `AES-128`; never `NONE`. */
  readonly method: string;
  /** Address of the key; may be presigned. */
  readonly uri?: string;
  /** Initialization vector, such as `0x9c7db8778570d05c3177c349fd9236aa`. */
  readonly iv?: string;
  /** Format of the key at `uri`, when it is not the plain key. */
  readonly keyFormat?: string;
}

/** Initialization section that a decoder needs before the segments. See RFC 8216, 4.3.2.5. */
export interface PlaylistMap {
  /** Its address; may be presigned. */
  readonly uri: string;
  /** Part of the file. Default: all of it. */
  readonly byteRange?: ByteRange;
  /** How it is encrypted. Default: not. */
  readonly key?: PlaylistKey;
}

/** One piece of the video. See RFC 8216, 4.3.2. */
export interface PlaylistSegment {
  /** Its address; may be presigned, and is a secret then. Source: interface § Resources and their fields. */
  readonly uri: string;
  /** How long it plays, in seconds. */
  readonly durationSeconds: number;
  /** When it begins, in seconds after the begin of the first one. */
  readonly startSeconds: number;
  /** When it ends, in seconds after the begin of the first one. */
  readonly endSeconds: number;
  /** Title in the playlist; absent when that is nothing. */
  readonly title?: string;
  /** Part of the file. Default: all of it. */
  readonly byteRange?: ByteRange;
  /** True when the encoding or the clock may change before it. */
  readonly discontinuity: boolean;
  /** When it was recorded, as the playlist says it: ISO 8601, not checked. */
  readonly programDateTime?: string;
  /** How it is encrypted; the last one, when there are keys of many formats. Default: not. */
  readonly key?: PlaylistKey;
  /** Initialization section that a decoder needs before it; the same object for all segments that share it. */
  readonly map?: PlaylistMap;
}

/** A media playlist. See RFC 8216, 4.3.3. */
export interface MediaPlaylist {
  /** No segment plays longer, when rounded to seconds. */
  readonly targetDurationSeconds: number;
  /** Number of the first segment. */
  readonly mediaSequence: number;
  /** True when no segment will be added. */
  readonly endList: boolean;
  /** Version of the format; 1 when it says none. */
  readonly version: number;
  /** That of the first segment. */
  readonly map?: PlaylistMap;
  /** All segments, in order. */
  readonly segments: readonly PlaylistSegment[];
  /** How long all segments play, in seconds. */
  readonly totalSeconds: number;
}

/** How a playlist is read. */
export interface PlaylistOptions {
  /** Base of relative URLs. Default: they stay as they are. */
  readonly baseUrl?: string | URL | undefined;
}

/**
 * Reads an HLS media playlist, such as the `playlist_content` of a replay. Does not fetch anything.
 *
 * Tags that it does not know are skipped, and variables (`EXT-X-DEFINE`) are not replaced.
 *
 * Source: interface § Resources and their fields; ours (RFC 8216).
 *
 * @throws {ClientError} `unexpected-content` when the text is no media playlist, such as a master playlist; the message
 * names the line and does not quote it. `misuse` when `baseUrl` is no URL.
 */
export function parsePlaylist(text: string, options: PlaylistOptions = {}): MediaPlaylist {
  if (Object(options) !== options) throw new ClientError("misuse", "options must be an object");
  const { baseUrl } = options;
  if (baseUrl !== undefined && (typeof baseUrl === "symbol" || !URL.canParse(baseUrl)))
    throw new ClientError("misuse", "baseUrl is not a URL");
  // A service may send anything.
  const lines = typeof text === "string" ? text.split(/\r\n?|\n/) : [""];
  let at = 0;
  const broken = (what: string): ClientError =>
    new ClientError("unexpected-content", `line ${at} of the playlist: ${what}`);
  const number = (written = "", pattern = /^\d+$/): number => {
    if (!pattern.test(written) || !Number.isFinite(Number(written))) throw broken("missing or malformed number");
    return Number(written);
  };
  const addressOf = (uri = ""): string => {
    if (!uri || (baseUrl !== undefined && !URL.canParse(uri, baseUrl))) throw broken("missing or malformed URL");
    return baseUrl === undefined ? uri : new URL(uri, baseUrl).href;
  };
  /** Where a part begins that does not say it: after the one before, of the same file. */
  const rangeOf = (written: string, implied?: number): ByteRange => {
    const [length, offset = implied?.toString()] = written.split("@");
    const range = { length: number(length), offset: number(offset) };
    if (!range.length) throw broken("a part is empty"); // no request can ask for it
    return range;
  };

  let [target, sequence, version, totalSeconds, endList] = [NaN, 0, 1, 0, false];
  let key: PlaylistKey | undefined;
  let map: PlaylistMap | undefined;
  let before: PlaylistSegment | undefined;
  let next: Pending = {};
  const segments: PlaylistSegment[] = [];

  for (const raw of lines) {
    const line = raw.trim(); // takes a byte order mark away, too
    if (++at === 1 && line !== "#EXTM3U") throw broken("a playlist begins with #EXTM3U");
    if (!line) continue;
    if (!line.startsWith("#")) {
      const { durationSeconds, byteRange, ...rest } = next;
      if (durationSeconds === undefined) throw broken("missing segment duration");
      const uri = addressOf(line);
      const last = before?.uri === uri ? before.byteRange : undefined;
      before = {
        uri,
        durationSeconds,
        startSeconds: totalSeconds,
        endSeconds: (totalSeconds += durationSeconds),
        discontinuity: false,
        ...rest,
        ...(byteRange !== undefined && { byteRange: rangeOf(byteRange, last && last.offset + last.length) }),
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
        const uri = URI === undefined ? {} : { uri: addressOf(URI) };
        key = method === "NONE" ? undefined : { method, ...uri, ...(iv && { iv }), ...(keyFormat && { keyFormat }) };
        break;
      }
      case "EXT-X-MAP": {
        const { URI, BYTERANGE } = attributes(value);
        map = {
          uri: addressOf(URI),
          ...(BYTERANGE !== undefined && { byteRange: rangeOf(BYTERANGE, 0) }),
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
 * The segments that play at some time from `fromSeconds` until before `toSeconds`, counted from the begin of the first one.
 *
 *
 * @throws {ClientError} `misuse` when it is no playlist, the times are no numbers, or the second one is not after the first one.
 */
export function segmentsBetween(
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

/** Tags that belong to the segment to come. */
type Pending = Partial<Pick<PlaylistSegment, "durationSeconds" | "title" | "discontinuity" | "programDateTime">> & {
  readonly byteRange?: string;
};

const decimal = /^\d+(?:\.\d*)?$/;

/** An attribute list; a quoted value may have commas in it. */
function attributes(list: string): Partial<Record<string, string>> {
  const found = list.matchAll(/(?:^|,)\s*([A-Z\d-]+)=(?:"([^"]*)"|([^",]*))/g);
  return Object.fromEntries([...found].map(([, name, quoted, plain]) => [name, quoted ?? plain?.trim()]));
}
