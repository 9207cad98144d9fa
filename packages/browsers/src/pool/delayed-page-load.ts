import type { DriverMessages } from "../devtools/driver-messages.ts";
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
export function delayPageLoads(
  driver: DriverMessages,
  listHolds: (targetId: string) => readonly Promise<void>[] = () => [],
): void {
  /** Waiting pages by session. */
  const waitingPages = new Map<string, WaitingPage>();

  const forget = (sessionId: string): void => {
    clearTimeout(waitingPages.get(sessionId)?.timer);
    waitingPages.delete(sessionId);
    driver.unfollow(sessionId);
  };

  const load = (sessionId: string): void => {
    const start = waitingPages.get(sessionId);
    forget(sessionId);
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
    if (type === "page") follow(sessionId, { targetId: id, canAnswer, unanswered: new Set() });
  };

  const follow = (sessionId: string, start: WaitingPage): void => {
    waitingPages.set(sessionId, start);
    driver.follow(sessionId, {
      onCommand: (command) => {
        const { id, method } = command;
        if (start.load) return false;
        if (method !== resume) {
          if (typeof id === "number" && start.canAnswer) start.unanswered.add(id);
          return false;
        }
        start.load = () => driver.sendKept(command);
        whenFree(sessionId, start);
        return true;
      },
      onResponse: (id) => {
        if (start.unanswered.delete(id)) loadIfReady(sessionId, start);
      },
    });
  };

  driver.onEvent("Target.attachedToTarget", onAttached);
  driver.onEvent("Target.detachedFromTarget", ({ sessionId }) => forget(asText(sessionId) ?? ""));
  driver.onClose(() => {
    for (const sessionId of waitingPages.keys()) forget(sessionId);
  });
}
