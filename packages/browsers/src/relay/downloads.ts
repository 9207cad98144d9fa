import { type Fields, textOf } from "../devtools/message.ts";

/** Longest part of a file's name that a message repeats. */
const longestName = 200;
/** How many downloads are known at a time by the session that told of them first. */
const mostKnown = 256;

const insteadOfFiles =
  "Read the content in the page instead: page.evaluate(async (url) => [...new Uint8Array(await (await fetch(url)).arrayBuffer())], url).";

/** Sends an event to the client, on one of its sessions; undefined: on its connection. */
type Tell = (sessionId: string | undefined, method: string, params: Fields) => void;

/**
 * Downloads of one client. There are none: Chromium cancels each. A client that hears of downloads is told of that when there is one,
 * with the reason among the log entries of the page; one that does not is told when it asks for downloads.
 */
export class Downloads {
  readonly #tell: Tell;
  /** Sessions that hear of downloads. */
  readonly #listeners = new Set<string | undefined>();
  /** Sessions with pages that hear of log entries. */
  readonly #logs = new Set<string>();
  /** By download: the session that told of it first. Others with the same page tell of it, too. */
  readonly #sources = new Map<unknown, string>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /**
   * Handles `setDownloadBehavior`, which never reaches Chromium: that would forget the service's own refusal of downloads as soon
   * as this client leaves. Returns why it is refused, or undefined.
   */
  ask(method: string, { behavior, eventsEnabled }: Fields, sessionId: string | undefined): string | undefined {
    const hears = method === "Browser.setDownloadBehavior" && eventsEnabled === true;
    if (hears) this.#listeners.add(sessionId);
    else this.#listeners.delete(sessionId);
    if (hears || behavior === "deny" || behavior === "default") return undefined;
    return `Downloads are disabled: sessions keep no files, and a path would name a place on the machine of the browser. Each download is canceled. ${insteadOfFiles} To receive events of canceled downloads, send eventsEnabled: true with Browser.setDownloadBehavior.`;
  }

  /** Takes note of a command that switches log entries on or off. */
  note(method: string, sessionId: string): void {
    if (method === "Log.enable") this.#logs.add(sessionId);
    if (method === "Log.disable") this.#logs.delete(sessionId);
  }

  /** Takes an event of a page. */
  take(method: string, params: Fields, sessionId: string): void {
    if (method !== "Page.downloadWillBegin" && method !== "Page.downloadProgress") return;
    const { guid, suggestedFilename } = params;
    if (!this.#sources.has(guid)) {
      const [oldest] = this.#sources.keys();
      if (this.#sources.size >= mostKnown) this.#sources.delete(oldest);
      this.#sources.set(guid, sessionId);
    }
    if (method === "Page.downloadWillBegin" && this.#logs.has(sessionId)) {
      const name = (textOf(suggestedFilename) ?? "").slice(0, longestName);
      const text = `Download of ${JSON.stringify(name)} canceled: downloads are disabled. ${insteadOfFiles}`;
      this.#tell(sessionId, "Log.entryAdded", {
        entry: { source: "other", level: "error", text, timestamp: Date.now() },
      });
    }
    if (this.#sources.get(guid) !== sessionId) return;
    for (const listener of this.#listeners) this.#tell(listener, method.replace("Page", "Browser"), params);
  }

  /** The client is not attached by a session any more. */
  forget(sessionId: string): void {
    this.#listeners.delete(sessionId);
    this.#logs.delete(sessionId);
  }
}
