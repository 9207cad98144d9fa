import type { ConnectOverCDPTransport } from "playwright-core";
import { isFields, textOf, type Fields } from "../devtools/message.ts";

/** Lets a page load that was made to wait for whoever attaches to it. */
const resume = "Runtime.runIfWaitingForDebugger";

/** How long a page is made to wait for its answers, in milliseconds: one that can't give them is not kept from loading. */
const longestWaitMs = 2_000;

/** A page that waits for the driver. */
interface Start {
  /** Commands that the driver has sent to it before it lets it load, and that have no answer. */
  readonly unanswered: Set<number>;
  /** Sends the command that lets it load; undefined: the driver has not sent it yet. */
  load?: (() => void) | undefined;
  timer?: NodeJS.Timeout;
}

/**
 * Keeps a new page from loading until it has answered what the driver sent it before. Chromium loads the address of a new page into
 * another frame host than that of its empty beginning, and gives it the switches (`Page.enable`, say) that were answered by then: on a busy machine
 * `Page.frameNavigated` is never sent of a page that loads before, and the driver never tells of that page.
 */
export function withPageStarts(inner: ConnectOverCDPTransport): ConnectOverCDPTransport {
  /** By session. */
  const starts = new Map<string, Start>();

  const load = (sessionId: string): void => {
    const start = starts.get(sessionId);
    starts.delete(sessionId);
    clearTimeout(start?.timer);
    start?.load?.();
  };

  const attached = ({ sessionId, targetInfo, waitingForDebugger }: Fields): void => {
    if (typeof sessionId !== "string" || waitingForDebugger !== true || !isFields(targetInfo)) return;
    const { type, openerId, canAccessOpener } = targetInfo;
    // Opened without a way back (`noopener`), it answers nothing before it may load, and reads all that it was sent first.
    const canAnswer = openerId === undefined || canAccessOpener === true;
    if (type === "page" && canAnswer) starts.set(sessionId, { unanswered: new Set() });
  };

  const detached = ({ sessionId }: Fields): void => {
    const id = textOf(sessionId) ?? "";
    clearTimeout(starts.get(id)?.timer);
    starts.delete(id);
  };

  const answered = (id: number, sessionId: string): void => {
    const start = starts.get(sessionId);
    if (start?.unanswered.delete(id) && start.unanswered.size === 0 && start.load) load(sessionId);
  };

  const transport: ConnectOverCDPTransport = {
    send: (message) => {
      const { id, method, sessionId } = isFields(message) ? message : {};
      const session = textOf(sessionId) ?? "";
      const start = starts.get(session);
      if (!start || start.load) return inner.send(message);
      if (method !== resume) {
        if (typeof id === "number") start.unanswered.add(id);
        return inner.send(message);
      }
      start.load = () => inner.send(message);
      if (start.unanswered.size === 0) load(session);
      else start.timer = setTimeout(() => load(session), longestWaitMs).unref();
    },
    close: () => inner.close(),
  };
  const take = (message: object): void => {
    const { id, method, params, sessionId } = isFields(message) ? message : {};
    if (method === "Target.attachedToTarget" && isFields(params)) attached(params);
    if (method === "Target.detachedFromTarget" && isFields(params)) detached(params);
    if (typeof id === "number" && typeof sessionId === "string") answered(id, sessionId);
    transport.onmessage?.(message);
  };
  const closed = (reason?: string): void => {
    for (const { timer } of starts.values()) clearTimeout(timer);
    starts.clear();
    transport.onclose?.(reason);
  };
  Object.assign(inner, { onmessage: take, onclose: closed });
  return transport;
}
