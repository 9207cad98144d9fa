import { nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Target } from "../../../target/target.ts";
import { tickMs } from "../../../site/clock-code.ts";
import type { RecordedFrame } from "../../../target/recorded-frames.ts";
import { findFile, onDownload } from "./downloaded.ts";
import { listMp4Ids } from "./recording-ids.ts";
import { recordingReadProbe } from "./recording-probe.ts";
import { makeCheck } from "../../make-check.ts";

/** A frame that shows the clock code of the recorded page. */
type CodedFrame = RecordedFrame & { readonly tick: number };

function onFrames(
  exchange: Exchange,
  { pages }: Target,
  judge: (frames: readonly CodedFrame[], all: readonly RecordedFrame[]) => Judgement,
): Judgement {
  if (!findFile(exchange) || !pages) return nothingSeen("The MP4 was not downloaded.");
  const result = pages.frames();
  if ("reason" in result) return nothingSeen(result.reason);
  const frames = result.frames.flatMap((frame): CodedFrame[] =>
    frame.code?.mark === pages.recordingMark ? [{ ...frame, tick: frame.code.tick }] : [],
  );
  return judge(frames, result.frames);
}

/** Minimum length of a recording that has to show the page, in milliseconds: a browser needs time to load it. */
const minMs = 1_000;

function judgeShown(frames: readonly CodedFrame[], all: readonly RecordedFrame[]): Judgement {
  const last = all.at(-1)?.atMs ?? 0;
  if (frames.length === 0 && last < minMs) return nothingSeen("The recording is shorter than a second.");
  const other = all.some(({ code }) => code !== undefined);
  return verdict(frames.length > 0, {
    where: "body",
    expected: "pictures of the page that the browser showed when the session ended",
    received: other ? "pictures of a page of another run" : `${all.length} pictures, none of which shows it`,
  });
}

/** Returns the time between the first and the last frame, by the clock of the video and by the clock code of the page. */
function measureSpans(frames: readonly CodedFrame[]): { videoMs: number; pageMs: number } | undefined {
  const [first] = frames;
  const last = frames.at(-1);
  if (!first || !last) return undefined;
  return { videoMs: last.atMs - first.atMs, pageMs: (last.tick - first.tick) * tickMs };
}

function judgeChanges(frames: readonly CodedFrame[]): Judgement {
  const span = measureSpans(frames);
  if (!span || span.videoMs < minMs) return nothingSeen("Less than a second of the page was recorded.");
  return verdict(new Set(frames.map(({ tick }) => tick)).size > 1, {
    where: "body",
    expected: "pictures of the page as it changed, ten times a second",
    received: `the same picture for ${span.videoMs} ms`,
  });
}

/**
 * Tolerance of times between frames, in milliseconds, and as a share of the whole: recorders may write one frame a second. For less than
 * five seconds, one second would be too much tolerance.
 */
const toleranceMs = 1_000;
const toleranceShare = 0.2;
const comparableMs = toleranceMs / toleranceShare;

function judgeTiming(frames: readonly CodedFrame[]): Judgement {
  const span = measureSpans(frames);
  const ticks = new Set(frames.map(({ tick }) => tick));
  if (!span || ticks.size < 2) return nothingSeen("Fewer than two states of the page were recorded.");
  const { videoMs, pageMs } = span;
  const longer = Math.max(videoMs, pageMs);
  const allowed = Math.max(toleranceMs, longer * toleranceShare);
  const backwards = frames.some(({ tick }, at) => tick < (frames[at - 1]?.tick ?? 0));
  const holds = !backwards && Math.abs(videoMs - pageMs) <= allowed;
  if (holds && longer < comparableMs)
    return nothingSeen(`Only ${longer} ms of the page were recorded, too little to compare times.`);
  return verdict(holds, {
    where: "body",
    expected: `pictures as far apart as they were on the page, ${pageMs} ms`,
    received: backwards ? "pictures in another order" : `pictures that are ${videoMs} ms apart in the video`,
  });
}

/** Makes a check of the frames of the recording that the suite has made. */
const makeFrameCheck = (name: string, judge: Parameters<typeof onFrames>[2]): Check =>
  makeCheck(
    `recording/${name}`,
    [recordingReadProbe.id, ...listMp4Ids("recording")],
    onDownload(listMp4Ids, (exchange, target) => onFrames(exchange, target, judge)),
    { needs: recordingReadProbe.needs },
  );

/** Checks of the pictures of a recording, where ffmpeg is available to decode them. */
export const frameChecks: readonly Check[] = [
  makeFrameCheck("shows-the-page", judgeShown),
  makeFrameCheck("shows-changes", judgeChanges),
  makeFrameCheck("keeps-time", judgeTiming),
];
