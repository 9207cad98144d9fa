import { type Fields, asText } from "../devtools/message.ts";

/** Longest file name in a message, in characters. */
const maxNameCharacters = 200;
/** Most downloads that are tracked. */
const maxKnown = 256;

const readInPageAdvice =
  "Read the content in the page instead: page.evaluate(async (url) => [...new Uint8Array(await (await fetch(url)).arrayBuffer())], url).";

/** Sends an event to the client, on a session; undefined for the connection itself. */
type SendEvent = (sessionId: string | undefined, method: string, params: Fields) => void;

/**
 * Reports canceled downloads to one client. Chromium cancels every download. A client that enabled download events receives them,
 * with the reason as a log entry of the page; another one gets an error when it enables downloads.
 */
export class Downloads {
  readonly #sendEvent: SendEvent;
  /** Sessions with download events enabled. */
  readonly #listeners = new Set<string | undefined>();
  /** Sessions with the `Log` domain enabled. */
  readonly #logs = new Set<string>();
  /** By download: the session that reported it first. Others with the same page report it, too. */
  readonly #sources = new Map<unknown, string>();

  constructor(sendEvent: SendEvent) {
    this.#sendEvent = sendEvent;
  }

  /**
   * Handles `setDownloadBehavior`, which is never sent to Chromium: that would reset the service's own setting as soon
   * as this client disconnects. Returns the error message, or undefined.
   */
  setBehavior(method: string, { behavior, eventsEnabled }: Fields, sessionId: string | undefined): string | undefined {
    const wantsEvents = method === "Browser.setDownloadBehavior" && eventsEnabled === true;
    if (wantsEvents) this.#listeners.add(sessionId);
    else this.#listeners.delete(sessionId);
    if (wantsEvents || behavior === "deny" || behavior === "default") return undefined;
    return `Downloads are disabled: sessions store no files, and a path would refer to the machine of the browser. Each download is canceled. ${readInPageAdvice} To receive events of canceled downloads, send eventsEnabled: true with Browser.setDownloadBehavior.`;
  }

  /** Tracks `Log.enable` and `Log.disable`. */
  onCommand(method: string, sessionId: string): void {
    if (method === "Log.enable") this.#logs.add(sessionId);
    if (method === "Log.disable") this.#logs.delete(sessionId);
  }

  /** Handles an event of a page. */
  onEvent(method: string, params: Fields, sessionId: string): void {
    if (method !== "Page.downloadWillBegin" && method !== "Page.downloadProgress") return;
    const { guid, suggestedFilename } = params;
    if (!this.#sources.has(guid)) {
      const [oldest] = this.#sources.keys();
      if (this.#sources.size >= maxKnown) this.#sources.delete(oldest);
      this.#sources.set(guid, sessionId);
    }
    if (method === "Page.downloadWillBegin" && this.#logs.has(sessionId)) {
      const name = (asText(suggestedFilename) ?? "").slice(0, maxNameCharacters);
      const text = `Download of ${JSON.stringify(name)} canceled: downloads are disabled. ${readInPageAdvice}`;
      this.#sendEvent(sessionId, "Log.entryAdded", {
        entry: { source: "other", level: "error", text, timestamp: Date.now() },
      });
    }
    if (this.#sources.get(guid) !== sessionId) return;
    for (const listener of this.#listeners) this.#sendEvent(listener, method.replace("Page", "Browser"), params);
  }

  /** Handles the end of a session. */
  onDetached(sessionId: string): void {
    this.#listeners.delete(sessionId);
    this.#logs.delete(sessionId);
  }
}
