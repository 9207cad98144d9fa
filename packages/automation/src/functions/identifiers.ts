const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static super switch this " +
    "throw true try typeof undefined var void while with yield NaN Infinity encodeURIComponent JSON Object Array String Promise"
  ).split(" "),
);

/** Generates unique identifiers for a source file. */
export class IdentifierScope {
  readonly #names: Set<string>;

  /** @param names - Identifiers that are in use already. */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  /** Returns a free identifier derived from the name. */
  take(name: string): string {
    const word = name.replaceAll(/[^\p{ID_Continue}]+/gu, "_").replace(/^(?![\p{ID_Start}_])/u, "_");
    let free = reserved.has(word) || this.#names.has(word) ? `${word}_value` : word;
    for (let number = 2; this.#names.has(free); number += 1) free = `${word}_${number}`;
    this.#names.add(free);
    return free;
  }
}
