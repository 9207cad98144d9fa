import { timestampNotation } from "../../../../contract/timestamp.ts";

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
export function missingIn(text: string): string | undefined {
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
export function brokenRuleIn(text: string): string | undefined {
  const lines = listLines(text);
  const value = valueRules.find(([name, holds]) => lines.some((line) => line.tag === name && !holds(line.value)));
  if (value) return value[2];
  if (lines.filter(({ tag }) => tag === "EXTM3U").length > 1) return "#EXTM3U stands in the first line alone (4.3.1.1)";
  const last = lines.findLast(({ tag }) => tag === undefined || tag === "EXTINF");
  return last?.tag === "EXTINF" ? "#EXTINF is followed by the address of its segment (4.3.2.1)" : undefined;
}
