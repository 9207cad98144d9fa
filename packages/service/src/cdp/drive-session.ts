import type { WebSocket } from "ws";
import type { Session } from "../sessions/session.ts";
import { pageOfTarget } from "../sessions/page-target.ts";
import { relaySession } from "./relay-session.ts";

/** Connects a client with the session that it drives, until one of them goes. Source: ours. */
export function driveSession(client: WebSocket, session: Session): void {
  const forget = session.addClient(() => client.close(1001, "The session has ended."));
  client.once("close", forget);
  session.acted();
  relaySession(client, session.space, {
    onAction: () => session.acted(),
    onActivate: (targetId) => void bringToFront(session, targetId),
    onClose: () => void session.end("requested"),
  });
}

async function bringToFront({ space, activePage }: Session, targetId: string): Promise<void> {
  const page = await pageOfTarget(space.context, targetId);
  if (page) activePage.bringToFront(page);
}
