import { isDeepStrictEqual } from "node:util";
import type { Node } from "./document.ts";

/**
 * Effect of a change on the callers of the old contract.
 *
 * `breaking`: a caller that was written for the old contract, and did nothing wrong, can fail. `additive`: it can't, and
 * something new can be done. `documentation`: nothing changes on the wire.
 */
export type ChangeClass = "breaking" | "additive" | "documentation";

/** One difference between two contracts. */
export interface ContractChange {
  /** Effect on the callers of the old contract. */
  readonly class: ChangeClass;
  /** Place of the difference, from the outside inwards: operation, part, media type, field. */
  readonly where: readonly string[];
  /** Description of the change, and for a breaking one the reason why it breaks. */
  readonly what: string;
}

/** Direction of a value: callers send those in a request, and read those in a response. */
export type Direction = "request" | "response";

/** Collects changes; the same one is kept once. */
export class ChangeList {
  /** The changes, in the order in which they were found. */
  readonly changes: ContractChange[] = [];
  readonly #keys = new Set<string>();

  /** Adds a change. */
  add(kind: ChangeClass, where: readonly string[], what: string): void {
    const key = JSON.stringify([kind, where, what]);
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.changes.push({ class: kind, where, what });
  }

  /** Adds a change for each of some fields that differs in two objects. */
  addDiffering(kind: ChangeClass, where: readonly string[], names: Iterable<string>, before: Node, after: Node): void {
    for (const name of new Set(names))
      if (!isDeepStrictEqual(before[name], after[name])) this.add(kind, where, `${name} changed`);
  }

  /** Adds a change that allows less than before: breaking in requests, additive in responses. */
  narrowed(direction: Direction, where: readonly string[], what: string): void {
    this.add(direction === "request" ? "breaking" : "additive", where, what);
  }

  /** Adds a change that allows more than before: additive in requests, breaking in responses. */
  widened(direction: Direction, where: readonly string[], what: string): void {
    this.add(direction === "request" ? "additive" : "breaking", where, what);
  }
}
