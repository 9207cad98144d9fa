import type { Probe } from "../http/probe.ts";

/** A circumstance in which a request is sent once more whose answer is known already. */
export interface Moment {
  /** Last part of the ids of its probes. */
  readonly word: string;
  /** How its requests are sent. */
  readonly sending: Pick<Probe, "connection" | "burst" | "last">;
}

/** On a connection that an earlier request left open. */
export const onKeptConnection: Moment = { word: "on-kept-connection", sending: { connection: "kept" } };

/** While other requests of the same operation are under way. */
export const inBurst: Moment = { word: "in-burst", sending: { burst: true } };

/** After everything else, the billed runs included. */
export const atTheEnd: Moment = { word: "at-the-end", sending: { last: true } };
