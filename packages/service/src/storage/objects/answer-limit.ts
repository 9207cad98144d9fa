/** Least rate at which a large object goes to a store or comes from it, in bytes per millisecond: 64 KiB a second. */
const leastRate = 64;

/** Limits the time until the answer of a store is complete: one may begin to answer and never end, or send a byte now and then. */
export class AnswerLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #baseMs: number;
  #ms = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Begins now.
   *
   * @param baseMs - Time that an answer may take, in milliseconds.
   * @param bytes - Size of what is sent: it may take longer at a rate of 64 KiB a second.
   */
  constructor(baseMs: number, bytes: number) {
    this.#baseMs = baseMs;
    this.#begin(bytes);
  }

  /** Options of a request, which ends with the limit. */
  get options(): { readonly abortSignal: AbortSignal } {
    return { abortSignal: this.#over.signal };
  }

  /** Waits for an answer. @throws {Error} When the time is over; what the request throws. */
  async wait<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { signal } = this.#over;
    const over = Promise.withResolvers<never>();
    const onAbort = (): void => over.reject(this.#makeError());
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([answer, over.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Returns a body with the same bytes, which fails when it is not complete in time; the time begins anew, and is longer for a larger body. */
  watch(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
    clearTimeout(this.#timer);
    this.#begin(bytes);
    const end = (): void => this[Symbol.dispose]();
    const { signal } = this.#over;
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => {
        signal.addEventListener("abort", () => controller.error(this.#makeError()), { once: true });
      },
      flush: end,
    });
    body.pipeTo(watched.writable, { signal }).catch(end);
    return watched.readable;
  }

  /** Ends the request, whether it has been answered or not. */
  abort(): void {
    this[Symbol.dispose]();
    this.#over.abort();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #begin(bytes: number): void {
    this.#ms = this.#baseMs + bytes / leastRate;
    this.#timer = setTimeout(() => this.#over.abort(), this.#ms);
    this.#timer.unref();
  }

  #makeError(): Error {
    return new Error(`its answer was not complete after ${Math.round(this.#ms / 1_000)} s`);
  }
}

/**
 * Refuses an answer that lacks what each store says, such as the tag of an object: it came from something before the store, such as a
 * proxy that asks for a password.
 *
 * @throws {Error} When it is undefined.
 */
export function requireAnswer(value: string | undefined): void {
  if (value === undefined)
    throw new Error("something that is no object store has answered; check the endpoint and proxies");
}
