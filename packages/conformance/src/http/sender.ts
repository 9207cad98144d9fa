import { setTimeout as pause } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";
import { hasToBeRefused, RunLedger, type RunBudget } from "./budget.ts";
import type { Probe } from "./probe.ts";
import type { Exchange } from "./exchange.ts";
import { couldStartRun, profileRefusal } from "./profile.ts";
import { BodyMemory } from "./body/body-memory.ts";
import type { Profile } from "./profile.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { RetryPolicy } from "./retry-policy.ts";
import type { Target } from "../target/target.ts";
import { type Limits } from "./limits.ts";
import { type StreamProgress } from "./read-body.ts";
import {
  KeepAliveConnection,
  makeOutgoing,
  transmit,
  type Outgoing,
  type Transmission,
  type Transmit,
} from "./transport.ts";

/** Options of the sender: limits and permissions that hold for every request. */
export interface SenderOptions {
  /** Returns the reason why a request would show nothing after those before it; called in its turn. Default: no request is needless. */
  readonly whyNeedless?: (request: { readonly id: string }) => string | undefined;
  /** Set of requests that may be sent. */
  readonly profile: Profile;
  /** Budget of billed automation runs. */
  readonly budget: RunBudget;
  /** Bounds of time and size. */
  readonly limits: Limits;
  /** Maximum number of concurrent requests; automation runs are sent one at a time. */
  readonly concurrency: number;
  /** Maximum number of requests begun per second; undefined for no limit. */
  readonly rate: number | undefined;
  /** Aborts requests under way, and refuses later ones. */
  readonly signal: AbortSignal | undefined;
  /** Function that transmits a request to the target. Default: over a socket. */
  readonly transmit?: Transmit;
}

/** Result of sending: an exchange, or the reason why the request was not sent. */
export type SendResult = { readonly exchange: Exchange } | Refused;

interface Refused {
  readonly refusal: string;
}

/** Callbacks of the sender. */
export interface SendEvents {
  /** Called when the request is sent; again when it is sent again. */
  readonly onStart?: () => void;
  /** Called for each data line of an event stream. */
  readonly onEvent?: StreamProgress;
}

/** Reason for the requests that an interrupted run did not send. */
export const interruptedReason = "The run was interrupted before its requests were answered.";

/**
 * Sends every request of a run.
 *
 * It keeps to the profile, the budget of runs, the rate and the concurrency, and decides on each request by what would go over the wire,
 * not by the description of its probe. The retry policy decides what is sent again.
 */
export class Sender implements Disposable {
  /** Ledger of the billed runs so far. */
  readonly ledger: RunLedger;
  /** Requests that were sent again. */
  readonly retries: Retry[] = [];
  readonly #target: Target;
  readonly #options: SenderOptions;
  readonly #concurrency: LimitFunction;
  readonly #oneRun = pLimit(1);
  readonly #keepAlive = new KeepAliveConnection();
  readonly #memory: BodyMemory;
  readonly #circuitBreaker = new CircuitBreaker();
  readonly #retryPolicy: RetryPolicy;
  #nextStart = 0;

  constructor(target: Target, options: SenderOptions) {
    this.#target = target;
    this.#options = options;
    this.ledger = new RunLedger(options.budget);
    this.#concurrency = pLimit(options.concurrency);
    this.#retryPolicy = new RetryPolicy(options.limits);
    this.#memory = new BodyMemory(options.limits.maxTotalBytes);
  }

  /** Closes the connection that requests share. */
  [Symbol.dispose](): void {
    this.#keepAlive[Symbol.dispose]();
  }

  /** Returns the reason why the profile, or a budget without runs, forbids a probe; undefined when it may be sent. */
  forbids(probe: Probe): string | undefined {
    return this.#refusal(makeOutgoing(this.#target, probe));
  }

