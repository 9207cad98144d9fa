/**
 * Rules and requests are apart: whatever a request of a run was sent for, each rule that applies to all answers of an operation
 * finds fault with the one answer that breaks it. Both come from the tables: the answers are those of a whole run, and for each
 * general check there is the answer that breaks its sentence.
 */
import { expect } from "vitest";
import type { Operation } from "../../src/contract/contract.ts";
import { applicableExchanges, type Check } from "../../src/checks/check.ts";
import { isAnswerTo, type Exchange, type RawResponse } from "../../src/http/exchange.ts";
import { collect, type Collected } from "../../src/run/collect.ts";
import { defaults } from "../../src/configuration/settings.ts";
import { checks, listProbes } from "../../src/run/suite.ts";
import { breakExchange, listBroken } from "../broken-exchanges/broken-exchanges.ts";
import { everyNth } from "../every-nth.ts";
import { set, type Change } from "../targets/changes.ts";
import { exchangeAll } from "../without-socket.ts";
import { startWholeTarget, wholeRun } from "./whole-target.ts";

/** Faults of what a replay says of itself: only a recording shows them. */
const ofRecordings: Readonly<Record<string, Change>> = {
  "recording/expires-later": set("expires_at", "2001-01-01T00:00:00Z"),
  "recording/playlist-lists-segments": set("playlist_content", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-ENDLIST\n"),
  "recording/playlist-is-media": set(
    "playlist_content",
    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttps://a.example/1.m3u8\n",
  ),
  "recording/playlist-follows-rfc-8216": set(
    "playlist_content",
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:9.0,\nhttps://a.example/1.ts\n",
  ),
  "recording/playlist-duration": set("video_duration_ms", 9_000_000),
};

/** A check of the form of answers: of their media type, of JSON, of fields, of events. */
const isOfForm = (id: string): boolean =>
  /^(event|stream|validation-error)\/|-(present|type|valid|hls|address)$|\/json$|\/content-type$|-body$/.test(id) &&
  !/\/(re(jects|fuses)|4\d\d|needs)-/.test(id);

/** Those that are held against every answer of an operation. */
export const general = checks.filter(({ id }) => isOfForm(id) || ofRecordings[id]);

export let run: Collected;
/** The exchanges of the run; one of them may have another answer for a while. */
let exchanges: Map<string, Exchange>;
/** Answers of a server that shows everything, by the ids of the probes. */
let wholeAnswers: ReadonlyMap<string, Exchange>;

/** Makes the run, and the answers of which some are broken. */
export async function makeRun(): Promise<void> {
  await using whole = await startWholeTarget();
  run = await collect(whole.target, wholeRun);
  exchanges = new Map(run.exchanges);
  wholeAnswers = await exchangeAll(listProbes(defaults.seed));
}

/** Every exchange of the run that called an operation as the interface says, whatever for. */
function called(operation: Operation): Exchange[] {
  return [...run.exchanges.values()].filter((exchange) => isAnswerTo(operation, { ...exchange, expects: "open" }));
}

/** Returns whether one of the checks has a finding when one exchange of the run has that answer. */
function isFound(exchange: Exchange, response: RawResponse, among: readonly Check[]): boolean {
  const altered = { ...exchange, response };
  exchanges.set(exchange.id, altered);
  const found = among.some((check) =>
    applicableExchanges(check, [altered]).some((one) => check.judge(one, run.target, exchanges).findings.length > 0),
  );
  exchanges.set(exchange.id, exchange);
  return found;
}

/** The recording of a session that is still open need not be whole. */
const isWhole = (id: string, { id: check }: Check): boolean =>
  id !== "replay/open-not-ended" || !/^recording\/(playlist|expires)/.test(check);

const answered = (status: number, body = "{}"): RawResponse => ({
  status,
  headers: [["content-type", "application/json"]],
  chunks: [{ atMs: 1, bytes: Buffer.from(body) }],
  end: "complete",
});

/** An answer that breaks a check, whatever it is compared with. */
function findBroken(check: Check): Pick<Exchange, "operation"> & { readonly response: RawResponse } {
  const ofRecording = run.exchanges.get("recording/read");
  const change = ofRecordings[check.id];
  const candidates = change ? [ofRecording && breakExchange(ofRecording, { change })] : listBroken(check, wholeAnswers);
  for (const exchange of candidates) {
    if (exchange?.response && check.judge(exchange, run.target).findings.length > 0)
      return { operation: exchange.operation, response: exchange.response };
  }
  throw new Error(`there is no answer that breaks ${check.id}`);
}

/** Ids of the exchanges in which what breaks a check is not found. Of the exchanges every nth has that answer, from another one on for each check. */
export function findMissed(check: (typeof general)[number], n: number): string[] {
  const { operation, response } = findBroken(check);
  const places = called(operation).filter(({ id }) => isWhole(id, check));
  expect(places.length).toBeGreaterThan(3);
  const turn = general.indexOf(check);
  const missed = places.filter((exchange, place) => {
    if ((place + turn) % n !== 0) return false;
    // A success where there should be none is the fault itself, whatever its body holds, unless it is the stream of a run.
    const isJudged = isAnswerTo(operation, { ...exchange, response });
    return !isFound(exchange, response, isJudged ? [check] : checks);
  });
  return missed.map(({ id }) => id);
}

/** Ids of the exchanges, of every nth that expects this, in which the other status is not found. */
export function findMissedStatus(expects: Exchange["expects"], status: number, n: number): string[] {
  const all = [...run.exchanges.values()].filter((exchange) => exchange.expects === expects);
  return everyNth(all, n)
    .filter((exchange) => !isFound(exchange, answered(status), checks))
    .map(({ id }) => id);
}
