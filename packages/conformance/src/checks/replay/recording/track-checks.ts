import { nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { findFile, makeFileCheck } from "./downloaded.ts";
import { hasSound, readMp4 } from "./media/mp4.ts";
import { listMp4Ids, listSegmentIds } from "./recording-ids.ts";
import { isTransportStream, readTransportStream, silentBytesPerSecond } from "./media/transport-stream.ts";

const heard = "It has sound; another check reports that.";

function judgeTracks(exchange: Exchange): Judgement {
  const bytes = findFile(exchange);
  const { tracks } = bytes ? readMp4(bytes) : { tracks: [] };
  if (tracks.length === 0) return nothingSeen("No MP4 with tracks was downloaded.");
  if (tracks.some(hasSound)) return nothingSeen(heard);
  const others = tracks.flatMap(({ kind }) => (kind === "video" ? [] : [kind]));
  return verdict(others.length === 0, {
    where: "body",
    expected: "video, and nothing else",
    received: `tracks of other kinds, too (${others.join(", ")})`,
  });
}

function judgeStreams(exchange: Exchange): Judgement {
  const bytes = findFile(exchange);
  const { kinds, soundBytesPerSecond: sound = 0 } =
    bytes && isTransportStream(bytes) ? readTransportStream(bytes) : { kinds: undefined };
  if (sound > silentBytesPerSecond) return nothingSeen(heard);
  if (!kinds) return nothingSeen("No segment was downloaded that says what it holds.");
  return verdict(!kinds.includes("audio"), {
    where: "body",
    expected: "no stream of sound",
    received: `streams of ${kinds.join(", ")}`,
  });
}

/** Checks that a recording has no tracks but its video, where a silent one is tolerated by default. Source: interface § ReplayResponse. */
export const trackChecks: readonly Check[] = [
  makeFileCheck("mp4-has-video-alone", listMp4Ids, judgeTracks),
  makeFileCheck("segments-have-no-sound-track", listSegmentIds, judgeStreams),
];
