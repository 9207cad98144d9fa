/** For every check one fault: an exchange of a conforming server, changed so that it breaks one sentence of the interface. */
import type { Exchange, RawResponse } from "../../src/http/exchange.ts";
import type { Change } from "../targets/changes.ts";
import type { Answer } from "../targets/messages.ts";
import { scrapeAnswerFaults, validationErrorFaults } from "./answers.ts";
import { authenticationFaults } from "./authentication.ts";
import type { FaultRow } from "./fault-row.ts";
import { cookiesFaults, replayFaults } from "./reads.ts";
import { scrapeFaults } from "./scrape.ts";
import { eventFaults, streamFaults } from "./stream.ts";

/** A changed exchange. */
export interface Fault {
  readonly probe: string;
  readonly change: Change;
}

/** The answer that a response shows; a piece of a stream holds one event. */
function readAnswer({ status, headers, chunks }: RawResponse): Answer {
  const fields = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes));
  const isStream = fields["content-type"]?.startsWith("text/event-stream") === true;
  return { status, headers: fields, pieces: isStream ? bytes.toString().split(/(?<=\n\n)/) : [bytes] };
}

/** The response that has come with an answer at once, at the time of the last piece of another one. */
function writeResponse(answer: Answer, { chunks, ...before }: RawResponse): RawResponse {
  const { status, headers, pieces, afterwards = "end", lingerMs = 0 } = answer;
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  const end = { end: before.end, nothing: "still-open", reset: "reset" } as const;
  const atMs = (chunks.at(-1)?.atMs ?? 1) - lingerMs;
  return {
    ...before,
    status,
    headers: Object.entries(headers),
    chunks: bytes.length === 0 ? [] : [{ atMs, bytes }],
    end: end[afterwards],
  };
}

/** The exchange with its response changed. */
export function applyFault({ response, ...exchange }: Exchange, { change }: Fault): Exchange {
  if (!response) throw new Error(`${exchange.id} has no response to change`);
  const answer = readAnswer(response);
  const { plan, url, requestHeaders } = exchange;
  const request = {
    method: plan.method,
    path: plan.path,
    query: new URL(url).searchParams,
    headers: requestHeaders,
    body: plan.body ?? "",
    onConnection: 1,
    underWay: 1,
  };
  const changed = change(answer, request);
  if (JSON.stringify(changed) === JSON.stringify(answer)) throw new Error(`${exchange.id} has nothing to change`);
  return { ...exchange, response: writeResponse(changed, response) };
}

const rows: readonly FaultRow[] = [
  ...scrapeFaults,
  ...scrapeAnswerFaults,
  ...validationErrorFaults,
  ...cookiesFaults,
  ...replayFaults,
  ...authenticationFaults,
  ...streamFaults,
  ...eventFaults,
];

/** The fault of each check, by the check's id. */
export const faults: ReadonlyMap<string, Fault> = new Map(
  rows.map(([check, probe, change]) => [check, { probe, change }]),
);
