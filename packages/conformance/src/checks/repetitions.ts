import type { Probe } from "../http/probe.ts";

/** A way to repeat a request whose response is already known, such as on a kept-alive connection. */
export interface Repetition {
  /** Last part of the ids of its probes. */
  readonly word: string;
  /** Number of times that a valid read is sent. */
  readonly reads: number;
  /** Number of times that a plain scrape is sent: the first one of a connection has none before it. */
  readonly scrapes: number;
  /** Connection and timing of its requests. */
  readonly sending: Pick<Probe, "connection" | "burst" | "last">;
}

/** On a kept-alive connection that an earlier request used. */
export const onKeptConnection: Repetition = {
  word: "on-kept-connection",
  reads: 1,
  scrapes: 2,
  sending: { connection: "kept" },
};

/** While other requests of the same operation are under way. */
export const inBurst: Repetition = { word: "in-burst", reads: 2, scrapes: 2, sending: { burst: true } };

/** After everything else, the billed runs included. */
export const atTheEnd: Repetition = { word: "at-the-end", reads: 1, scrapes: 1, sending: { last: true } };

/** Returns the names of the repeated requests. */
export const namesAt = ({ word }: Repetition, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${word}${count === 1 ? "" : `-${at + 1}`}`);
