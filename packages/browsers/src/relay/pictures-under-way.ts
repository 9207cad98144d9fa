import type { Fields } from "../devtools/message.ts";

/** What the browser draws otherwise while it takes a picture for a client: anything, or only the size. */
export type PictureKind = "all" | "sizes";

/** Which kind of picture a command takes; undefined when it takes none. */
function pictureOf(method: string, params: Fields): PictureKind | undefined {
  if (method === "Page.captureScreenshot") return params["captureBeyondViewport"] === true ? "all" : "sizes";
  return method === "Page.printToPDF" ? "sizes" : undefined;
}

/** The commands of one client that take a picture of a page, until they are answered. */
export class PicturesUnderWay {
  readonly #begin: ((kind: PictureKind) => () => void) | undefined;
  /** What ends each, by the number of its command and by the session that it went to: a number may be used in several sessions. */
  readonly #releases = new Map<number, Map<string, () => void>>();

  /** @param begin - Told of each; returns a function that is called when it has been answered. */
  constructor(begin: ((kind: PictureKind) => () => void) | undefined) {
    this.#begin = begin;
  }

  /** A command goes to a page. */
  asked(id: number, sessionId: string, method: string, params: Fields): void {
    const kind = pictureOf(method, params);
    if (!kind || !this.#begin) return;
    const sessions = this.#releases.get(id) ?? new Map<string, () => void>();
    this.#releases.set(id, sessions);
    sessions.get(sessionId)?.();
    sessions.set(sessionId, this.#begin(kind));
  }

  /** A command was answered. The session is only looked up when a picture was asked for with that number. */
  answered(id: number, sessionOf: () => string | undefined): void {
    const sessions = this.#releases.get(id);
    if (!sessions) return;
    const sessionId = sessionOf() ?? "";
    sessions.get(sessionId)?.();
    sessions.delete(sessionId);
    if (sessions.size === 0) this.#releases.delete(id);
  }
}
