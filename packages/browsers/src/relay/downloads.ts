import { asText, type CommandError, type Fields, invalidParams, refusal } from "../devtools/message.ts";

/** Longest file name in a message, in characters. */
const maxNameCharacters = 200;
/** Most downloads that are tracked. */
const maxKnown = 256;

/** Event of a download of the session, as its clients receive it. */
export type DownloadEvent =
  | { readonly method: "downloadWillBegin"; readonly params: Fields & { readonly guid: string } }
  | {
      readonly method: "downloadProgress";
      readonly params: Fields & { readonly guid: string };
      /** True for the last event of a download. */
      readonly isFinal: boolean;
      /**
       * Reason for which it was not kept, for the log of its page; undefined while it is in progress, when it is kept, and when its page
       * or client has canceled it.
       */
      readonly reason?: string | undefined;
    };

/** Downloads of a session. */
export interface DownloadFeed {
  /** Calls back with what happens from now on; returns a function that ends it. */
  watch(listener: (event: DownloadEvent) => void): () => void;
  /** Cancels a download; returns false for one that is not under way. */
  cancel(guid: string): boolean;
}

/** Sends an event to the client, on a session; undefined for the connection itself. */
type SendEvent = (sessionId: string | undefined, method: string, params: Fields) => void;

/** Source of the reports of a download. */
interface Source {
  /** Sessions with pages that report it. */
  readonly sessions: Set<string>;
  /** Its name. */
  name: string;
}

const behaviors: ReadonlySet<unknown> = new Set(["deny", "allow", "allowAndName", "default"]);

/**
 * Reports the session's downloads to one client. The session keeps them, whatever folder the client names: that would be on the machine of
 * the browser. A download is completed for the client when the session has it. A client that denies downloads cancels
 * those that begin while it is connected.
 */
export class Downloads {
  readonly #feed: DownloadFeed | undefined;
  readonly #sendEvent: SendEvent;
  readonly #unwatch: () => void;
  /** Sessions with download events enabled. */
  readonly #listeners = new Set<string | undefined>();
  /** Sessions with the `Log` domain enabled. */
  readonly #logs = new Set<string>();
  /** Sessions that deny downloads. */
  readonly #denying = new Set<string | undefined>();
  readonly #sources = new Map<string, Source>();

  constructor(feed: DownloadFeed | undefined, sendEvent: SendEvent) {
    this.#feed = feed;
    this.#sendEvent = sendEvent;
    this.#unwatch = feed?.watch((event) => this.#onFeed(event)) ?? ((): void => {});
  }

  /**
   * Handles `setDownloadBehavior`, which is never sent to Chromium: that would change where the session keeps its files, and reset that as
   * soon as this client disconnects. Returns the error, or undefined.
   */
  setBehavior(method: string, params: Fields, sessionId: string | undefined): CommandError | undefined {
    const { behavior, downloadPath, eventsEnabled } = params;
    if (!behaviors.has(behavior))
      return invalidParams("Invalid parameters: behavior is deny, allow, allowAndName or default");
    if ((behavior === "allow" || behavior === "allowAndName") && typeof downloadPath !== "string")
      return invalidParams("downloadPath not provided");
    if (method === "Browser.setDownloadBehavior") {
      if (eventsEnabled === true) this.#listeners.add(sessionId);
      else this.#listeners.delete(sessionId);
    }
    if (behavior === "deny") this.#denying.add(sessionId);
    else this.#denying.delete(sessionId);
    return undefined;
  }

  /** Handles `Browser.cancelDownload`. Returns the error, or undefined. */
  cancel(guid: unknown): CommandError | undefined {
    const isCanceled = this.#feed?.cancel(asText(guid) ?? "") ?? false;
    return isCanceled ? undefined : refusal("No download item found for the given GUID");
  }

  /** Tracks `Log.enable` and `Log.disable`. */
  onCommand(method: string, sessionId: string): void {
    if (method === "Log.enable") this.#logs.add(sessionId);
    if (method === "Log.disable") this.#logs.delete(sessionId);
  }

  /** Handles an event of a page. Returns whether the client gets it as it is: the last one of a download is the session's. */
  onEvent(method: string, { guid, suggestedFilename, state }: Fields, sessionId: string): boolean {
    const source = this.#findSource(asText(guid) ?? "");
    source.sessions.add(sessionId);
    if (method === "Page.downloadWillBegin") source.name = asText(suggestedFilename) ?? "";
    return this.#feed === undefined || method !== "Page.downloadProgress" || state === "inProgress";
  }

  /** Handles the end of a session. */
  onDetached(sessionId: string): void {
    this.#listeners.delete(sessionId);
    this.#denying.delete(sessionId);
    this.#logs.delete(sessionId);
  }

  /** Handles the end of the connection. */
  end(): void {
    this.#unwatch();
  }

  #onFeed(event: DownloadEvent): void {
    const { method, params } = event;
    const isBegin = method === "downloadWillBegin";
    for (const listener of this.#listeners) this.#sendEvent(listener, `Browser.${method}`, params);
    if (isBegin && this.#denying.size > 0) this.#feed?.cancel(params.guid);
    if (isBegin || !event.isFinal) return;
    const source = this.#sources.get(params.guid);
    this.#sources.delete(params.guid);
    for (const sessionId of source?.sessions ?? []) {
      this.#sendEvent(sessionId, "Page.downloadProgress", params);
      if (event.reason === undefined || !this.#logs.has(sessionId)) continue;
      const name = JSON.stringify((source?.name ?? "").slice(0, maxNameCharacters));
      const text = `Download of ${name} canceled: ${event.reason}`;
      // oxlint-disable-next-line no-restricted-properties -- the protocol has the time of day
      const entry = { source: "other", level: "error", text, timestamp: Date.now() };
      this.#sendEvent(sessionId, "Log.entryAdded", { entry });
    }
  }

  #findSource(guid: string): Source {
    const known = this.#sources.get(guid);
    if (known) return known;
    const [oldest] = this.#sources.keys();
    if (this.#sources.size >= maxKnown && oldest !== undefined) this.#sources.delete(oldest);
    const source = { sessions: new Set<string>(), name: "" };
    this.#sources.set(guid, source);
    return source;
  }
}
