/** Servers that turn on the reading of a sentence get no other finding of the suite, however every other sentence is read. */
import { expect, test } from "vitest";
import { once, collectOutcomes, listOutcomes, turners, listUnexpectedFailures } from "./reading-outcomes.ts";

test.for(turners.map((server) => [server.does, server.reading, server.not, server] as const))(
  "a server that %s conforms until %s is %s",
  async ([, , , { judge, ...turning }]) => {
    const judgedOnce = once(judge);
    expect(await collectOutcomes(turning, judgedOnce)).toEqual(listOutcomes(turning));
    expect(await listUnexpectedFailures(turning, judgedOnce)).toEqual([]);
  },
);
