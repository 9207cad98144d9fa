import { inTrouble, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { bodyBytes, type Exchange } from "../../http/exchange.ts";
import { redirectOf } from "./recording-downloads.ts";
import { recordingReadProbe } from "./recording-probe.ts";

/** What is downloaded follows from the replay: a check of it needs that, and judges nothing in it. */
export function onDownload(
  judge: (exchange: Exchange, run: ReadonlyMap<string, Exchange> | undefined) => Judgement,
): Check["judge"] {
  return (exchange, _, run) =>
    exchange.id === recordingReadProbe.id ? nothingSeen("The replay led to no such download.") : judge(exchange, run);
}

/** Judges that a file comes to somebody who has nothing but its address. */
export function judgeDownload(exchange: Exchange, requirement: string): Judgement {
  const { response, failure } = exchange;
  if (!response) return inTrouble(`It could not be downloaded: ${failure?.message ?? "no response"}.`);
  const { status, end } = response;
  if (redirectOf(exchange) !== undefined) return nothingSeen("The answer leads on to another address.");
  if (status === 429 || status === 503) return inTrouble(`The download was answered with ${status}.`);
  if (end === "reset" || end === "timeout") return inTrouble(`The download did not end well: ${end}.`);
  return verdict(status === 200 || status === 206, {
    requirement,
    where: "status",
    expected: "200 without credentials",
    received: String(status),
  });
}

/** The first bytes of a file that was downloaded; undefined when none was. */
export function fileOf({ response }: Exchange): Uint8Array | undefined {
  return response?.status === 200 || response?.status === 206 ? bodyBytes(response) : undefined;
}
