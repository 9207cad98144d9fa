/** A row of numbers, written in a fixed order; the names are kept from the first row on. */
export class FeatureRow {
  /** The numbers; the next row overwrites them. */
  values = new Float64Array(256);
  /** Names of the features, by index. */
  readonly names: string[] = [];
  #next = 0;

  /** Begins the next row. */
  restart(): void {
    this.#next = 0;
  }

  /** Adds a number; the order of names must be the same in each row. */
  put(name: string, value: number): void {
    if (this.#next === this.names.length) this.names.push(name);
    this.values[this.#next] = value;
    this.#next += 1;
  }
}
