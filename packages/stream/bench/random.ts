/** Numbers that look random and are the same in every run. */
export interface Random {
  /** A number from 0 up to, and without, 1. */
  fraction(): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** One of `items`, which has at least one. */
  pick(items: readonly string[]): string;
}

/** Starts the sequence that belongs to `seed` (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1));
  return { fraction, integer, pick: (items) => items[integer(0, items.length - 1)] ?? "" };
}
