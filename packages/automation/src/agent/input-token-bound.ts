/**
 * The most tokens that a call can send. Bytes are an upper bound of tokens; what was in the last call too is known more
 * closely: the provider told how many tokens that one had.
 */
export class InputBound {
  #sent = new Map<string, number>();
  #lastTokens: number | undefined;

  /** The most tokens of a call with these parts: instructions, tools, messages. */
  of(parts: readonly unknown[]): number {
    const known = this.#lastTokens === undefined ? undefined : new Map(this.#sent);
    const now = new Map<string, number>();
    let allBytes = 0;
    let newBytes = 0;
    for (const part of parts) {
      const text = JSON.stringify(part);
      const bytes = Buffer.byteLength(text);
      allBytes += bytes;
      const left = known?.get(text) ?? 0;
      if (left > 0) known?.set(text, left - 1);
      else newBytes += bytes;
      now.set(text, (now.get(text) ?? 0) + 1);
    }
    this.#sent = now;
    return this.#lastTokens === undefined ? allBytes : Math.min(allBytes, this.#lastTokens + newBytes);
  }

  /** Takes what the provider told of the call that was bounded last; undefined when it did not tell. */
  told(inputTokens: number | undefined): void {
    this.#lastTokens = inputTokens;
  }
}
