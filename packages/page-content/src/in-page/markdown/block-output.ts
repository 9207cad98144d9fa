/** Deepest nesting of lists and quotes; deeper ones are written at this depth. */
const maxNesting = 12;

interface Container {
  /** True when a line was written in it. */
  started: boolean;
  /** Prefix of the first line. */
  readonly first: string;
  /** Prefix of all other lines. */
  readonly rest: string;
}

/** Writes blocks of lines, one below the other, within quotes and list items. */
export class BlockOutput {
  readonly #parts: string[] = [];
  readonly #maxCharacters: number;
  readonly #containers: Container[] = [];
  #characters = 0;
  #gap: "blank" | "line" = "blank";
  #closedList = "";

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** True when the limit is reached; later output is dropped. */
  get full(): boolean {
    return this.#characters >= this.#maxCharacters;
  }

  /** True when the next block is the first of a list item. */
  get atItemStart(): boolean {
    return this.#containers.at(-1)?.started === false;
  }

  /** True while blocks are within a list item or a quote. */
  get nested(): boolean {
    return this.#containers.length > 0;
  }

  /** The marker of the list that ended just before, if nothing is between: the next list needs another one. */
  get closedList(): string {
    return this.#closedList;
  }

  /** Writes a block, after an empty line. */
  write(lines: readonly string[]): void {
    if (this.full || lines.length === 0) return;
    if (this.#parts.length > 0) {
      if (this.#gap === "blank") this.#line(this.#outerPrefix().trimEnd());
    }
    for (const line of lines) this.#line((this.#prefix() + line).replace(/^ +$/, ""));
    this.#gap = "blank";
    this.#closedList = "";
  }

  /** Joins the next block without an empty line. */
  join(): void {
    this.#gap = "line";
  }

  /** Writes blocks with a prefix before each line: a quote. */
  within(prefix: string, write: () => void): void {
    this.#contain({ started: false, first: prefix, rest: prefix }, write);
  }

  /** Writes blocks as one item of a list. Nothing is written of an item without content. */
  item(marker: string, write: () => void): void {
    this.#contain({ started: false, first: `${marker} `, rest: " ".repeat(marker.length + 1) }, write);
  }

  /** Writes blocks as a footnote. */
  note(label: string, write: () => void): void {
    this.#contain({ started: false, first: `[^${label}]: `, rest: "    " }, write);
  }

  /** Number of lines that were written. */
  get lines(): number {
    return this.#parts.length;
  }

  /** Records that a list has ended. */
  closeList(marker: string): void {
    this.#closedList = marker;
    this.#gap = "blank";
  }

  /** All that was written. */
  toString(): string {
    return this.#parts.join("\n");
  }

  #contain(container: Container, write: () => void): void {
    if (this.#containers.length >= maxNesting) return write();
    this.#containers.push(container);
    write();
    this.#containers.pop();
  }

  #prefix(): string {
    let prefix = "";
    for (const container of this.#containers) {
      prefix += container.started ? container.rest : container.first;
      container.started = true;
    }
    return prefix;
  }

  /** Returns the prefix of an empty line before the next block, without prefixes that have not begun. */
  #outerPrefix(): string {
    let prefix = "";
    for (const container of this.#containers) {
      if (!container.started) break;
      prefix += container.rest;
    }
    return prefix;
  }

  #line(line: string): void {
    this.#parts.push(line);
    this.#characters += line.length + 1;
  }
}
