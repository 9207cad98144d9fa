import { availableParallelism, loadavg } from "node:os";

/** How much more a node can do. */
export interface Capacity {
  /** How many more sessions it can have, by its limit and by its memory. */
  readonly room: number;
  /** Load average of the last minute per core, in steps of a quarter. */
  readonly load: number;
}

/** Resources of a machine that sessions use. */
export interface NodeRoom {
  /** Memory that this process may still take, in bytes: of the container, where that has a limit. */
  readonly availableBytes: () => number;
  /** Load average of the last minute. */
  readonly running: () => number;
  /** Its cores. */
  readonly cores: number;
}

/** Memory that a session needs, in bytes: more than most, so that what pages do later finds some as well. */
const sessionBytes = 128 * 2 ** 20;

const thisMachine: NodeRoom = {
  availableBytes: () => process.availableMemory(),
  running: () => loadavg()[0] ?? 0,
  cores: availableParallelism(),
};

/**
 * The capacity of this node.
 *
 * @param slots - How many more sessions its limit allows.
 */
export function readCapacity(slots: number, { availableBytes, running, cores }: NodeRoom = thisMachine): Capacity {
  return {
    room: Math.max(0, Math.min(slots, Math.floor(availableBytes() / sessionBytes))),
    load: Math.round((4 * running()) / cores) / 4,
  };
}

/** Returns a function that measures the capacity of this node for further sessions. */
export function measureCapacityFor(sessions: { readonly freeSlots: number }): () => Capacity {
  return () => readCapacity(sessions.freeSlots);
}

/** Returns the weight by which nodes are compared: their room divided by one more than their load per core. */
export function weighCapacity({ room, load }: Capacity): number {
  return room / (1 + load);
}
