import * as fc from "fast-check";
import { lastMishap, type History, type Mishap } from "./history.ts";
import { live } from "./live.ts";
import type { Weakness } from "./node.ts";

const moment = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: most * 4 }).map((quarters) => quarters / 4);
const onNode = { at: moment(lastMishap), node: fc.nat(2), for: moment(16) };

const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  fc.record({ kind: fc.constantFrom("pause" as const, "pause" as const, "crash" as const), ...onNode }),
  fc.record({
    kind: fc.constant("cut" as const),
    ...onNode,
    what: fc.constantFrom("requests" as const, "answers" as const),
  }),
  fc.record({
    kind: fc.constant("clock" as const),
    at: moment(lastMishap),
    by: fc.constantFrom(-8, -3, -0.5, 0.5, 3, 8, 60),
  }),
);

/** Histories of two or three nodes; clocks that go up to one percent wrong. */
const histories: fc.Arbitrary<History> = fc.record({
  rates: fc.array(fc.constantFrom(0.99, 1, 1.01), { minLength: 2, maxLength: 3 }),
  mishaps: fc.array(mishap, { maxLength: 6 }),
  delays: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(0.01, 0.02, 0.05) },
      { weight: 2, arbitrary: moment(3) },
      { weight: 1, arbitrary: moment(12) },
    ),
    { minLength: 3, maxLength: 17 },
  ),
});

/** What many histories came to. */
export interface Outcome {
  /** A violation, and the least history that led to it; undefined when there was none. */
  readonly violation: string | undefined;
  /** How many leases were revoked by other nodes, and lost by their holders, in all. */
  readonly revoked: number;
  readonly lost: number;
}

/** Lives through random histories until one of them violates what a lease promises. */
export async function liveThrough(numRuns: number, seed: number, weakness?: Weakness): Promise<Outcome> {
  const counts = { revoked: 0, lost: 0 };
  const property = fc.asyncProperty(histories, async (history) => {
    const { violations, revoked, lost } = await live(history, weakness);
    counts.revoked += revoked;
    counts.lost += lost;
    return violations.length === 0;
  });
  const { failed, counterexample, error } = { error: undefined, ...(await fc.check(property, { numRuns, seed })) };
  if (!failed) return { violation: undefined, ...counts };
  const [history] = counterexample ?? [];
  const violations = history ? (await live(history, weakness)).violations : [String(error)];
  return { violation: `${violations[0]}\n${JSON.stringify(history)}`, ...counts };
}
