import { inError, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { bodyBytes, redirectOf, type Exchange } from "../../http/exchange.ts";
import type { Target } from "../../target/target.ts";
import { recordingReadProbe } from "./recording-probe.ts";

/**
 * Wraps the judge of a download, so that the check also names the replay that the download comes from.
 *
 * The replay itself gives no findings. It gets the reason why a download showed nothing, when one was made.
 *
 * @param ids - Ids of the exchanges in which the file is downloaded.
 */
export function onDownload(
  ids: readonly string[],
  judge: (exchange: Exchange, target: Target, run: ReadonlyMap<string, Exchange> | undefined) => Judgement,
): Check["judge"] {
  return (exchange, target, run) => {
    if (exchange.id !== recordingReadProbe.id) return judge(exchange, target, run);
    const reasons = ids.flatMap((id) => run?.get(id) ?? []).map((one) => judge(one, target, run).reason);
    return nothingSeen(reasons.at(-1) ?? "The replay gave no address to download.");
  };
}

/** Judges that a file can be downloaded with its address alone, without credentials. */
export function judgeDownload(exchange: Exchange, requirement: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inError(`It could not be downloaded: ${failure?.message ?? "no response"}.`);
  const { status, end } = response;
  const next = redirectOf(exchange);
  if (next !== undefined) {
    if (URL.parse(next, exchange.url)?.href !== URL.parse(exchange.url)?.href)
      return nothingSeen("The response is a redirect.");
    const received = "a redirect to the same address";
    return verdict(false, { requirement, where: "header location", expected: "a file, or the way to one", received });
  }
  if (status === 429 || status === 503) return inError(`The download was answered with ${status}.`);
  if (end === "reset" || end === "timeout") return inError(`The download was not complete: ${end}.`);
  return verdict(status === 200 || status === 206, {
    requirement,
    where: "status",
    expected: "200 without credentials",
    received: String(status),
  });
}

/** Returns the bytes of a downloaded file; undefined when the download failed. */
export function fileOf({ response }: Exchange): Uint8Array | undefined {
  return response?.status === 200 || response?.status === 206 ? bodyBytes(response) : undefined;
}
