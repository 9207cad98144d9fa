import type { MiddlewareHandler } from "hono";
import type { Peers } from "../../cluster/peers.ts";
import type { Runs } from "../../runs/runs.ts";
import type { RunStore } from "../../storage/run-store.ts";
import type { Forwarding } from "./forwarding.ts";

/** Parts that the forwarding of runs needs. */
export interface RunForwardingParts {
  /** The other nodes. */
  readonly peers: Pick<Peers, "findByName">;
  /** Asks them. */
  readonly forwarding: Pick<Forwarding, "ask" | "isRequestFromNode">;
  /** The runs of this one. */
  readonly runs: Pick<Runs, "has">;
  /** Finds the node that has a run. */
  readonly records: Pick<RunStore, "findHost">;
}

/** Paths of one run. */
const ofRun = /^\/control\/runs\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/|$)/;

/**
 * Asks the node that performs a run. This one answers for runs that have ended, and for those whose node can't be reached, with what the
 * store has, which includes their end as soon as another node has written it.
 */
export function forwardRuns({ peers, forwarding, runs, records }: RunForwardingParts): MiddlewareHandler {
  return async (c, next) => {
    const [, id] = ofRun.exec(c.req.path) ?? [];
    if (id === undefined || runs.has(id) || forwarding.isRequestFromNode(c.req.raw.headers)) return next();
    const host = await records.findHost(id);
    const owner = host === undefined ? "own" : await peers.findByName(host.name);
    const answer = typeof owner === "string" ? undefined : await forwarding.ask(owner, c.req.raw);
    return answer ?? next();
  };
}
