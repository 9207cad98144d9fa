import type { RecordedAddress } from "./recorded-entry.ts";

/** What is known of a tab of the session. */
interface RecordedTab {
  /** Where it is; undefined when that is unknown. */
  address: RecordedAddress | undefined;
  /** Number of the entry that last changed its page, since that was opened; undefined for a page as it was opened. */
  changedBy: number | undefined;
  /** Addresses that it was at within the range. */
  readonly visited: string[];
  /** Its number in a run of the function; undefined for one from before the range. */
  number: number | undefined;
}

/** The tabs of a session, and which of them a function has. */
export class RecordedTabs {
  readonly #tabs = new Map<number, RecordedTab>();
  #opened = 0;
  #open = 0;
  /** The tab that a run of the function is in for sure; undefined when it has to be chosen. */
  current: number | undefined;

  /** Returns what is known of a tab. */
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

  /** A tab becomes one of the function. */
  add(tab: number): void {
    this.#opened += 1;
    this.#open += 1;
    this.get(tab).number = this.#opened;
  }

  /** A tab is closed; returns its number in the function, and whether it was the only one; undefined for one that the function does not have. */
  close(tab: number): { readonly number: number; readonly isLast: boolean } | undefined {
    const { number } = this.get(tab);
    this.#tabs.delete(tab);
    if (number === undefined) return undefined;
    this.#open -= 1;
    if (this.current === tab) this.current = undefined;
    return { number, isLast: this.#open === 0 };
  }
}
