import type { Capacity } from "../cluster/capacity.ts";
import type { Peer, Peers } from "../cluster/peers.ts";
import type { Permit } from "../semaphore.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { ServiceError } from "../service-error.ts";
import type { Forwarding } from "./forwarding.ts";

/** Parts that placement needs. */
export interface PlacementParts {
  /** The sessions of this node. */
  readonly sessions: Pick<Sessions, "admit" | "requireQuota" | "reserve" | "queue">;
  /** The other nodes. Default: this process is the whole service. */
  readonly cluster?: ClusterParts | undefined;
}

interface ClusterParts {
  /** The other nodes. */
  readonly peers: Pick<Peers, "roomier" | "isFull" | "whenSeen" | "haveRoom" | "refresh">;
  /** Asks them. */
  readonly forwarding: Pick<Forwarding, "ask" | "isRequestFromNode">;
  /** How much more this node can do. */
  readonly capacity: () => Capacity;
}

/** A request for a session. */
export interface SessionRequest {
  /** As it came; its body has been read. */
  readonly request: Request;
  /** Its body. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Name of the key that asks. */
  readonly key: string | null;
  /** Reads how many sessions that key may have on this node. */
  readonly keyLimit: () => Promise<number>;
  /** How long it may wait, in milliseconds. */
  readonly waitMs: number;
}

/** How often the quota of a key is read while a request of it waits, in milliseconds: its sessions on other nodes may have ended. */
const quotaEveryMs = 1_000;

/**
 * Has sessions created on the node with the most room; on this one when none has more, or none of those takes it. What other nodes have is
 * known as of their last heartbeat. A creation whose answer is lost leaves no session: who creates it sees the connection break off.
 * While all nodes are full, requests wait at this node only.
 */
export class Placement {
  readonly #parts: PlacementParts;

  constructor(parts: PlacementParts) {
    this.#parts = parts;
    parts.cluster?.peers.whenSeen(() => parts.sessions.queue.advance());
  }

  /**
   * Answers a request for a session.
   *
   * @param create - Creates it on this node.
   * @throws {ServiceError} `busy` when no node has room in time; `stopping`, and what `create` throws.
   */
  async answer(asked: SessionRequest, create: (permit: Permit) => Promise<Response>): Promise<Response> {
    const { sessions, cluster } = this.#parts;
    const { request, key, waitMs } = asked;
    const { signal } = request;
    const isFromNode = cluster?.forwarding.isRequestFromNode(request.headers) ?? false;
    let keyLimit = await asked.keyLimit();
    // A node may have come, or told of room, since leases were looked at.
    if (cluster && !isFromNode && cluster.capacity().room === 0 && !cluster.peers.haveRoom)
      await cluster.peers.refresh();
    const claim = (): Permit | Peer => {
      sessions.requireQuota(key, keyLimit);
      const peer = isFromNode ? undefined : cluster?.peers.roomier(cluster.capacity());
      return peer ?? sessions.reserve(key, keyLimit);
    };
    const use = async (place: Permit | Peer): Promise<Response | undefined> => {
      if (!("release" in place)) return this.#createOn(place, asked);
      try {
        return await create(place);
      } catch (error) {
        // Another node was faster with the last session that the key may have.
        const before = keyLimit;
        if (error instanceof ServiceError && error.code === "busy") keyLimit = await asked.keyLimit();
        if (keyLimit >= before) throw error;
        return undefined;
      }
    };
    const readQuota = async (): Promise<void> => {
      const before = keyLimit;
      keyLimit = await asked.keyLimit();
      if (keyLimit > before) sessions.queue.advance();
    };
    // What can't be read now is read the next time.
    const read = (): void => void readQuota().catch(() => undefined);
    const reading = cluster && keyLimit < Infinity ? setInterval(read, quotaEveryMs) : undefined;
    try {
      return await sessions.admit({ key, signal, claim, use, waitMs: isFromNode ? 0 : waitMs });
    } finally {
      clearInterval(reading);
    }
  }

  /** Undefined when the other node takes none, or is not there. */
  async #createOn(peer: Peer, { request, body }: SessionRequest): Promise<Response | undefined> {
    const { cluster } = this.#parts;
    const { url, method, headers, signal } = request;
    const answer = await cluster?.forwarding.ask(peer, new Request(url, { method, headers, signal, body }));
    if (answer && answer.status !== 429 && answer.status !== 503) return answer;
    await answer?.body?.cancel();
    cluster?.peers.isFull(peer);
    return undefined;
  }
}
