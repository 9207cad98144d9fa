import type { Capacity } from "../../cluster/capacity.ts";
import type { Peer, Peers } from "../../cluster/peers.ts";
import type { Permit } from "../../semaphore.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { ServiceError } from "../../service-error.ts";
import { askWhileAlive } from "./ask-while-alive.ts";
import type { Forwarding } from "./forwarding.ts";

/** Parts that placement needs. */
export interface PlacementParts {
  /** The sessions of this node. */
  readonly sessions: Pick<Sessions, "admit" | "requireQuota" | "reserve" | "queue" | "leastWaitMs">;
  /** The other nodes. Default: this process is the whole service. */
  readonly cluster?: ClusterParts | undefined;
}

interface ClusterParts {
  /** The other nodes. */
  readonly peers: Pick<
    Peers,
    "findPeerWithMoreRoom" | "markFull" | "markFullForRuns" | "markSilent" | "onUpdate" | "haveRoom" | "refresh"
  >;
  /** Asks them. */
  readonly forwarding: Pick<Forwarding, "ask" | "isAlive" | "isRequestFromNode">;
  /** How much more this node can do. */
  readonly capacity: () => Capacity;
}

/** A request for a session, or for a run, which has one. */
export interface SessionRequest {
  /** As it came; its body has been read. */
  readonly request: Request;
  /** Where another node is asked for it. Default: the address that it has. */
  readonly url?: string;
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
 * Has sessions created on the node with the most room; on this one when none has more, or none of those takes it. Runs are performed by this
 * node, unless it has no room. What other nodes have is known as of their last heartbeat. While all nodes are full, requests wait at this node only.
 */
export class Placement {
  readonly #parts: PlacementParts;

  constructor(parts: PlacementParts) {
    this.#parts = parts;
    parts.cluster?.peers.onUpdate(() => parts.sessions.queue.advance());
  }

  /** Returns whether another node asks: it has chosen this one. */
  isFromNode(request: Request): boolean {
    return this.#parts.cluster?.forwarding.isRequestFromNode(request.headers) ?? false;
  }

