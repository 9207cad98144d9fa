import type { BrowserContext, Page, Request, Response } from "playwright-core";
import { DialogsAndDownloads } from "./dialogs-and-downloads.ts";
import { installWatches } from "./ask-documents.ts";

/** A pending request of a session. */
export interface WatchedRequest {
  /** The request. */
  readonly request: Request;
  /**
   * Purpose of its response: `document` opens a page, `data` is shown or stored, `part` belongs to a document; `other` is not waited for.
   */
  readonly kind: "document" | "data" | "part" | "other";
  /** True when a step that acts began it; false for what a document loads, and what began by itself. */
  readonly isOwn: boolean;
  /** True when it repeats by itself. */
  readonly isRepeated: boolean;
  /** Time of its beginning, in milliseconds of `performance.now()`. */
  readonly beganMs: number;
}

/** A request that failed. */
export interface FailedRequest extends WatchedRequest {
  /** Its status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** The network's error; undefined when there was an answer. */
  readonly error: string | undefined;
}

/** Time after the end of a request within which another one to the same address counts as its repetition, in milliseconds. */
const chainMs = 100;
/** Most failures that are kept. */
const maxFailures = 50;

const watches = new WeakMap<BrowserContext, SessionWatch>();

/** Returns the watch of the session that a page belongs to; the first call installs it. */
export async function watchSession(page: Page): Promise<SessionWatch> {
  const context = page.context();
  const watch = watches.get(context) ?? new SessionWatch(context);
  watches.set(context, watch);
  await watch.installed;
  return watch;
}

/** Watches what the pages of a session request, and the dialogs and downloads that they open, for as long as the session exists. */
export class SessionWatch {
  /** Dialogs and downloads. */
  readonly dialogs: DialogsAndDownloads;
  /** Resolves when documents that are opened are watched. */
  readonly installed: Promise<void>;
  /** Time at which the current or last step began to act, in milliseconds of `performance.now()`. */
  actedMs = 0;
  /** Kind of the last step that acted; undefined before the first. */
  manner: "sets" | "leads" | "does" | undefined;
  /** The document before the current or last step, and its texts that showed that it was busy. */
  busyBefore: { readonly document: string | undefined; readonly parts: ReadonlySet<string> } | undefined;
  /** The pages of the session, by the order in which they were opened; those that are closed, too. */
  readonly pages: Page[];
  /** Time of the last request, response or new page, in milliseconds of `performance.now()`. */
  changedMs = performance.now();
  readonly #pending = new Map<Request, WatchedRequest>();
  readonly #failed: FailedRequest[] = [];
  readonly #history = new Map<string, { idleTimes: number; endedMs: number; beganMs: number }>();
  #phase: "idle" | "load" | "act" = "idle";
  /** True once the current step requested a document: later requests belong to that. */
  #hasNavigated = false;

