import { type MoreOfCheck, makeCheck } from "../../make-check.ts";
import {
  inError,
  judgeStatus,
  notAbout,
  nothingSeen,
  verdict,
  type Check,
  type Judgement,
  type Exchanges,
} from "../../check.ts";
import { bodyBytes, findRedirect, type Exchange } from "../../../http/exchange.ts";
import type { Target } from "../../../target/target.ts";
import { isForDocumentationAlone } from "./recording-downloads.ts";
import { makeReadId, findRecordingName, type ListIds, listProbesOn } from "./recording-ids.ts";
import { explainUnread } from "./recording-probe.ts";

/** Judges the exchange in which a file was downloaded. */
type FileJudge = (exchange: Exchange, target: Target, run: Exchanges) => Judgement;

/**
 * Wraps the judge of a download, so that the check also names the replay that the download comes from.
 *
 * The replay itself gives no findings. It gets the reason why a download showed nothing, when one was made.
 *
 * The same judge is used for the recording that the suite has made itself and for that of a given session.
 *
 * @param listIds - Returns the ids of the exchanges in which the file of a recording is downloaded.
 */
export function onDownload(listIds: ListIds, judge: FileJudge): Check["judge"] {
  return (exchange, target, run) => {
    const name = findRecordingName(exchange);
    if (exchange.id !== makeReadId(name)) return judge(exchange, target, run);
    const against = name === "replay" ? explainUnread(target) : undefined;
    if (against !== undefined) return notAbout(against);
    const downloads = listIds(name).flatMap((id) => run?.get(id) ?? []);
    const reasons = downloads.map((one) => judge(one, target, run).reason);
    const none = isForDocumentationAlone({ replay: exchange, baseUrl: target.baseUrl })
      ? "The addresses are at names that are reserved for documentation."
      : "The replay gave no address to download.";
    return nothingSeen(reasons.at(-1) ?? none);
  };
}

/** Makes a check of a kind of file of both recordings. */
export function makeFileCheck(name: string, listIds: ListIds, judge: FileJudge, more?: MoreOfCheck): Check {
  return makeCheck(`recording/${name}`, listProbesOn(listIds), onDownload(listIds, judge), more);
}

/**
 * Judges that a file can be downloaded with its address alone, without credentials.
 *
 * When the host of a given session's recording can't be reached from here, that shows nothing: another check warns of it.
 */
export function judgeDownload(exchange: Exchange): Judgement {
  const { response, failure } = exchange;
  if (!response) {
    const reason = `It could not be downloaded: ${failure?.message ?? "no response"}.`;
    const isOutOfReach = failure?.code === "unreachable" && findRecordingName(exchange) === "replay";
    return isOutOfReach ? nothingSeen(reason) : inError(reason);
  }
  const { status, end } = response;
  const next = findRedirect(exchange);
  if (next !== undefined) {
    if (URL.parse(next, exchange.url)?.href !== URL.parse(exchange.url)?.href)
      return nothingSeen("The response is a redirect.");
    const received = "a redirect to the same address";
    return verdict(false, { where: "header location", expected: "a file, or the way to one", received });
  }
  if (status === 429 || status === 503) return inError(`The download was answered with ${status}.`);
  if (end === "reset" || end === "timeout") return inError(`The download was not complete: ${end}.`);
  return judgeStatus(status === 200 || status === 206, "200 without credentials", status);
}

/** Returns the bytes of a downloaded file; undefined when the download failed. */
export function findFile({ response }: Exchange): Uint8Array | undefined {
  return response?.status === 200 || response?.status === 206 ? bodyBytes(response) : undefined;
}
