import { setImmediate as nextTurn } from "node:timers/promises";
import type { Probe } from "../http/probe.ts";
import { header, type Exchange } from "../http/exchange.ts";
import { interruptedReason, type SendEvents, type Sender, type SendResult } from "../http/sender.ts";
import { SuiteError } from "../http/suite-error.ts";
import type { Target } from "../target/target.ts";
import { leftOutReason } from "./prioritize.ts";
import type { Progress, RunOptions } from "./run-options.ts";

/** Sends the requests of one run, and keeps their exchanges. */
export class RequestRunner {
  /** Every exchange, interrupted ones as well. */
  readonly allExchanges: Exchange[] = [];
  /** Completed exchanges, by the ids of their probes. */
  readonly complete = new Map<string, Exchange>();
  readonly unsent = new Map<string, string>();
  /** Ids of the probes that were cut off, or not sent, because the run was interrupted. */
  readonly interrupted = new Set<string>();
  /** Ids of the probes whose runs were displaced: requests that should be refused had used up the budget. */
  readonly displacedRuns = new Set<string>();
  readonly #target: Target;
  readonly #sender: Sender;
  readonly #total: number;
  readonly #options: RunOptions;
  readonly #limit: number;
  readonly #begun = new Set<string>();
  /** Number of requests that were given to the sender. */
  #requestCount = 0;

  /**
   * @param total - Number of planned requests, for the progress.
   * @param limit - Number of requests that may be sent, those that are sent again included.
   */
  constructor(target: Target, sender: Sender, total: number, limit: number, options: RunOptions) {
    this.#target = target;
    this.#sender = sender;
    this.#total = total;
    this.#limit = limit;
    this.#options = options;
  }

  /** Sends probes. The first one goes alone: when it finds no connection, the others are not sent. */
  async sendAll([first, ...others]: readonly Probe[]): Promise<void> {
    if (!first) return;
    const exchange = await this.send(first);
    if (exchange?.failure?.code === "unreachable") throw unreachable(this.#target, exchange.failure.message);
    const secure = exchange && secureAddress(exchange);
    if (secure !== undefined) {
      const redirected = `the target redirects http to ${secure}`;
      throw new SuiteError("usage", `${redirected}; use that address`);
    }
    for (const isLast of [false, true]) {
      const probes = others.filter(({ last = false }) => last === isLast);
      await Promise.all(listBursts(probes).map((burst) => this.#sendBurst(burst)));
    }
  }

  /** Sends one request; undefined when it was not sent, or was interrupted. */
  async send(probe: Probe): Promise<Exchange | undefined> {
    if (!this.#allows([probe])) return undefined;
    const result = await this.#sender.send(probe, this.#makeEvents(probe));
    await nextTurn();
    return this.#keep(probe, result);
  }

  /** Sends probes again. Their later answers take the place of the earlier ones, which are kept as those of other probes, of open result. */
  async sendAgain(probes: readonly Probe[]): Promise<void> {
    const ids = new Set(probes.map(({ id }) => id));
    for (const [at, exchange] of this.allExchanges.entries()) {
      if (!ids.has(exchange.id)) continue;
      const early: Exchange = { ...exchange, id: `${exchange.id}-early`, expects: "open" };
      this.allExchanges[at] = early;
      if (this.complete.delete(exchange.id)) this.complete.set(early.id, early);
    }
    for (const burst of listBursts(probes)) await this.#sendBurst(burst);
  }

  async #sendBurst(probes: readonly Probe[]): Promise<void> {
    const [only, ...others] = probes;
    if (only && others.length === 0) {
      await this.send(only);
      return;
    }
    if (!this.#allows(probes)) return;
    const results = await this.#sender.sendTogether(
      probes.map((probe) => ({ probe, events: this.#makeEvents(probe) })),
    );
    await nextTurn();
    for (const [at, probe] of probes.entries()) if (results[at]) this.#keep(probe, results[at]);
  }

  /** Counts requests that are about to be sent; false, with the reason of each, when the limit does not allow all of them. */
  #allows(probes: readonly Probe[]): boolean {
    const isWithin = this.#requestCount + this.#sender.retries.length + probes.length <= this.#limit;
    if (isWithin) this.#requestCount += probes.length;
    else for (const { id } of probes) this.unsent.set(id, leftOutReason(this.#limit));
    return isWithin;
  }

  #makeEvents({ id }: Probe): SendEvents {
    const onStart = (): void => {
      this.#begun.add(id);
      this.announce(id);
    };
    return { onStart, onEvent: (events) => this.announce(id, { events }) };
  }

  /** Records the result of a request; undefined when it was not sent, or was interrupted. */
  #keep(probe: Probe, result: SendResult): Exchange | undefined {
    if ("refusal" in result) {
      this.#requestCount -= 1;
      this.unsent.set(probe.id, result.refusal);
      if (result.refusal === interruptedReason) this.interrupted.add(probe.id);
      else if (probe.startsRun && this.#sender.ledger.isDisplaced) this.displacedRuns.add(probe.id);
      return undefined;
    }
    const { exchange } = result;
    this.allExchanges.push(exchange);
    if (exchange.failure?.code === "interrupted" || exchange.response?.end === "interrupted") {
      this.unsent.set(probe.id, interruptedReason);
      this.interrupted.add(probe.id);
      return undefined;
    }
    this.complete.set(probe.id, exchange);
    return exchange;
  }

  /** Shows what is under way: a probe by its id, or an activity during which no request is. */
  announce(activity: string, more: Pick<Progress, "events"> = {}): void {
    const { size: sent } = this.#begun;
    this.#options.onProgress?.({ sent, total: Math.max(this.#total, sent), probe: activity, ...more });
  }
}

/** Groups probes for sending: each by itself, or those of a burst together. */
function listBursts(probes: readonly Probe[]): Probe[][] {
  const bursts: Probe[][] = [];
  for (const probe of probes) {
    const last = bursts.at(-1);
    const before = last?.at(-1);
    const isSameBurst = probe.burst === true && before?.burst === true && before.operation === probe.operation;
    if (isSameBurst) last?.push(probe);
    else bursts.push([probe]);
  }
  return bursts;
}

/** Returns the https origin when a response redirects an http request to the same path over https; undefined otherwise. */
function secureAddress({ url, response }: Exchange): string | undefined {
  if (!response || response.status < 300 || response.status >= 400) return undefined;
  const from = URL.parse(url);
  const location = header(response, "location");
  const to = location === undefined ? null : URL.parse(location, url);
  const isSame = from?.protocol === "http:" && to?.protocol === "https:" && from.pathname === to.pathname;
  return isSame ? to.origin : undefined;
}

function unreachable(target: Target, message: string): SuiteError {
  return new SuiteError(
    "unreachable",
    `no connection to ${target.baseUrl} (${message}); is the server running, and is the address right?`,
  );
}
