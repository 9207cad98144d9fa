import type { PageEvent } from "@cloud-browser/browsers";
import { withoutQueries } from "./without-queries.ts";

/** Most messages, and most failed requests, that are remembered of a session: the newest. */
export const consoleLimit = 200;

/** A message that a page wrote to its console. */
export interface ConsoleLine {
  /** When, in milliseconds from the creation of the session. */
  readonly at_ms: number;
  /** Number of the tab. */
  readonly tab: number;
  /** `log`, `info`, `warning`, `error`, `debug`, and others that pages use. */
  readonly level: string;
  /** Text that was written, without the queries of addresses; at most 2,000 characters. */
  readonly text: string;
  /** Address of the script, without its query; empty when it is unknown. */
  readonly url: string;
  /** Line in it, from 1; 0 when it is unknown. */
  readonly line: number;
}

/** A request of a page that failed. */
export interface FailedPageRequest {
  /** When, in milliseconds from the creation of the session. */
  readonly at_ms: number;
  /** Number of the tab. */
  readonly tab: number;
  /** Its address, without its query. */
  readonly url: string;
  /** Status of the answer; null when there was none. */
  readonly status: number | null;
  /** Error of the network, as `net::ERR_FAILED`; null when there was an answer. */
  readonly error: string | null;
}

type Message = Extract<PageEvent, { kind: "console" }>;
type Failure = Extract<PageEvent, { kind: "failed-request" }>;

/** The newest messages and failed requests of a session, while it lives. What is secret in addresses is left out when they are read. */
export class ConsoleRing {
  readonly #origin: number;
  readonly #messages = new Ring<Message>();
  readonly #failures = new Ring<Failure>();

  /** @param ageMs - How long ago the session was created, in milliseconds. */
  constructor(ageMs = 0) {
    this.#origin = performance.now() - Math.max(0, ageMs);
  }

  /** Adds a message or a failed request. */
  add(event: Message | Failure): void {
    const atMs = Math.round(performance.now() - this.#origin);
    if (event.kind === "console") this.#messages.add(event, atMs);
    else this.#failures.add(event, atMs);
  }

  /** Entries that are remembered, the oldest first, and how many were forgotten. */
  get view(): {
    readonly messages: readonly ConsoleLine[];
    readonly failed_requests: readonly FailedPageRequest[];
    readonly forgotten: number;
  } {
    return {
      messages: this.#messages.all.map(([at_ms, { tab, level, text, url, line }]) => {
        return { at_ms, tab, level, text: withoutQueries(text), url: withoutQueries(url), line };
      }),
      failed_requests: this.#failures.all.map(([at_ms, { tab, url, status, error }]) => {
        return { at_ms, tab, url: withoutQueries(url), status, error };
      }),
      forgotten: this.#messages.forgotten + this.#failures.forgotten,
    };
  }
}

class Ring<Item> {
  readonly #items: (readonly [atMs: number, item: Item])[] = [];
  #next = 0;
  forgotten = 0;

  add(item: Item, atMs: number): void {
    if (this.#items.length === consoleLimit) this.forgotten += 1;
    this.#items[this.#next] = [atMs, item];
    this.#next = (this.#next + 1) % consoleLimit;
  }

  get all(): readonly (readonly [atMs: number, item: Item])[] {
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}