  /**
   * Answers a request for a session. A creation whose response is lost leaves no session: the creating node notices the disconnect.
   *
   * @param create - Creates it on this node.
   * @throws {ServiceError} `busy` when no node has room in time; `stopping`, and what `create` throws.
   */
  answer(sessionRequest: SessionRequest, create: (permit: Permit) => Promise<Response>): Promise<Response> {
    const { sessions, cluster } = this.#parts;
    const claim = (keyLimit: number): Permit | Peer => {
      const peer = this.isFromNode(sessionRequest.request)
        ? undefined
        : cluster?.peers.findPeerWithMoreRoom(cluster.capacity());
      return peer ?? sessions.reserve(sessionRequest.key, keyLimit);
    };
    return this.#answer({ ...sessionRequest, isForRun: false }, claim, create, async (peer) => {
      const answer = await this.#createOn(peer, sessionRequest);
      if (!answer) cluster?.peers.markFull(peer);
      return answer ?? undefined;
    });
  }

  /**
   * Answers a request for a run. It is given to another node only if that can't have performed any of it before: one that refuses it is
   * passed over, one that does not answer is not.
   *
   * @param reserve - Takes the slots of a run of this node. @throws {ServiceError} `busy`, `stopping`
   * @param start - Starts it on this node.
   * @throws {ServiceError} As `answer`; `session-unreachable` when another node did not answer.
   */
  answerRun<Slots extends Permit>(
    sessionRequest: SessionRequest,
    reserve: (keyLimit: number) => Slots,
    start: (slots: Slots) => Promise<Response>,
  ): Promise<Response> {
    const { cluster } = this.#parts;
    const claim = (keyLimit: number): Slots | Peer => {
      try {
        return reserve(keyLimit);
      } catch (error) {
        const isFull = error instanceof ServiceError && (error.code === "busy" || error.code === "stopping");
        const peer =
          isFull && !this.isFromNode(sessionRequest.request)
            ? cluster?.peers.findPeerWithMoreRoom(noCapacity, true)
            : undefined;
        if (peer) return peer;
        throw error;
      }
    };
    return this.#answer({ ...sessionRequest, isForRun: true }, claim, start, async (peer) => {
      // One that has fallen silent is given no run: whether it began that would not be known.
      if (cluster && !(await cluster.forwarding.isAlive(peer))) {
        cluster.peers.markSilent(peer);
        return undefined;
      }
      const answer = await this.#createOn(peer, sessionRequest);
      if (!answer) cluster?.peers.markFullForRuns(peer);
      if (answer === null) throw makeLostError();
      return answer;
    });
  }

  async #answer<Slots extends Permit>(
    sessionRequest: SessionRequest & { readonly isForRun: boolean },
    claimWithin: (keyLimit: number) => Slots | Peer,
    create: (slots: Slots) => Promise<Response>,
    createOn: (peer: Peer) => Promise<Response | undefined>,
  ): Promise<Response> {
    const { sessions, cluster } = this.#parts;
    const { request, key, isForRun, waitMs } = sessionRequest;
    const { signal } = request;
    const isFromNode = this.isFromNode(request);
    let keyLimit = await sessionRequest.keyLimit();
    // A node may have come, or told of room, since leases were looked at.
    if (cluster && !isFromNode && cluster.capacity().room === 0 && !cluster.peers.haveRoom)
      await cluster.peers.refresh();
    const claim = (): Slots | Peer => {
      sessions.requireQuota(key, keyLimit);
      return claimWithin(keyLimit);
    };
    const use = async (place: Slots | Peer): Promise<Response | undefined> => {
      if (!("release" in place)) return createOn(place);
      try {
        return await create(place);
      } catch (error) {
        // Another node was faster with the last session that the key may have.
        const before = keyLimit;
        if (error instanceof ServiceError && error.code === "busy") keyLimit = await sessionRequest.keyLimit();
        if (keyLimit >= before) throw error;
        return undefined;
      }
    };
    const readQuota = async (): Promise<void> => {
      const before = keyLimit;
      keyLimit = await sessionRequest.keyLimit();
      if (keyLimit > before) sessions.queue.advance();
    };
    // What can't be read now is read the next time.
    const tryReadQuota = (): void => void readQuota().catch(() => undefined);
    const reading = cluster && keyLimit < Infinity ? setInterval(tryReadQuota, quotaEveryMs) : undefined;
    const mostMs = isFromNode ? 0 : Math.max(waitMs, sessions.leastWaitMs);
    try {
      return await sessions.admit({ key, isForRun, signal, claim, use, waitMs: mostMs });
    } finally {
      clearInterval(reading);
    }
  }

  /** Asks a node to create a session. Undefined when it refuses; null when it does not answer, and may have created it or not. */
  async #createOn(
    peer: Peer,
    { request, body, url = request.url }: SessionRequest,
  ): Promise<Response | undefined | null> {
    const { cluster } = this.#parts;
    if (!cluster) return undefined;
    const { forwarding, peers } = cluster;
    const { method, headers, signal } = request;
    const answer = await askWhileAlive(
      (silent) => {
        const gone = AbortSignal.any([peer.gone, silent]);
        return forwarding.ask({ url: peer.url, gone }, new Request(url, { method, headers, signal, body }));
      },
      () => forwarding.isAlive(peer),
    );
    if (!answer) peers.markSilent(peer);
    if (answer && answer.status !== 429 && answer.status !== 503) return answer;
    await answer?.body?.cancel();
    return answer ? undefined : null;
  }
}

const noCapacity: Capacity = { room: 0, load: 0 };

const makeLostError = (): ServiceError =>
  new ServiceError("session-unreachable", "the node that was given the run did not answer, and may have begun it");