  /** Sends one request, when it may be sent. Never throws because of the target. */
  async send(probe: Probe, events: SendEvents = {}): Promise<SendResult> {
    const request = makeOutgoing(this.#target, probe);
    const send = (): Promise<SendResult> => this.#concurrency(() => this.#sendAndRecord(request, events));
    return probe.operation === "automation_start" ? this.#oneRun(send) : send();
  }

  /** Sends some requests at the same time, whatever the concurrency. None of them starts a run. */
  async sendTogether(burst: readonly { readonly probe: Probe; readonly events: SendEvents }[]): Promise<SendResult[]> {
    return this.#concurrency(() =>
      Promise.all(burst.map(({ probe, events }) => this.#sendAndRecord(makeOutgoing(this.#target, probe), events))),
    );
  }

  /** Sends a request, and sends it again as the retry policy says. */
  async #sendAndRecord(request: Outgoing, events: SendEvents): Promise<SendResult> {
    const nextAttempt = this.#retryPolicy.forRequest(couldStartRun(request, this.#target));
    let result = await this.#sendOnce(request, events);
    while ("exchange" in result) {
      const attempt = nextAttempt(result);
      if (attempt === undefined) break;
      await this.#sleep(attempt.delayMs);
      if (this.#interrupted) break;
      this.retries.push({ exchange: request.id, reason: attempt.reason });
      result = await this.#sendOnce(request, events);
    }
    if ("exchange" in result) this.#circuitBreaker.record(result.exchange, result.answered);
    return result;
  }

  #refusal(request: Outgoing): string | undefined {
    const forbidden = profileRefusal(this.#options.profile, request, this.#target);
    if (forbidden !== undefined) return forbidden;
    const couldBill = couldStartRun(request, this.#target);
    if (hasToBeRefused(request))
      return this.ledger.refusalOfUnintended() ?? (couldBill ? this.ledger.refusal() : undefined);
    return couldBill ? this.ledger.refusal() : undefined;
  }

  async #sendOnce(request: Outgoing, { onStart, onEvent }: SendEvents): Promise<Refused | Transmission> {
    await this.#awaitRate();
    if (this.#interrupted) return { refusal: interruptedReason };
    const needless = this.#options.whyNeedless?.(request);
    const refusal = needless ?? this.#refusal(request) ?? this.#circuitBreaker.refusal(request.operation);
    if (refusal !== undefined) return { refusal };
    onStart?.();
    const { limits, signal } = this.#options;
    const overWire = this.#options.transmit ?? transmit;
    const options = {
      keptConnection: this.#keepAlive,
      memory: this.#memory,
      ...(onEvent && { onEvent }),
      ...(signal && { signal }),
    };
    const transmission = await overWire(request, limits, options);
    if (this.#target.kind === "live") {
      this.ledger.record(transmission.exchange, couldStartRun(request, this.#target));
    }
    return transmission;
  }

  get #interrupted(): boolean {
    return this.#options.signal?.aborted ?? false;
  }

  /** Waits until the rate limit allows the next request. */
  async #awaitRate(): Promise<void> {
    const { rate } = this.#options;
    if (rate === undefined) return;
    const now = performance.now();
    const start = Math.max(now, this.#nextStart);
    this.#nextStart = start + 1000 / rate;
    if (start > now) await this.#sleep(start - now);
  }

  /** Sleeps for at least that time: a timer may fire early. Resolves early, and without an error, when the run is interrupted. */
  async #sleep(ms: number): Promise<void> {
    const { signal } = this.#options;
    const untilMs = performance.now() + ms;
    for (let remainingMs = ms; remainingMs > 0 && !this.#interrupted; remainingMs = untilMs - performance.now())
      await pause(Math.ceil(remainingMs), undefined, signal ? { signal } : {}).catch(() => {});
  }
}

/** A request that was sent again: its connection failed before the first byte of an answer, or the target asked for a pause. */
export interface Retry {
  /** Id of the exchange. */
  readonly exchange: string;
  /** Reason why the attempt failed. */
  readonly reason: string;
}