  constructor(context: BrowserContext) {
    this.dialogs = new DialogsAndDownloads(context);
    this.pages = context.pages();
    this.installed = installWatches(context).catch(() => undefined);
    context.on("request", (request) => this.#begin(request));
    context.on("response", (response) => this.#answer(response));
    context.on("requestfinished", (request) => this.#end(request));
    context.on("requestfailed", (request) => this.#fail(request));
    context.on("page", (page) => {
      this.pages.push(page);
      this.#change();
    });
  }

  /** Begins a step: requests from now on are its own, or those of the document that it loads. */
  begin(phase: "load" | "act"): void {
    this.#phase = phase;
    this.#hasNavigated = false;
    this.actedMs = performance.now();
    this.#change();
  }

  /** Ends a step: requests from now on are made by the page itself. */
  idle(): void {
    this.#phase = "idle";
  }

  /** Requests that are pending and don't repeat by themselves, without those that are not waited for. */
  get pending(): readonly WatchedRequest[] {
    return [...this.#pending.values()].filter(({ kind, isRepeated }) => kind !== "other" && !isRepeated);
  }

  /** Requests that repeat by themselves, or were pending before the last step began. */
  get ongoing(): readonly WatchedRequest[] {
    return [...this.#pending.values()].filter(({ isRepeated }) => isRepeated);
  }

  /** Requests that failed since the last call of `takeFailed`. */
  get failed(): readonly FailedRequest[] {
    return this.#failed;
  }

  /** Returns the requests that failed since the last call. */
  takeFailed(): readonly FailedRequest[] {
    return this.#failed.splice(0);
  }

  /** Forgets pending requests that were reported. */
  forget(requests: readonly WatchedRequest[]): void {
    for (const { request } of requests) this.#pending.delete(request);
  }

  #change(): void {
    this.changedMs = performance.now();
  }

  #begin(request: Request): void {
    const now = performance.now();
    const key = buildKey(request);
    const before = this.#history.get(key);
    const follows = before !== undefined && before.beganMs < this.actedMs && now - before.endedMs < chainMs;
    const isRepeated = !request.isNavigationRequest() && ((before?.idleTimes ?? 0) > 1 || follows);
    this.#history.set(key, {
      idleTimes: (before?.idleTimes ?? 0) + (this.#phase === "idle" ? 1 : 0),
      beganMs: isRepeated ? (before?.beganMs ?? now) : now,
      endedMs: before?.endedMs ?? -Infinity,
    });
    const kind = classifyRequest(request);
    const isOwn = this.#phase === "act" && (kind === "document" || !this.#hasNavigated);
    if (kind === "document") this.#hasNavigated = true;
    this.#pending.set(request, { request, kind, isOwn, isRepeated, beganMs: now });
    if (kind !== "other" && !isRepeated) this.#change();
  }

  #answer(response: Response): void {
    const request = response.request();
    const watched = this.#pending.get(request);
    if (!watched) return;
    const { "content-type": type = "", "content-disposition": disposition = "" } = response.headers();
    if (request.isNavigationRequest() && response.ok() && /^\s*attachment/i.test(disposition))
      this.dialogs.downloads.announce();
    if (response.status() >= 400) this.#keep({ ...watched, status: response.status(), error: undefined });
    // What is sent piece by piece goes on for as long as the page is open.
    if (/^(?:text\/event-stream|multipart\/x-mixed-replace|application\/x-ndjson)/i.test(type)) this.#end(request);
  }

  #end(request: Request): void {
    const watched = this.#pending.get(request);
    if (!watched) return;
    this.#pending.delete(request);
    const history = this.#history.get(buildKey(request));
    if (history) this.#history.set(buildKey(request), { ...history, endedMs: performance.now() });
    if (watched.kind !== "other" && !watched.isRepeated) this.#change();
  }

  #fail(request: Request): void {
    const watched = this.#pending.get(request);
    const error = request.failure()?.errorText ?? "";
    // A request is aborted by its page, or because the page has gone.
    if (watched && !/ERR_ABORTED|cancel/i.test(error)) this.#keep({ ...watched, status: undefined, error });
    this.#end(request);
  }

  #keep(failed: FailedRequest): void {
    if (this.#phase === "idle" && failed.isRepeated) return;
    if (this.#failed.length < maxFailures) this.#failed.push(failed);
  }
}

function classifyRequest(request: Request): WatchedRequest["kind"] {
  if (request.isNavigationRequest()) return isMainFrame(request) ? "document" : "part";
  switch (request.resourceType()) {
    case "xhr":
    case "fetch":
      return "data";
    case "document":
    case "script":
    case "stylesheet":
      return "part";
    default:
      return "other";
  }
}

/** Returns whether a request is of the main frame of a page; that of a new page may have none yet. */
export function isMainFrame(request: Request): boolean {
  try {
    return request.frame().parentFrame() === null;
  } catch {
    return request.isNavigationRequest();
  }
}

function buildKey(request: Request): string {
  const url = URL.parse(request.url());
  return `${request.method()} ${url === null ? request.url() : url.origin + url.pathname}`;
}
