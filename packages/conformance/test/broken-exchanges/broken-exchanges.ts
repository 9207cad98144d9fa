/** For every check a fault: an exchange of a conforming server, changed so that it breaks one sentence of the interface. */
import { applicableExchanges, type Check } from "../../src/checks/check.ts";
import type { Exchange, RawResponse } from "../../src/http/exchange.ts";
import { breakers } from "../kills/breakers.ts";
import type { Change } from "../targets/changes.ts";
import type { Fault } from "../targets/fault.ts";
import { faultyTargets } from "../targets/faulty-targets.ts";
import { findSubject, type Answer, type ReceivedRequest } from "../targets/messages.ts";
import { rows } from "./rows.ts";

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

/** The request of an exchange, as a service receives it. */
const readRequest = ({ plan, url, requestHeaders }: Exchange): ReceivedRequest => ({
  method: plan.method,
  path: new URL(url).pathname,
  query: new URL(url).searchParams,
  headers: requestHeaders,
  body: plan.body ?? "",
  onConnection: 1,
  underWay: 1,
});

/** The exchange with its answer changed; undefined where a fault is not about it, or changes nothing. */
export function breakExchange(exchange: Exchange, { change, subject, fits }: Partial<Fault>): Exchange | undefined {
  const { response } = exchange;
  if (!response || !change) return undefined;
  const [request, answer] = [readRequest(exchange), readAnswer(response)];
  if (subject !== undefined && subject !== findSubject(answer, request)) return undefined;
  if (fits?.(request, answer) === false) return undefined;
  const changed = change(answer, request);
  if (JSON.stringify(changed) === JSON.stringify(answer)) return undefined;
  return { ...exchange, response: writeResponse(changed, response) };
}

/** Faults of the checks that need one of their own. */
export const ownFaults: ReadonlyMap<string, { readonly probe: string; readonly change: Change }> = new Map(
  rows.map(([check, probe, change]) => [check, { probe, change }]),
);

/** The faults of the servers of the kill table, by the requirement that they break. */
const faults = Map.groupBy(
  [...Object.values(faultyTargets).flat(), ...breakers],
  ({ requirement }): string => requirement,
);

/**
 * Lists exchanges that break a sentence of a check: one of those sent for it has the changed answer of a server of the kill table that breaks
 * the sentence, or of the check's own fault.
 *
 * @param run - Exchanges of a conforming server.
 */
export function* listBroken(check: Check, run: ReadonlyMap<string, Exchange>): Generator<Exchange> {
  const own = ownFaults.get(check.id);
  const pairs = own
    ? [[own.probe, own] as const]
    : check.probes
        .toReversed()
        .flatMap((probe) =>
          check.requirements
            .flatMap((requirement) => faults.get(requirement) ?? [])
            .map((fault) => [probe, fault] as const),
        );
  for (const [probe, fault] of pairs) {
    const exchange = run.get(probe);
    const broken = exchange && breakExchange(exchange, fault);
    if (broken && applicableExchanges(check, [broken]).length > 0) yield broken;
  }
}
