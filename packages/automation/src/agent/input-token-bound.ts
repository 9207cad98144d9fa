/**
 * Estimates an upper bound for the input tokens of a call: the reported tokens of the last call, plus one token for each byte that was not
 * in it.
 */
export class InputTokenBound {
  #sent = new Map<string, number>();
  #lastTokens: number | undefined;
  #lastBytes = 0;

  /** Returns the upper bound for a call with these parts: instructions, tools, messages. */
  estimate(parts: readonly unknown[]): number {
    const earlier = this.#lastTokens === undefined ? undefined : new Map(this.#sent);
    const now = new Map<string, number>();
    let allBytes = 0;
    let newBytes = 0;
    for (const part of parts) {
      const text = JSON.stringify(part);
      const bytes = Buffer.byteLength(text);
      allBytes += bytes;
      const left = earlier?.get(text) ?? 0;
      if (left > 0) earlier?.set(text, left - 1);
      else newBytes += bytes;
      now.set(text, (now.get(text) ?? 0) + 1);
    }
    this.#sent = now;
    // A provider that counts more tokens than bytes does so again.
    const perByte = this.#lastTokens === undefined || this.#lastBytes === 0 ? 1 : this.#lastTokens / this.#lastBytes;
    this.#lastBytes = allBytes;
    if (this.#lastTokens === undefined) return allBytes;
    return perByte > 1 ? Math.ceil(allBytes * perByte) : Math.min(allBytes, this.#lastTokens + newBytes);
  }

  /** Records the input tokens that the provider reported for the last call; undefined if it reported none. */
  recordUsage(inputTokens: number | undefined): void {
    this.#lastTokens = inputTokens;
  }
}
