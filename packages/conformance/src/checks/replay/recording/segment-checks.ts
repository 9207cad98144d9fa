import { readReplay } from "../replay-status.ts";
import { nothingSeen, verdict, type Check, type Judgement, type Exchanges } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { findFile, judgeDownload, makeFileCheck } from "./downloaded.ts";
import { isFragment, readMp4 } from "./media/mp4.ts";
import { readPlaylist, type Playlist } from "./media/playlist.ts";
import {
  makeReadId,
  findRecordingName,
  listSegmentIdsAt,
  listSegmentIds,
  type RecordingName,
} from "./recording-ids.ts";
import { isTransportStream, readTransportStream, silentBytesPerSecond } from "./media/transport-stream.ts";

function findPlaylist(exchange: Exchange, run: Exchanges): Playlist | undefined {
  const replay = run?.get(makeReadId(findRecordingName(exchange)));
  const { playlist_content: text } = replay ? readReplay(replay) : {};
  return typeof text === "string" ? readPlaylist(text) : undefined;
}

/** Judges the bytes of a segment that are not encrypted. */
function onSegment(exchange: Exchange, run: Exchanges, judge: (bytes: Uint8Array) => Judgement): Judgement {
  const bytes = findFile(exchange);
  if (!bytes) return nothingSeen("The segment was not downloaded.");
  if (findPlaylist(exchange, run)?.encrypted === true) return nothingSeen("The segments are encrypted.");
  return judge(bytes);
}

/** Returns the fault of the packets of a segment; undefined without one. */
function findFault(bytes: Uint8Array, isComplete: boolean): string | undefined {
  const { endsWithinPacket, hasContent, kinds } = readTransportStream(bytes);
  if (endsWithinPacket && isComplete) return "a stream that ends within a packet";
  if (!hasContent) return "packets that hold nothing";
  return kinds && !kinds.includes("video") ? `a stream without video (${kinds.join(", ") || "nothing"})` : undefined;
}

function judgeMedia(exchange: Exchange, run: Exchanges): Judgement {
  const isMap = exchange.id.startsWith(`${findRecordingName(exchange)}/segment-map`);
  const isComplete = exchange.response?.end === "complete";
  return onSegment(exchange, run, (bytes) => {
    const isStream = isTransportStream(bytes);
    const holds = isMap ? readMp4(bytes).boxes.includes("moov") : isStream || isFragment(bytes);
    const isWhole = findPlaylist(exchange, run)?.segments.every(({ isPart }) => !isPart) ?? false;
    const fault = isStream && isWhole && !isMap ? findFault(bytes, isComplete) : undefined;
    return verdict(holds && fault === undefined, {
      where: "body",
      expected: isMap ? "an initialization section, with the box moov" : "a segment: an MPEG transport stream, or MP4",
      received: fault ?? (bytes.length === 0 ? "nothing" : "bytes that are neither"),
    });
  });
}

function judgeSound(exchange: Exchange, run: Exchanges): Judgement {
  return onSegment(exchange, run, (bytes) => {
    if (!isTransportStream(bytes)) return nothingSeen("The segment is not a transport stream.");
    const { kinds, soundBytesPerSecond: sound = 0 } = readTransportStream(bytes);
    if (!kinds) return nothingSeen("The segment does not say what it holds.");
    return verdict(sound <= silentBytesPerSecond, {
      where: "body",
      expected: "no audio, since none is recorded",
      received: `sound of ${Math.round(sound)} bytes a second, which is more than silence takes`,
    });
  });
}

/** Returns the file of the segment at a place of the playlist; undefined when it was not downloaded. */
function fileAt(name: RecordingName, place: number, run: Exchanges): Uint8Array | undefined {
  const downloads = listSegmentIdsAt(name, place).flatMap((id) => run?.get(id) ?? []);
  return downloads.flatMap((exchange) => findFile(exchange) ?? [])[0];
}

/**
 * Judges that a segment continues where the one before it ends: a player that shows them one after the other shows the recording.
 * Segments that declare a discontinuity are not judged.
 */
function judgeFollows(exchange: Exchange, run: Exchanges): Judgement {
  const place = Number(/\/segment-(\d+)/.exec(exchange.id)?.[1] ?? 0);
  const segments = findPlaylist(exchange, run)?.segments ?? [];
  const addresses = new Set(segments.map(({ address }) => address));
  if (segments.some(({ isPart }) => isPart) || addresses.size < segments.length)
    return nothingSeen("Some segments share a file.");
  if (place < 2 || segments[place - 1]?.isDiscontinuous !== false)
    return nothingSeen("No segment comes before it, or the playlist has a discontinuity there.");
  const before = fileAt(findRecordingName(exchange), place - 1, run);
  if (!before) return nothingSeen("The segment before it was not downloaded.");
  return onSegment(exchange, run, (bytes) => {
    const [first, second] = [before, bytes].map((file) =>
      isTransportStream(file) ? readTransportStream(file).firstPictureMs : undefined,
    );
    const isSame = Buffer.compare(before, bytes) === 0;
    if (!isSame && (first === undefined || second === undefined))
      return nothingSeen("The segments do not say when their pictures are shown.");
    const isLater = first !== undefined && second !== undefined && (second > first || first - second > wrapMs / 2);
    return verdict(!isSame && isLater, {
      where: "body",
      expected: `pictures that come after those of segment ${place - 1}`,
      received: isSame
        ? "the same file once more"
        : `pictures from ${Math.round((first ?? 0) - (second ?? 0))} ms before`,
    });
  });
}

/** Time after which time stamps start again, in milliseconds. Source: ISO/IEC 13818-1, 33 bits of 90 kHz. */
const wrapMs = 2 ** 33 / 90;

/** Checks of the segments of a playlist. Source: interface § ReplayResponse. */
export const segmentChecks: readonly Check[] = [
  makeFileCheck("segments-download", listSegmentIds, judgeDownload),
  makeFileCheck("segments-are-media", listSegmentIds, (exchange, _, run) => judgeMedia(exchange, run)),
  makeFileCheck("segments-follow", listSegmentIds, (exchange, _, run) => judgeFollows(exchange, run)),
  makeFileCheck("segments-have-no-sound", listSegmentIds, (exchange, _, run) => judgeSound(exchange, run)),
];
