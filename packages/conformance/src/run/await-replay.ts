import { setTimeout as pause } from "node:timers/promises";
import { explainUnread } from "../checks/replay/recording/recording-probe.ts";
import { makeReadId } from "../checks/replay/recording/recording-ids.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Probe, SendMore } from "../http/probe.ts";
import type { Target } from "../target/target.ts";

/** Delays between two reads of a replay that is not ready, in milliseconds: the first one, and the longest. */
const firstDelayMs = 250;
const longestDelayMs = 8_000;

/** Statuses that waiting does not change: a refusal of the key, the address or the method; a recording that is gone; a failure. */
const settled: ReadonlySet<number> = new Set([401, 403, 405, 410, 411, 414, 415, 421, 426, 431, 500, 501, 505]);

/** Returns whether an answer may mean that the recording is not ready yet. The interface does not show how a target reports that. */
function mayBecomeReady({ response }: Exchange): boolean {
  const status = response?.status;
  if (status === undefined || status === 200) return false;
  return (status < 300 || status >= 400) && !settled.has(status);
}

/**
 * Asks for a replay until it is ready, with delays that double.
 *
 * @param probeAt - Makes the probe of an attempt, the first one of which is 1.
 * @param waitMs - Longest time until the last attempt begins, in milliseconds.
 * @param goesOn - Returns whether another attempt follows an answer. Default: after any status but 200.
 * @returns The last answer; undefined when none was asked for.
 */
export async function pollReplay(
  probeAt: (attempt: number) => Probe,
  { send, waitMs, signal }: Pick<AwaitedReplay, "send" | "waitMs" | "signal">,
  goesOn = ({ response }: Exchange): boolean => response !== undefined && response.status !== 200,
): Promise<Exchange | undefined> {
  const until = performance.now() + waitMs;
  for (let attempt = 1, delayMs = firstDelayMs; ; attempt += 1, delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    const exchange = await send(probeAt(attempt));
    const leftMs = until - performance.now();
    if (!exchange || signal?.aborted || leftMs <= 0 || !goesOn(exchange)) return exchange;
    await pause(Math.min(delayMs, leftMs), undefined, signal ? { signal } : {}).catch(() => {});
  }
}

/** The reads of the given replay in a run, and the means to repeat them. */
export interface AwaitedReplay {
  /** The target, with what is known of its pages. */
  readonly target: Target;
  /** Exchanges made so far, by the ids of their probes. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** The probes that were sent. */
  readonly probes: readonly Probe[];
  /** Sends one more request. */
  readonly send: SendMore;
  /** Sends probes again: their later answers take the place of the earlier ones, which are kept under other ids. */
  readonly sendAgain: (probes: readonly Probe[]) => Promise<void>;
  /** Longest wait, in milliseconds. */
  readonly waitMs: number;
  /** Called before the wait. */
  readonly onActivity: (what: string) => void;
  /** Ends the wait early. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits for the recording of the ended session that was given, when its first read may say that it is not ready yet; then reads it again in
 * all the ways in which it was read before, so that the last answers decide. Sends nothing when the first read gave the replay.
 */
export async function awaitReplay(options: AwaitedReplay): Promise<void> {
  const { target, exchanges, probes, send, sendAgain, waitMs, onActivity, signal } = options;
  const first = exchanges.get(makeReadId("replay"));
  const probe = probes.find(({ id }) => id === makeReadId("replay"));
  if (!first || !probe || explainUnread(target) !== undefined) return;
  if (!mayBecomeReady(first) || waitMs <= 0 || signal?.aborted) return;
  onActivity("waiting for the recording of the ended session");
  const last = await pollReplay(
    (attempt) => ({ ...probe, id: `replay/wait-${attempt}`, expects: "open" }),
    { send, waitMs, signal },
    mayBecomeReady,
  );
  if (signal?.aborted || !last) return;
  const isReady = last.response?.status === 200;
  await sendAgain(isReady ? probes.filter(({ id }) => id.startsWith("replay/")) : [probe]);
}
