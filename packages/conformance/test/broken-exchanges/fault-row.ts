import type { Change } from "../targets/changes.ts";

/** A fault as a row: the check that must see it, the exchange of a conforming server, and the change of its answer. */
export type FaultRow = readonly [check: string, probe: string, change: Change];
