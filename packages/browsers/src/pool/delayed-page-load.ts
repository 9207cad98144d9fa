import type { ConnectOverCDPTransport } from "playwright-core";
import { isFields, asText, type Fields } from "../devtools/message.ts";

/** Command that lets a waiting page load. */
const resume = "Runtime.runIfWaitingForDebugger";

/** Longest delay of a page, in milliseconds: a page that can't respond loads then all the same. */
const maxWaitMs = 2_000;

/** Longest delay of a page that a client has not let load yet, in milliseconds. */
const maxHoldMs = 5_000;

/** A new page that waits for the driver. */
interface WaitingPage {
  /** Id of its target. */
  readonly targetId: string;
  /** False for a page that responds to nothing before it may load. */
  readonly canAnswer: boolean;
  /** Pending commands that the driver sent before it let the page load. */
  readonly unanswered: Set<number>;
  /** True when the clients let it load, too. */
  isFree?: boolean;
  /** Sends the command that lets it load; undefined if the driver has not sent it yet. */
  load?: (() => void) | undefined;
  timer?: NodeJS.Timeout;
}

/**
 * Delays the load of a new page until it has responded to the commands that the driver sent before. Chromium loads the URL of a new page
 * into another frame host than the initial empty document, with the domains (`Page.enable`) that were enabled by then: on a busy machine
 * `Page.frameNavigated` is never sent for a page that loads earlier, and the driver never reports that page. It waits for the clients of
 * its session, too: what they want to see, route or change of its first request has to be known by then.
 *
 * @param listHolds - Returns what else a page has to wait for, by its target.
 */
export function withDelayedPageLoad(
  inner: ConnectOverCDPTransport,
  listHolds: (targetId: string) => readonly Promise<void>[] = () => [],
): ConnectOverCDPTransport {
  /** Waiting pages by session. */
  const waitingPages = new Map<string, WaitingPage>();

  const load = (sessionId: string): void => {
    const start = waitingPages.get(sessionId);
    waitingPages.delete(sessionId);
    clearTimeout(start?.timer);
    start?.load?.();
  };

  const loadIfReady = (sessionId: string, start: WaitingPage): void => {
    if (start.load && start.isFree === true && start.unanswered.size === 0) load(sessionId);
  };

  const whenFree = (sessionId: string, start: WaitingPage): void => {
    const holds = listHolds(start.targetId);
    start.isFree = holds.length === 0;
    start.timer = setTimeout(() => load(sessionId), start.isFree ? maxWaitMs : maxHoldMs).unref();
    if (start.isFree) return loadIfReady(sessionId, start);
    void Promise.allSettled(holds).then(() => {
      start.isFree = true;
      if (waitingPages.get(sessionId) === start) loadIfReady(sessionId, start);
    });
  };

  const onAttached = ({ sessionId, targetInfo, waitingForDebugger }: Fields): void => {
    if (typeof sessionId !== "string" || waitingForDebugger !== true || !isFields(targetInfo)) return;
    const { type, targetId, openerId, canAccessOpener } = targetInfo;
    // Opened with `noopener`, it does not respond before it may load, and handles all commands before it loads.
    const canAnswer = openerId === undefined || canAccessOpener === true;
    const id = asText(targetId) ?? "";
    if (type === "page") waitingPages.set(sessionId, { targetId: id, canAnswer, unanswered: new Set() });
  };

  const onDetached = ({ sessionId }: Fields): void => {
    const id = asText(sessionId) ?? "";
    clearTimeout(waitingPages.get(id)?.timer);
    waitingPages.delete(id);
  };

  const onAnswered = (id: number, sessionId: string): void => {
    const start = waitingPages.get(sessionId);
    if (start?.unanswered.delete(id)) loadIfReady(sessionId, start);
  };

  const transport: ConnectOverCDPTransport = {
    send: (message) => {
      const { id, method, sessionId } = isFields(message) ? message : {};
      const session = asText(sessionId) ?? "";
      const start = waitingPages.get(session);
      if (!start || start.load) return inner.send(message);
      if (method !== resume) {
        if (typeof id === "number" && start.canAnswer) start.unanswered.add(id);
        return inner.send(message);
      }
      start.load = () => inner.send(message);
      whenFree(session, start);
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
