import type { Fields } from "../devtools/message.ts";

/** Change of the rendering during a client's screenshot: `all` (content and size) or `resized` (only the size). */
export type ScreenshotKind = "all" | "resized";

/** Returns the kind of screenshot that a CDP command takes; undefined if it takes none. */
function screenshotKind(method: string, params: Fields): ScreenshotKind | undefined {
  if (method === "Page.captureScreenshot") return params["captureBeyondViewport"] === true ? "all" : "resized";
  return method === "Page.printToPDF" ? "resized" : undefined;
}

/** Tracks pending screenshot commands of one client. */
export class PendingScreenshots {
  readonly #onScreenshot: ((kind: ScreenshotKind) => () => void) | undefined;
  /** Release functions by command id and CDP session: an id may be used in several sessions. */
  readonly #releases = new Map<number, Map<string, () => void>>();

  /** @param onScreenshot - Called when one begins; returns a function to call when it is done. */
  constructor(onScreenshot: ((kind: ScreenshotKind) => () => void) | undefined) {
    this.#onScreenshot = onScreenshot;
  }

  /** Handles a command to a page. */
  onCommand(id: number, sessionId: string, method: string, params: Fields): void {
    const kind = screenshotKind(method, params);
    if (!kind || !this.#onScreenshot) return;
    const sessions = this.#releases.get(id) ?? new Map<string, () => void>();
    this.#releases.set(id, sessions);
    sessions.get(sessionId)?.();
    sessions.set(sessionId, this.#onScreenshot(kind));
  }

  /** Handles a response. The session is only looked up if a screenshot is pending under that id. */
  onResponse(id: number, findSession: () => string | undefined): void {
    const sessions = this.#releases.get(id);
    if (!sessions) return;
    const sessionId = findSession() ?? "";
    sessions.get(sessionId)?.();
    sessions.delete(sessionId);
    if (sessions.size === 0) this.#releases.delete(id);
  }
}
