import type { BrowserContext, Frame } from "playwright-core";

/** Most origins that are kept; of more than that the oldest are forgotten. */
const maxOrigins = 2_000;

/**
 * Origins of all documents that pages of a context have shown, in any frame: their databases, caches and files stay when a page goes
 * elsewhere, and when a frame is removed.
 */
export class SeenOrigins implements Iterable<string> {
  readonly #origins = new Set<string>();

  /** Starts to listen; documents from before are not known. */
  constructor(context: BrowserContext) {
    context.on("page", (page) => page.on("framenavigated", (frame) => this.#note(frame)));
  }

  /** The origins, such as `https://ferries.example`. */
  [Symbol.iterator](): Iterator<string> {
    return this.#origins.values();
  }

  #note(frame: Frame): void {
    const { origin } = URL.parse(frame.url()) ?? { origin: "null" };
    if (origin === "null") return;
    this.#origins.add(origin);
    const [oldest] = this.#origins;
    if (this.#origins.size > maxOrigins && oldest !== undefined) this.#origins.delete(oldest);
  }
}
