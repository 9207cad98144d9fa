import {
  combine,
  inError,
  notAbout,
  nothingSeen,
  verdict,
  type Check,
  type Judgement,
  type Exchanges,
} from "../../check.ts";
import { mayBeNotReady, readReplay } from "../replay-status.ts";
import { findSetupHint } from "../../setup-statuses.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Target } from "../../../target/target.ts";
import { readMp4 } from "./media/mp4.ts";
import { judgeDuration, type Precision } from "./duration.ts";
import { playlistChecks } from "./playlist-checks.ts";
import { findFile, judgeDownload, makeFileCheck } from "./downloaded.ts";
import { fileAddressChecks } from "./address-checks.ts";
import { mp4Checks } from "./mp4-checks.ts";
import { frameChecks } from "./frame-checks.ts";
import { listMp4Ids, makeReadId, findRecordingName, recordings } from "./recording-ids.ts";
import { presignedChecks } from "./presigned.ts";
import { segmentChecks } from "./segment-checks.ts";
import { timeChecks } from "./time-checks.ts";
import { trackChecks } from "./track-checks.ts";
import { explainUnread } from "./recording-probe.ts";
import { makeCheck } from "../../make-check.ts";

function judgeExists(exchange: Exchange, target: Target): Judgement {
  const { response, failure } = exchange;
  if (findRecordingName(exchange) === "replay") {
    const against = explainUnread(target);
    if (against !== undefined) return notAbout(against);
    if (response?.status !== 200)
      return nothingSeen("No recording of the given session came; another check reports it.");
  }
  if (!response) return inError(failure?.message ?? "no response");
  const mayCome = findSetupHint(response.status) !== undefined || mayBeNotReady(exchange);
  if (mayCome && response.status !== 500) {
    return inError(
      `The target answered ${response.status} for a session that the suite has ended, after all its waiting.`,
    );
  }
  return verdict(response.status === 200, {
    where: "status",
    expected: "200, because the session has ended",
    received: String(response.status),
  });
}

/** Judges that the download is an MP4. The `moov` box of a file that a limit of the suite cut off may come after the cut. */
function judgeMp4(exchange: Exchange): Judgement {
  const bytes = findFile(exchange);
  if (!bytes) return nothingSeen("The MP4 was not downloaded.");
  const { boxes } = readMp4(bytes);
  const cut = exchange.response?.end !== "complete";
  const missing = ["ftyp", ...(cut ? [] : ["moov"])].filter((type) => !boxes.includes(type));
  return verdict(missing.length === 0, {
    where: "body",
    expected: "an MP4 file, with the boxes ftyp and moov",
    received: boxes.length === 0 ? "bytes that are not an MP4" : `a file without ${missing.join(" and ")}`,
  });
}

/** Judges the duration against the headers and the samples of the MP4, each by itself where they differ. */
function judgeMp4Duration(precision: Precision, exchange: Exchange, run: Exchanges): Judgement {
  const bytes = findFile(exchange);
  const replay = run?.get(makeReadId(findRecordingName(exchange)));
  if (!bytes || !replay) return nothingSeen("The MP4 was not downloaded.");
  const { durationMs, tracks } = readMp4(bytes);
  const video = tracks.find(({ kind }) => kind === "video");
  const sources: readonly (readonly [what: string, ms: number | undefined])[] = [
    ["the header of the MP4", durationMs],
    ["the header of its video track", video?.headerMs],
    ["the sum of its frames", video?.samplesMs],
  ];
  return combine(
    sources.flatMap(([what, ms]) =>
      ms === undefined ? [] : judgeDuration(readReplay(replay), ms, what, 0, precision),
    ),
    "The MP4 does not say how long it lasts.",
  );
}

/** Checks of the recordings of ended sessions, most of them of the suite's own one. Source: interface § ReplayResponse, § Limits. */
export const recordingChecks: readonly Check[] = [
  makeCheck("recording/exists", recordings.map(makeReadId), judgeExists),
  makeFileCheck("mp4-downloads", listMp4Ids, judgeDownload),
  makeFileCheck("mp4-is-mp4", listMp4Ids, judgeMp4, {
    requirements: ["replay.mp4_url.meaning", "recording.mp4-after-session"],
  }),
  makeFileCheck("mp4-duration", listMp4Ids, (exchange, _, run) => judgeMp4Duration("near", exchange, run)),
  makeFileCheck("mp4-duration-exact", listMp4Ids, (exchange, _, run) => judgeMp4Duration("second", exchange, run)),
  makeFileCheck("mp4-duration-to-the-frame", listMp4Ids, (exchange, _, run) =>
    judgeMp4Duration("frames", exchange, run),
  ),
  ...playlistChecks,
  ...presignedChecks,
  ...segmentChecks,
  ...mp4Checks,
  ...fileAddressChecks,
  ...frameChecks,
  ...timeChecks,
  ...trackChecks,
];
