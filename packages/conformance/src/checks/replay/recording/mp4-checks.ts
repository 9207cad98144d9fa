import { readReplay } from "../replay-status.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement, type Exchanges } from "../../check.ts";
import { bodyBytes, type Exchange } from "../../../http/exchange.ts";
import { findFile, makeFileCheck } from "./downloaded.ts";
import { hasSound, readMp4, type Mp4 } from "./media/mp4.ts";
import type { Target } from "../../../target/target.ts";
import { isSameFilm, haveSamePictures } from "./same-film.ts";
import { listMp4Ids, otherMp4ProbeIds, makeReadId, findRecordingName } from "./recording-ids.ts";
import { readPlaylist } from "./media/playlist.ts";
import { otherRecordingProbe, recordingReadProbe } from "./recording-probe.ts";
import { makeCheck } from "../../make-check.ts";

/** Judges the tracks of a completely downloaded MP4. */
function onMp4(exchange: Exchange, run: Exchanges, judge: (movie: Mp4) => Judgement): Judgement {
  const bytes = findFile(exchange);
  if (!bytes) return nothingSeen("The MP4 was not downloaded.");
  if (exchange.response?.end !== "complete") return nothingSeen("The MP4 was not downloaded to its end.");
  const replay = run?.get(makeReadId(findRecordingName(exchange)));
  if (replay && readReplay(replay)["video_duration_ms"] === 0)
    return nothingSeen("The recording is empty, as its duration says.");
  const movie = readMp4(bytes);
  return movie.tracks.length === 0 ? nothingSeen("The MP4 has no tracks that can be read.") : judge(movie);
}

function judgeVideo({ tracks }: Mp4): Judgement {
  const frames = tracks.flatMap(({ kind, samples }) => (kind === "video" ? samples : []));
  const without = tracks.map(({ kind }) => kind).join(", ");
  return verdict(
    frames.some((count) => count > 0),
    {
      where: "body",
      expected: "a video track with frames",
      received: frames.length > 0 ? "a video track without frames" : `tracks of other kinds (${without})`,
    },
  );
}

/** Judges that the MP4 has no sound. A silent track is allowed: some encoders add one for players that need it. */
function judgeSound({ tracks }: Mp4): Judgement {
  const heard = tracks.filter(hasSound);
  return verdict(heard.length === 0, {
    where: "body",
    expected: "no audio, since none is recorded",
    received: `a sound track of ${heard[0]?.bytes ?? 0} bytes, which is more than silence takes`,
  });
}

/** Judges that the file does not end within a box, whatever can be read of it. */
function judgeBoxes(exchange: Exchange): Judgement {
  const bytes = findFile(exchange);
  if (!bytes) return nothingSeen("The MP4 was not downloaded.");
  if (exchange.response?.end !== "complete") return nothingSeen("The MP4 was not downloaded to its end.");
  const { boxes, cutBox } = readMp4(bytes);
  if (!boxes.includes("ftyp")) return nothingSeen("What was downloaded is not an MP4.");
  return verdict(cutBox === undefined, {
    where: "body",
    expected: "a file that has all of each of its boxes",
    received: `one that ends within the box ${cutBox}`,
  });
}

function judgeInside({ tracks }: Mp4): Judgement {
  const judgements = tracks.map(({ kind, samples, samplesOutside }) =>
    verdict(samplesOutside === 0, {
      where: "body",
      expected: `all ${samples} samples of the ${kind} track in the file`,
      received: `a file that ends before ${samplesOutside} of them, or has them elsewhere`,
    }),
  );
  return combine(judgements, "");
}

/** Ids of the exchanges in which the MP4 of another session is downloaded: of one that the suite has ended, and of the given one. */
const othersIds: readonly string[] = [...otherMp4ProbeIds, ...listMp4Ids("replay")];

function judgeOther(exchange: Exchange, { pages }: Target, run: Exchanges): Judgement {
  const first = listMp4Ids("recording")
    .map((id) => run?.get(id))
    .find((one) => one && findFile(one));
  const bytes = othersIds.includes(exchange.id) ? findFile(exchange) : undefined;
  if (!bytes || !first?.response) return nothingSeen("No two recordings were downloaded.");
  const shows = readMp4(bytes).tracks.some(({ samples, samplesOutside }) => samples > 0 && samplesOutside === 0);
  if (!shows) return nothingSeen("The other recording is not a complete MP4.");
  const isDecoded = otherMp4ProbeIds.includes(exchange.id);
  const films = isDecoded && pages ? ([pages.frames(), pages.frames("other")] as const) : undefined;
  const isSame =
    haveSamePictures(bytes, bodyBytes(first.response)) ||
    (pages !== undefined && films !== undefined && isSameFilm(...films, pages.recordingMark) === true);
  return verdict(!isSame, {
    where: "body",
    expected: "another recording than that of the other session, which was on another page",
    received: "the same pictures",
  });
}

/** Returns the absolute addresses of the segments of a replay; a relative one leads nowhere, in any session. */
function listSegments(exchange: Exchange | undefined): string[] {
  const text = exchange && readReplay(exchange)["playlist_content"];
  if (typeof text !== "string") return [];
  return readPlaylist(text)
    .segments.map(({ address }) => address)
    .filter((address) => URL.canParse(address));
}

/** Judges that the playlist of the other session does not lead to the segments of the first one. */
function judgeOtherPlaylist(exchange: Exchange, run: Exchanges): Judgement {
  const [first, other] = [listSegments(run?.get(recordingReadProbe.id)), listSegments(exchange)];
  if (first.length === 0 || other.length === 0) return nothingSeen("No two playlists list segments.");
  const addresses = new Set(first);
  return verdict(
    other.some((address) => !addresses.has(address)),
    {
      where: "body /playlist_content",
      expected: "other segments than those of the other session, which was on another page",
      received: "the same addresses",
    },
  );
}

/** Judges that all that the headers of an MP4 promise is in the file. */
function judgeWhole(exchange: Exchange, run: Exchanges): Judgement {
  const boxes = judgeBoxes(exchange);
  return boxes.findings.length > 0 ? boxes : onMp4(exchange, run, judgeInside);
}

/** Checks of the content of the MP4. */
export const mp4Checks: readonly Check[] = [
  makeFileCheck("mp4-has-video", listMp4Ids, (exchange, _, run) => onMp4(exchange, run, judgeVideo)),
  makeFileCheck("mp4-is-whole", listMp4Ids, (exchange, _, run) => judgeWhole(exchange, run)),
  makeFileCheck("mp4-has-no-sound", listMp4Ids, (exchange, _, run) => onMp4(exchange, run, judgeSound)),
  makeCheck(
    "recording/of-its-session",
    [recordingReadProbe.id, "page/scrape-product", otherRecordingProbe.id, ...othersIds],
    (exchange, target, run) =>
      exchange.id === otherRecordingProbe.id ? judgeOtherPlaylist(exchange, run) : judgeOther(exchange, target, run),
    { needs: recordingReadProbe.needs, consults: listMp4Ids("recording") },
  ),
];
