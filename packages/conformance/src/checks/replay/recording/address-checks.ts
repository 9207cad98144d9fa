import {
  judgeStatus,
  notAbout,
  nothingSeen,
  verdict,
  type Check,
  type Judgement,
  type Exchanges,
} from "../../check.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { judgeDownload, makeFileCheck } from "./downloaded.ts";
import {
  listExpiredIds,
  listLastIds,
  listMp4Ids,
  listProbesOn,
  makeReadId,
  findRecordingName,
  listSegmentIds,
  type ListIds,
} from "./recording-ids.ts";
import { makeCheck } from "../../make-check.ts";

/** Judges the last download. An address that never worked is reported by another check. */
function judgeLast(exchange: Exchange, run: Exchanges): Judgement {
  const name = findRecordingName(exchange);
  const before = exchange.id.startsWith(`${name}/last-mp4`) ? listMp4Ids(name) : listSegmentIds(name);
  return before.some((id) => run?.get(id)?.response?.status === 200)
    ? judgeDownload(exchange)
    : nothingSeen("The address did not work before `expires_at` either.");
}

function judgeExpired(exchange: Exchange): Judgement {
  const { response } = exchange;
  if (exchange.id === makeReadId(findRecordingName(exchange)))
    return notAbout("The addresses did not expire while the run went on.");
  if (!response) return nothingSeen("No answer came.");
  const works = response.status === 200 || response.status === 206;
  return judgeStatus(!works, "an address that no longer works, after `expires_at`", response.status);
}

/** Warns of a host that can't be reached from here. It may be reached from elsewhere, so no requirement is violated. */
function judgeReach({ failure }: Exchange): Judgement {
  const received = failure?.message ?? "none";
  return verdict(failure?.code !== "unreachable", {
    where: "address",
    expected: "a host that can be reached",
    received,
  });
}

const listFiles: ListIds = (name) => [...listMp4Ids(name), ...listSegmentIds(name)];

/** Checks of how long addresses work. */
export const fileAddressChecks: readonly Check[] = [
  makeFileCheck("addresses-work-until-expiry", listLastIds, (exchange, _, run) => judgeLast(exchange, run)),
  makeCheck("recording/addresses-expire", listProbesOn(listExpiredIds), judgeExpired, {
    requirements: ["limits.presigned-urls-expire", "replay.expires_at.meaning"],
  }),
  makeFileCheck("addresses-reachable", listFiles, judgeReach),
];
