import type { TimelineEntry, TimelineEvent } from "./timeline-event.ts";

/** Most entries of one session, and most bytes of them as JSON. */
export const timelineLimits = { entries: 5_000, bytes: 2 ** 20 } as const;

/** Most entries of what a page does by itself, of every ten seconds: it may change its address at any rate. */
const pageEntries = 50;
const pageSpanMs = 10_000;

/** Entries that are kept beyond the limit: there are few, and what they tell is not told elsewhere. */
const alwaysKept: ReadonlySet<TimelineEvent["kind"]> = new Set([
  "handover",
  "run-started",
  "run-ended",
  "dropped",
  "end",
]);

/**
 * Timeline of a session: its events, in order. Bounded: what comes beyond the limits is counted, and told by an entry. Without a keeper it lives in
 * memory, as long as its session.
 */
export class Timeline {
  readonly #origin: number;
  readonly #entries: TimelineEntry[] = [];
  readonly #onEntry: ((entry: TimelineEntry) => void) | undefined;
  #waiting: string[] | undefined = [];
  #keep: ((line: string) => void) | undefined;
  #bytes = 0;
  #dropped = 0;
  #isFull = false;
  #hasEnded = false;
  #page = { untilMs: -Infinity, count: 0 };

  /**
   * @param ageMs - How long ago the session was created, in milliseconds.
   * @param onEntry - Called with each entry.
   */
  constructor(ageMs = 0, onEntry?: (entry: TimelineEntry) => void) {
    this.#onEntry = onEntry;
    this.#origin = performance.now() - Math.max(0, ageMs);
  }

  /** Its entries until now. */
  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  /** True when entries were left out since the last one, which therefore are told of nowhere. */
  get isFull(): boolean {
    return this.#dropped > 0;
  }

  /** From now on each entry is kept elsewhere, too, beginning with those that there are. */
  keepWith(keep: (line: string) => void): void {
    this.#keep = keep;
    for (const line of this.#waiting ?? []) keep(line);
    this.#waiting = undefined;
  }

  /** The session is not recorded: nothing of it is kept elsewhere. */
  keepNowhere(): void {
    this.#waiting = undefined;
  }

  /**
   * Adds an entry. Does nothing after the end.
   *
   * @param ageMs - How long ago it was, in milliseconds; never before the entry that precedes it.
   */
  record(event: TimelineEvent, ageMs = 0): void {
    if (this.#hasEnded) return;
    const atMs = Math.max(Math.round(performance.now() - this.#origin - ageMs), this.#entries.at(-1)?.at_ms ?? 0);
    if (!this.#admits(event, atMs)) {
      this.#dropped += 1;
      return;
    }
    if (this.#dropped > 0) this.#add({ kind: "dropped", by: "service", count: this.#dropped }, atMs);
    this.#dropped = 0;
    this.#add(event, atMs);
    if (event.kind === "end") this.#hasEnded = true;
  }

  #admits(event: TimelineEvent, atMs: number): boolean {
    if (alwaysKept.has(event.kind)) return true;
    this.#isFull ||= this.#entries.length >= timelineLimits.entries || this.#bytes >= timelineLimits.bytes;
    if (this.#isFull) return false;
    if (event.by !== "page") return true;
    if (atMs >= this.#page.untilMs) this.#page = { untilMs: atMs + pageSpanMs, count: 0 };
    this.#page.count += 1;
    return this.#page.count <= pageEntries;
  }

  #add(event: TimelineEvent, at_ms: number): void {
    const seq = this.#entries.length + 1;
    // Those who read it as it is find the same properties first.
    const entry: TimelineEntry = Object.assign({ seq, at_ms, kind: event.kind, by: event.by }, event);
    const line = JSON.stringify(entry);
    this.#entries.push(entry);
    this.#bytes += Buffer.byteLength(line);
    if (this.#keep) this.#keep(line);
    else this.#waiting?.push(line);
    this.#onEntry?.(entry);
  }
}
