import type { CDPSession } from "playwright-core";
import type { DriverMessages } from "../devtools/driver-messages.ts";
import { asText, isFields, type Fields } from "../devtools/message.ts";

/** Download that a page has started. */
export interface BegunDownload {
  /** Its id, a UUID: the name of its file in the folder of the context. */
  readonly guid: string;
  /** Its address. It may have secrets. */
  readonly url: string;
  /** Name that the page or its server suggests. Untrusted. */
  readonly suggestedFilename: string;
  /** Frame that started it. */
  readonly frameId: string;
}

/** Progress of a download. */
export interface PageDownloadState {
  /** Id of the download. */
  readonly guid: string;
  /** Its length, in bytes; 0 while unknown. */
  readonly totalBytes: number;
  /** Bytes received so far; 0 when it was canceled. */
  readonly receivedBytes: number;
  /** State. Chromium does not tell why one is canceled: the page, the network or the disk. */
  readonly state: "inProgress" | "completed" | "canceled";
}

/** Callbacks for the downloads of one context. They must not throw. */
export interface DownloadListener {
  /** Called when a download begins. */
  readonly onBegin: (download: BegunDownload) => void;
  /** Called with the progress of a download, after `onBegin`. */
  readonly onProgress: (progress: PageDownloadState) => void;
}

/** Reports the downloads of a browser to the contexts of their pages. */
export interface DownloadWatch {
  /** Reports the downloads of a context from now on. */
  readonly follow: (contextId: string, listener: DownloadListener) => void;
  /** Must be called when a context is closed. */
  readonly forget: (contextId: string) => void;
}

/**
 * Watches the downloads of a browser. Chromium reports each to every connection, without its context: that is derived from its frame, or
 * from the page that reports it, too.
 *
 * @param onUnknown - Called for a download whose context is not known: it should be canceled, as nobody holds it to limits.
 */
export function watchDownloads(driver: DriverMessages, onUnknown: (guid: string) => void): DownloadWatch {
  const listeners = new Map<string, DownloadListener>();
  /** Target and context of each session. */
  const sessions = new Map<string, { readonly targetId: string; readonly contextId: string }>();
  /** Context and number of sessions of each target, whose id is that of its main frame. */
  const targets = new Map<string, { readonly contextId: string; sessions: number }>();
  /** Context of each download; undefined while it is unknown. */
  const contexts = new Map<string, string | undefined>();

  const onAttached = ({ sessionId, targetInfo }: Fields): void => {
    if (typeof sessionId !== "string" || !isFields(targetInfo)) return;
    const targetId = asText(targetInfo["targetId"]) ?? "";
    const contextId = asText(targetInfo["browserContextId"]);
    if (contextId === undefined) return;
    sessions.set(sessionId, { targetId, contextId });
    targets.set(targetId, { contextId, sessions: (targets.get(targetId)?.sessions ?? 0) + 1 });
  };
  const onDetached = ({ sessionId }: Fields): void => {
    const id = asText(sessionId) ?? "";
    const target = targets.get(sessions.get(id)?.targetId ?? "");
    if (target) target.sessions -= 1;
    if (target?.sessions === 0) targets.delete(sessions.get(id)?.targetId ?? "");
    sessions.delete(id);
  };
  const onBegun = (params: Fields, contextId: string | undefined): void => {
    const begun = readBegun(params);
    if (begun === undefined) return;
    if (contexts.get(begun.guid) !== undefined) return;
    const its = contextId ?? targets.get(begun.frameId)?.contextId;
    contexts.set(begun.guid, its);
    if (its !== undefined) listeners.get(its)?.onBegin(begun);
  };
  const onProgress = (params: Fields): void => {
    const progress = readProgress(params);
    if (!progress || !contexts.has(progress.guid)) return;
    const its = contexts.get(progress.guid);
    if (progress.state !== "inProgress") contexts.delete(progress.guid);
    if (its !== undefined) listeners.get(its)?.onProgress(progress);
    else if (progress.state === "inProgress") onUnknown(progress.guid);
  };

  driver.onEvent("Target.attachedToTarget", onAttached);
  driver.onEvent("Target.detachedFromTarget", onDetached);
  driver.onEvent("Browser.downloadWillBegin", (params, sessionId) => {
    if (sessionId === undefined) onBegun(params, undefined);
  });
  driver.onEvent("Page.downloadWillBegin", (params, sessionId) =>
    onBegun(params, sessions.get(asText(sessionId) ?? "")?.contextId),
  );
  driver.onEvent("Browser.downloadProgress", (params, sessionId) => {
    if (sessionId === undefined) onProgress(params);
  });
  return {
    follow: (contextId, listener) => void listeners.set(contextId, listener),
    forget(contextId) {
      listeners.delete(contextId);
      for (const [guid, its] of contexts) if (its === contextId) contexts.delete(guid);
    },
  };
}

/** Guids of Chromium are UUIDs: nothing else may name a file. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function readBegun({ guid, url, suggestedFilename, frameId }: Fields): BegunDownload | undefined {
  const id = asText(guid);
  if (id === undefined || !uuid.test(id)) return undefined;
  return {
    guid: id,
    url: asText(url) ?? "",
    suggestedFilename: asText(suggestedFilename) ?? "",
    frameId: asText(frameId) ?? "",
  };
}

function readProgress({ guid, totalBytes, receivedBytes, state }: Fields): PageDownloadState | undefined {
  const id = asText(guid);
  if (id === undefined || (state !== "inProgress" && state !== "completed" && state !== "canceled")) return undefined;
  return { guid: id, totalBytes: Number(totalBytes), receivedBytes: Number(receivedBytes), state };
}

/** Cancels a download whose context is not known. */
export function cancelEverywhere(devtools: CDPSession, guid: string): void {
  const canceled = devtools.send("Target.getBrowserContexts").then(async ({ browserContextIds }) => {
    const tries = browserContextIds.map((id) =>
      devtools.send("Browser.cancelDownload", { guid, browserContextId: id }),
    );
    await Promise.allSettled(tries);
  });
  canceled.catch(() => undefined);
}
