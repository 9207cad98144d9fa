import { nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Target } from "../../../target/target.ts";
import { tickMs } from "../../../site/clock-code.ts";
import type { RecordedFrame } from "../../../target/recorded-frames.ts";
import { findFile, onDownload } from "./downloaded.ts";
import { listMp4Ids } from "./recording-ids.ts";
import { recordingReadProbe } from "./recording-probe.ts";

const base = { needs: recordingReadProbe.needs } as const;
const probes = [recordingReadProbe.id, ...listMp4Ids("recording")];

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
    requirement: "recording.includes-visual-state",
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
    requirement: "recording.includes-dom-changes",
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
    requirement: "recording.includes-real-time-timing",
    where: "body",
    expected: `pictures as far apart as they were on the page, ${pageMs} ms`,
    received: backwards ? "pictures in another order" : `pictures that are ${videoMs} ms apart in the video`,
  });
}

/** Checks of the pictures of a recording, where ffmpeg is available to decode them. */
export const frameChecks: readonly Check[] = [
  {
    ...base,
    id: "recording/shows-the-page",
    title: "The recording shows the page that the session was on.",
    requirements: ["recording.includes-visual-state"],
    probes,
    judge: onDownload(listMp4Ids, (exchange, target) => onFrames(exchange, target, judgeShown)),
  },
  {
    ...base,
    id: "recording/shows-changes",
    title: "The recording shows how the page changed.",
    requirements: ["recording.includes-dom-changes"],
    probes,
    judge: onDownload(listMp4Ids, (exchange, target) => onFrames(exchange, target, judgeChanges)),
  },
  {
    ...base,
    id: "recording/keeps-time",
    title: "Frames of the recording are as far apart in time as the page showed them.",
    requirements: ["recording.includes-real-time-timing"],
    probes,
    judge: onDownload(listMp4Ids, (exchange, target) => onFrames(exchange, target, judgeTiming)),
  },
];
