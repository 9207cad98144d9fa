/** A few of the faults of the kill table, others whenever the table grows; all of them are in kill-table.long.test.ts. */
import { expect, test } from "vitest";
import { Random } from "../../src/checks/generation/random.ts";
import { makeProduct, sentences } from "./product.ts";
import { judgeProductFault } from "./verdict.ts";

const random = new Random(sentences.length);
const { faults } = await makeProduct(random.shuffled(sentences).slice(0, 4));
const sample = random.shuffled(faults).slice(0, 6);

test.for(sample.map((fault) => [fault.breaker.requirement, fault.breaker.id, fault.circumstance.when, fault] as const))(
  "%s: a server of the kind %s, %s, is found by its requirement",
  async ([, , , fault]) => {
    const { showings, by } = await judgeProductFault(fault);
    expect(showings).toBeGreaterThan(0);
    expect(by).not.toEqual([]);
  },
);
