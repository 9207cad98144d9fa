import { judgeStatus, notAbout, nothingSeen, verdict, type Check, type Judgement } from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { judgeDownload, onDownload } from "./downloaded.ts";
import {
  listExpiredIds,
  listLastIds,
  listMp4Ids,
  probesOn,
  makeReadId,
  recordedIn,
  listSegmentIds,
  type ListIds,
} from "./recording-ids.ts";

const requirement = "replay.expires_at.meaning";

/** Judges the last download. An address that never worked is reported by another check. */
function judgeLast(exchange: Exchange, run: ReadonlyMap<string, Exchange> | undefined): Judgement {
  const recorded = recordedIn(exchange);
  const before = exchange.id.startsWith(`${recorded}/last-mp4`) ? listMp4Ids(recorded) : listSegmentIds(recorded);
  const worked = before.some((id) => run?.get(id)?.response?.status === 200);
  return worked
    ? judgeDownload(exchange, requirement)
    : nothingSeen("The address did not work before `expires_at` either.");
}

/** Requirement that is only about the time after the expiry. */
const expiry = "limits.presigned-urls-expire";

function judgeExpired({ response }: Exchange): Judgement {
  if (!response) return nothingSeen("No answer came.");
  const works = response.status === 200 || response.status === 206;
  return judgeStatus(!works, expiry, "an address that no longer works, after `expires_at`", response.status);
}

/** Warns of a host that can't be reached from here. It may be reached from elsewhere, so no requirement is violated. */
function judgeReach({ failure }: Exchange): Judgement {
  return verdict(failure?.code !== "unreachable", {
    requirement: "replay.addresses-reachable",
    where: "address",
    expected: "a host that can be reached",
    received: failure?.message ?? "none",
  });
}

const listFiles: ListIds = (recorded) => [...listMp4Ids(recorded), ...listSegmentIds(recorded)];

/** Checks of how long addresses work. */
export const addressChecks: readonly Check[] = [
  {
    id: "recording/addresses-work-until-expiry",
    title: "Addresses of a recording still work at the end of the run, before `expires_at`.",
    requirements: [requirement],
    probes: probesOn(listLastIds),
    judge: onDownload(listLastIds, (exchange, _, run) => judgeLast(exchange, run)),
  },
  {
    id: "recording/addresses-expire",
    title: "After `expires_at` the address of the MP4 no longer works.",
    requirements: [expiry, requirement],
    probes: probesOn(listExpiredIds),
    judge: (exchange) =>
      exchange.id === makeReadId(recordedIn(exchange))
        ? notAbout("The addresses did not expire while the run went on.")
        : judgeExpired(exchange),
  },
  {
    id: "recording/addresses-reachable",
    title: "The hosts of the addresses of a recording can be reached from where the suite runs.",
    requirements: ["replay.addresses-reachable"],
    probes: probesOn(listFiles),
    judge: onDownload(listFiles, judgeReach),
  },
];
