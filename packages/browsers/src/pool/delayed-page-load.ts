import type { ConnectOverCDPTransport } from "playwright-core";
import { isFields, textOf, type Fields } from "../devtools/message.ts";

/** Command that lets a waiting page load. */
const resume = "Runtime.runIfWaitingForDebugger";

/** Longest delay of a page, in milliseconds: a page that can't respond loads then all the same. */
const maxWaitMs = 2_000;

/** A new page that waits for the driver. */
interface WaitingPage {
  /** Pending commands that the driver sent before it let the page load. */
  readonly unanswered: Set<number>;
  /** Sends the command that lets it load; undefined if the driver has not sent it yet. */
  load?: (() => void) | undefined;
  timer?: NodeJS.Timeout;
}

/**
 * Delays the load of a new page until it has responded to what the driver sent before. Chromium loads the URL of a new page into
 * another frame host than the initial empty document, with the domains (`Page.enable`) that were enabled by then: on a busy machine
 * `Page.frameNavigated` is never sent for a page that loads earlier, and the driver never reports that page.
 */
export function withDelayedPageLoad(inner: ConnectOverCDPTransport): ConnectOverCDPTransport {
  /** By session. */
  const waitingPages = new Map<string, WaitingPage>();

  const load = (sessionId: string): void => {
    const start = waitingPages.get(sessionId);
    waitingPages.delete(sessionId);
    clearTimeout(start?.timer);
    start?.load?.();
  };

  const onAttached = ({ sessionId, targetInfo, waitingForDebugger }: Fields): void => {
    if (typeof sessionId !== "string" || waitingForDebugger !== true || !isFields(targetInfo)) return;
    const { type, openerId, canAccessOpener } = targetInfo;
    // Opened with `noopener`, it does not respond before it may load, and handles all commands before it loads.
    const canAnswer = openerId === undefined || canAccessOpener === true;
    if (type === "page" && canAnswer) waitingPages.set(sessionId, { unanswered: new Set() });
  };

  const onDetached = ({ sessionId }: Fields): void => {
    const id = textOf(sessionId) ?? "";
    clearTimeout(waitingPages.get(id)?.timer);
    waitingPages.delete(id);
  };

  const onAnswered = (id: number, sessionId: string): void => {
    const start = waitingPages.get(sessionId);
    if (start?.unanswered.delete(id) && start.unanswered.size === 0 && start.load) load(sessionId);
  };

  const transport: ConnectOverCDPTransport = {
    send: (message) => {
      const { id, method, sessionId } = isFields(message) ? message : {};
      const session = textOf(sessionId) ?? "";
      const start = waitingPages.get(session);
      if (!start || start.load) return inner.send(message);
      if (method !== resume) {
        if (typeof id === "number") start.unanswered.add(id);
        return inner.send(message);
      }
      start.load = () => inner.send(message);
      if (start.unanswered.size === 0) load(session);
      else start.timer = setTimeout(() => load(session), maxWaitMs).unref();
    },
    close: () => inner.close(),
  };
  const take = (message: object): void => {
    const { id, method, params, sessionId } = isFields(message) ? message : {};
    if (method === "Target.attachedToTarget" && isFields(params)) onAttached(params);
    if (method === "Target.detachedFromTarget" && isFields(params)) onDetached(params);
    if (typeof id === "number" && typeof sessionId === "string") onAnswered(id, sessionId);
    transport.onmessage?.(message);
  };
  const closed = (reason?: string): void => {
    for (const { timer } of waitingPages.values()) clearTimeout(timer);
    waitingPages.clear();
    transport.onclose?.(reason);
  };
  Object.assign(inner, { onmessage: take, onclose: closed });
  return transport;
}
