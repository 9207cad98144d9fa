import type { Fields } from "./message.ts";

/** What the browser draws otherwise while it takes a picture for a client: anything, or only the size. Source: ours. */
export type PictureKind = "all" | "sizes";

/** Which kind of picture a command takes; undefined when it takes none. */
function pictureOf(method: string, params: Fields): PictureKind | undefined {
  if (method === "Page.captureScreenshot") return params["captureBeyondViewport"] === true ? "all" : "sizes";
  return method === "Page.printToPDF" ? "sizes" : undefined;
}

/** The commands of one client that take a picture of a page, until they are answered. Source: ours. */
export class PicturesUnderWay {
  readonly #begin: ((kind: PictureKind) => () => void) | undefined;
  readonly #releases = new Map<string, () => void>();

  /** @param begin - Told of each; returns a function that is called when it has been answered. */
  constructor(begin: ((kind: PictureKind) => () => void) | undefined) {
    this.#begin = begin;
  }

  /** A command goes to a page. */
  asked(id: number, sessionId: string, method: string, params: Fields): void {
    const kind = pictureOf(method, params);
    if (!kind || !this.#begin) return;
    const key = `${sessionId} ${id}`;
    this.#releases.get(key)?.();
    this.#releases.set(key, this.#begin(kind));
  }

  /** A command was answered. */
  answered(id: unknown, sessionId: string | undefined): void {
    if (this.#releases.size === 0) return;
    const key = `${sessionId} ${String(id)}`;
    this.#releases.get(key)?.();
    this.#releases.delete(key);
  }
}
