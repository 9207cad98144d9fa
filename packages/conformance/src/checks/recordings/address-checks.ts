import { notAbout, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { judgeDownload, onDownload } from "./downloaded.ts";
import { expiredProbeIds, lastProbeIds, mp4ProbeIds, segmentProbeIds } from "./recording-downloads.ts";
import { recordingReadProbe } from "./recording-probe.ts";

const base = { level: "stated", operation: "session_replay", needs: recordingReadProbe.needs } as const;
const requirement = "replay.expires_at.meaning";

/** Judges the last download. An address that never worked is reported by another check. */
function judgeLast(exchange: Exchange, run: ReadonlyMap<string, Exchange> | undefined): Judgement {
  const before = exchange.id.startsWith("recording/last-mp4") ? mp4ProbeIds : segmentProbeIds;
  const worked = before.some((id) => run?.get(id)?.response?.status === 200);
  return worked
    ? judgeDownload(exchange, requirement)
    : nothingSeen("The address did not work before `expires_at` either.");
}

function judgeExpired({ response }: Exchange): Judgement {
  if (!response) return nothingSeen("No answer came.");
  const works = response.status === 200 || response.status === 206;
  return verdict(!works, {
    requirement,
    where: "status",
    expected: "an address that no longer works, after `expires_at`",
    received: String(response.status),
  });
}

/** Checks of how long addresses work. */
export const addressChecks: readonly Check[] = [
  {
    ...base,
    id: "recording/addresses-work-until-expiry",
    title: "Addresses of a recording still work at the end of the run, before `expires_at`.",
    requirements: [requirement],
    probes: [recordingReadProbe.id, ...lastProbeIds],
    judge: onDownload(lastProbeIds, (exchange, _, run) => judgeLast(exchange, run)),
  },
  {
    ...base,
    id: "recording/addresses-expire",
    title: "After `expires_at` the address of the MP4 no longer works.",
    requirements: [requirement],
    probes: [recordingReadProbe.id, ...expiredProbeIds],
    judge: (exchange) =>
      exchange.id === recordingReadProbe.id
        ? notAbout("The addresses did not expire while the run went on.")
        : judgeExpired(exchange),
  },
];
