import { setTimeout as wait } from "node:timers/promises";
import type { RunStore } from "../storage/run-store.ts";
import type { RunEvents, SomeEvents } from "./event-body.ts";
import { recoverTerminalEvent } from "./terminal-events.ts";

/** Interval at which the store is read for a run of another node, in milliseconds. */
const pollMs = 1_000;

/**
 * The events of a run in the store: of one that has ended, and of one whose node can't be reached, as far as that has written
 * them. Waits then until some node has ended it.
 */
export class StoredEvents implements RunEvents {
  readonly #records: Pick<RunStore, "settle" | "readEvents" | "readOutcome">;
  readonly #id: string;

  constructor(records: Pick<RunStore, "settle" | "readEvents" | "readOutcome">, id: string) {
    this.#records = records;
    this.#id = id;
  }

  async readAfter(after: number, bytes: number): Promise<SomeEvents> {
    // First: of a run that has ended already no event comes after those that are read next.
    const record = await this.#records.settle(this.#id);
    if (record === undefined) throw new Error("the record of the run was deleted while it was read");
    const events = await this.#records.readEvents(this.#id, after, bytes);
    if (events.length > 0 || record.ended_ms === null) return { events, outcome: undefined };
    return {
      events,
      outcome: (await this.#records.readOutcome(this.#id)) ?? JSON.stringify(recoverTerminalEvent(record)),
    };
  }

  async waitForMore(): Promise<void> {
    await wait(pollMs, undefined, { ref: false });
  }
}
