import type { WebSocket } from "ws";
import { type RelayedContext, relaySession } from "@cloud-browser/browsers";
import type { Session } from "./session.ts";

/**
 * Connects a client with the session that it drives, until one of them goes.
 *
 * @param requireLease - Throws while this process may have no sessions. Default: it may.
 */
export function driveSession(client: WebSocket, session: Session, requireLease?: () => void): void {
  const { pooledContext: pooled, activePage } = session;
  const forget = session.addClient(() => client.close(1001, "The session has ended."));
  let hasLocale = false;
  /** Releases of the screenshots under way. */
  const releases = new Set<() => void>();
  client.once("close", () => {
    forget();
    session.control.forget(client);
    for (const release of releases) release();
    if (hasLocale) void pooled.setLocale(undefined);
  });
  session.noteAction();
  const { pageTargets, files } = session;
  let newest = 0;
  const bringToFront = async (targetId: string): Promise<void> => {
    newest += 1;
    const number = newest;
    const page = await pageTargets.findPage(targetId);
    // Of several that the client asks for at once the last one counts, whichever is found first.
    if (page && number === newest) activePage.bringToFront(page);
  };
  relaySession(client, requireLease ? guard(pooled, requireLease) : pooled, {
    onAct: (command) => {
      session.touch();
      return session.control.pass(client, command);
    },
    onAction: () => session.noteAction(),
    onChange: (method, params) => session.history.noteCommand(method, params),
    onUse: () => session.touch(),
    onActivate: bringToFront,
    onScreenshot: (kind) => {
      const release = session.holdForScreenshot(kind);
      releases.add(release);
      return () => {
        releases.delete(release);
        release();
      };
    },
    onClosePage: (targetId) => pageTargets.waitForClose(targetId),
    onClose: () => void session.end("requested"),
    setLocale: (locale) => {
      hasLocale = locale !== undefined;
      return pooled.setLocale(locale);
    },
    onDetach: () => pooled.blockSecurityKeys(),
    ...(files?.downloads && { downloads: files.downloads }),
    ...(files && { uploadAt: files.uploadAt }),
  });
}

/**
 * Refuses commands once this node has lost its lease, and another one may end the session: after a pause of the process a command may come
 * before the loss is noticed.
 */
function guard({ contextId, openChannel }: Session["pooledContext"], requireLease: () => void): RelayedContext {
  return {
    contextId,
    openChannel: async (...options) => {
      const channel = await openChannel(...options);
      return {
        send: (command) => {
          requireLease();
          channel.send(command);
        },
        whenDrained: (due) => channel.whenDrained(due),
        close: () => channel.close(),
      };
    },
  };
}
