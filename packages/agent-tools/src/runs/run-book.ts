import type { StreamEvent } from "@cloud-browser/stream";
import { recordHere, type LocalRun } from "./local-run.ts";

/** A run that was started here. */
export interface BookedRun {
  /** Its handle: the id that the service gave, or one that holds in this process only. */
  readonly id: string;
  /** Its events, where the service can't give them again. */
  readonly local: LocalRun | undefined;
}

/** Runs that were started by this process, so that no lost answer starts one twice. */
export interface RunBook {
  /**
   * Starts a run for a call, or returns the one that an earlier call with the same key started if its handle never reached the caller.
   *
   * @param key - what the run is for: equal for equal calls
   * @param ticket - the confirmation that it is started for: each starts one run, however often it comes
   */
  readonly start: (key: string, ticket: string | undefined, start: () => Promise<BookedRun>) => Promise<StartedHandle>;
  /** Notes that the handle of a run has reached its caller: the next equal call starts another run. */
  readonly deliver: (key: string, id: string) => void;
  /** Finds a run whose events are kept here. */
  readonly find: (id: string) => LocalRun | undefined;
  /** Ids of the runs whose events are kept here, the newest last. */
  readonly localIds: () => readonly string[];
}

/** A run for a call. */
export interface StartedHandle extends BookedRun {
  /** True when an earlier call had started it. */
  readonly isEarlier: boolean;
}

/** Maximum number of confirmations, and of runs without a receiver, that are remembered. */
const mostRemembered = 1_000;
/** Time for which an equal call finds a run, in milliseconds: a later one starts another. */
const foundForMs = 15 * 60_000;
/** Maximum number of runs whose events are kept here. */
const mostLocal = 32;

interface Starting {
  readonly run: Promise<BookedRun>;
  readonly startedAtMs: number;
}

/** Creates an empty book. */
export function createRunBook(now: () => number = Date.now): RunBook {
  const byTicket = new Map<string, Promise<BookedRun>>();
  const undelivered = new Map<string, Starting>();
  const locals = new Map<string, LocalRun>();
  return {
    async start(key, ticket, start) {
      const lost = undelivered.get(key);
      const found = lost !== undefined && now() - lost.startedAtMs <= foundForMs ? lost.run : undefined;
      const earlier = (ticket === undefined ? undefined : byTicket.get(ticket)) ?? found;
      if (earlier !== undefined) return { ...(await earlier), isEarlier: true };
      const starting = start();
      remember(undelivered, key, { run: starting, startedAtMs: now() });
      if (ticket !== undefined) remember(byTicket, ticket, starting);
      try {
        const run = await starting;
        if (run.local !== undefined) keepLocal(locals, run.id, run.local);
        return { ...run, isEarlier: false };
      } catch (error) {
        undelivered.delete(key);
        if (ticket !== undefined) byTicket.delete(ticket);
        throw error;
      }
    },
    deliver: (key) => void undelivered.delete(key),
    find: (id) => locals.get(id),
    localIds: () => [...locals.keys()],
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest);
}

/** Keeps a run; those that have ended make room first. */
function keepLocal(locals: Map<string, LocalRun>, id: string, run: LocalRun): void {
  locals.set(id, run);
  if (locals.size <= mostLocal) return;
  const [oldest] = [...locals]
    .filter(([, one]) => one.hasEnded())
    .map(([old]) => old)
    .concat([...locals.keys()]);
  if (oldest !== undefined) locals.delete(oldest);
}

/** Returns a run of a service that can't give events again: they are kept here as they come. */
export function bookHere(stream: AsyncIterable<StreamEvent>): BookedRun {
  return { id: `local-${crypto.randomUUID()}`, local: recordHere(stream) };
}
