import type { MiddlewareHandler } from "hono";
import type { Peers } from "../cluster/peers.ts";
import type { Forwarding } from "./forwarding.ts";
import { readBytes } from "./json-body.ts";
import { problem } from "./problems.ts";

/** Parts that placement needs. */
export interface PlacementParts {
  /** The other nodes. */
  readonly peers: Pick<Peers, "roomier" | "isFull">;
  /** Asks them. */
  readonly forwarding: Pick<Forwarding, "ask" | "isRequestFromNode">;
  /** How many more sessions this node can have. */
  readonly room: () => number;
}

/**
 * Creates sessions on the node with the most room; on this one when none has more, or none of those takes it. What other nodes have is
 * known as of their last heartbeat. A creation whose answer is lost leaves no session: who creates it sees the connection break off.
 */
export function placeSessions({ peers, forwarding, room }: PlacementParts): MiddlewareHandler {
  return async (c, next) => {
    const { method, path, raw } = c.req;
    if (method !== "POST" || path !== "/control/sessions" || forwarding.isRequestFromNode(raw.headers)) return next();
    let peer = peers.roomier(room());
    if (!peer) return next();
    const body = await readBytes(raw);
    if ("tooLarge" in body) return problem(413, `the body is larger than ${body.tooLarge} bytes`);
    const { url, headers, signal } = raw;
    const asked = (): Request => new Request(url, { method, headers, signal, body });
    for (; peer; peer = peers.roomier(room())) {
      const answer = await forwarding.ask(peer, asked());
      if (answer && answer.status !== 429 && answer.status !== 503) return answer;
      await answer?.body?.cancel();
      peers.isFull(peer);
    }
    c.req.raw = asked();
    await next();
  };
}
