import type { Fields } from "../devtools/message.ts";

/** Part of the page that the browser draws differently while it takes a screenshot for a client: `all` (content and size) or `resized` (only the size). */
export type ScreenshotKind = "all" | "resized";

/** Returns which kind of screenshot a CDP command takes; undefined when it takes none. */
function screenshotKind(method: string, params: Fields): ScreenshotKind | undefined {
  if (method === "Page.captureScreenshot") return params["captureBeyondViewport"] === true ? "all" : "resized";
  return method === "Page.printToPDF" ? "resized" : undefined;
}

/** Tracks the commands of one client that take a screenshot, until they are answered. */
export class PendingScreenshots {
  readonly #onScreenshot: ((kind: ScreenshotKind) => () => void) | undefined;
  /** Functions that release each, by the id of its command and by its CDP session: an id may be used in several sessions. */
  readonly #releases = new Map<number, Map<string, () => void>>();

  /** @param onScreenshot - Called when one begins; returns a function that is called when it has been answered. */
  constructor(onScreenshot: ((kind: ScreenshotKind) => () => void) | undefined) {
    this.#onScreenshot = onScreenshot;
  }

  /** A command is sent to a page. */
  onCommand(id: number, sessionId: string, method: string, params: Fields): void {
    const kind = screenshotKind(method, params);
    if (!kind || !this.#onScreenshot) return;
    const sessions = this.#releases.get(id) ?? new Map<string, () => void>();
    this.#releases.set(id, sessions);
    sessions.get(sessionId)?.();
    sessions.set(sessionId, this.#onScreenshot(kind));
  }

  /** A command was answered. The session is only looked up when a screenshot was asked for with that id. */
  onAnswer(id: number, sessionOf: () => string | undefined): void {
    const sessions = this.#releases.get(id);
    if (!sessions) return;
    const sessionId = sessionOf() ?? "";
    sessions.get(sessionId)?.();
    sessions.delete(sessionId);
    if (sessions.size === 0) this.#releases.delete(id);
  }
}
