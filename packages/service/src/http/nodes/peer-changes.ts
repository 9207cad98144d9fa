import { setInterval as every } from "node:timers/promises";
import { changeKinds, type ChangeKind } from "../../changes/changes.ts";
import { readChanges } from "../../changes/change-stream.ts";
import type { Peer, Peers } from "../../cluster/peers.ts";
import type { Forwarding } from "./forwarding.ts";

/** How often it is looked for nodes whose changes are not followed, in milliseconds. */
const lookMs = 3_000;

/** Follows the changes of all other nodes for one request, until the signal aborts. */
export type FollowPeers = (
  request: Request,
  listener: (kinds: readonly ChangeKind[]) => void,
  signal: AbortSignal,
) => void;

/** Parts of following other nodes. */
export interface PeerChangesParts {
  /** The other nodes. */
  readonly peers: Pick<Peers, "all">;
  /** Asks them. */
  readonly forwarding: Pick<Forwarding, "ask">;
}

/**
 * Has each other node tell its changes, for a request that this one is asked. A node that is new is asked within seconds; one that is lost,
 * or was not reached, may have changed anything.
 */
export function followPeers({ peers, forwarding }: PeerChangesParts): FollowPeers {
  return (request, listener, signal) => {
    const followedPeers = new Set<Peer>();
    const follow = async (peer: Peer): Promise<void> => {
      followedPeers.add(peer);
      const ownRequest = new Request(request.url, { headers: request.headers, signal });
      try {
        const answer = await forwarding.ask(peer, ownRequest);
        if (answer?.ok && answer.body) await readChanges(answer.body, listener);
        else await answer?.body?.cancel();
      } catch {
        // The node is lost, or the reader has gone.
      }
      followedPeers.delete(peer);
      if (!signal.aborted) listener(changeKinds);
    };
    const look = (): void => {
      for (const peer of peers.all) if (!followedPeers.has(peer)) void follow(peer);
    };
    const keepLooking = async (): Promise<void> => {
      look();
      for await (const _ of every(lookMs, undefined, { signal, ref: false })) look();
    };
    keepLooking().catch(() => undefined); // the signal has aborted
  };
}
