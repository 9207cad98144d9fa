import type { RecordedAddress } from "./recorded-entry.ts";

/** State of a tab of the session. */
interface RecordedTab {
  /** Its address; undefined if unknown. */
  address: RecordedAddress | undefined;
  /** Number of the last entry that changed its page; undefined if nothing did since the page was opened. */
  changedBy: number | undefined;
  /** Addresses of its history within the range. */
  readonly visited: string[];
  /** Its number in a run of the function; undefined for a tab that the function does not have. */
  number: number | undefined;
}

/** The tabs of a session, and which of them a function has. */
export class RecordedTabs {
  readonly #tabs = new Map<number, RecordedTab>();
  #opened = 0;
  #open = 0;
  /** The tab that a run of the function is in; undefined when a step has to choose it. */
  current: number | undefined;

  /** Returns the state of a tab. */
  get(tab: number): RecordedTab {
    const tabState = this.#tabs.get(tab) ?? {
      address: undefined,
      changedBy: undefined,
      visited: [],
      number: undefined,
    };
    this.#tabs.set(tab, tabState);
    return tabState;
  }

  /** Notes that all tabs may have changed. */
  changeAll(seq: number): void {
    for (const tab of this.#tabs.values()) tab.changedBy = seq;
  }

  /** Adds a tab to those of the function. */
  add(tab: number): void {
    this.#opened += 1;
    this.#open += 1;
    this.get(tab).number = this.#opened;
  }

  /**
   * Removes a closed tab; returns its number in the function, and whether it was the last one; undefined if the function does not have it.
   */
  close(tab: number): { readonly number: number; readonly isLast: boolean } | undefined {
    const { number } = this.get(tab);
    this.#tabs.delete(tab);
    if (number === undefined) return undefined;
    this.#open -= 1;
    if (this.current === tab) this.current = undefined;
    return { number, isLast: this.#open === 0 };
  }
}
