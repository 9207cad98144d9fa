import type { Probe } from "../http/probe.ts";

/** A circumstance in which a request is sent once more whose answer is known already. */
export interface Moment {
  /** Last part of the ids of its probes. */
  readonly word: string;
  /** Number of times that a valid read is sent. */
  readonly reads: number;
  /** Connection and timing of its requests. */
  readonly sending: Pick<Probe, "connection" | "burst" | "last">;
}

/** On a connection that an earlier request left open. */
export const onKeptConnection: Moment = { word: "on-kept-connection", reads: 1, sending: { connection: "kept" } };

/** While other requests of the same operation are under way. */
export const inBurst: Moment = { word: "in-burst", reads: 2, sending: { burst: true } };

/** After everything else, the billed runs included. */
export const atTheEnd: Moment = { word: "at-the-end", reads: 1, sending: { last: true } };

/** Names of the valid reads at a moment. */
export const readNames = ({ word, reads }: Moment): string[] =>
  Array.from({ length: reads }, (_, at) => `${word}${reads === 1 ? "" : `-${at + 1}`}`);
