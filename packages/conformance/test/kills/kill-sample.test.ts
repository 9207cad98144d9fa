/** A few of the faults of the kill table, others whenever the table grows; all of them are in kill-table.long.test.ts. */
import { expect, test } from "vitest";
import { Random } from "../../src/checks/generation/random.ts";
import { theProduct } from "./product.ts";
import { verdictOn } from "./verdict.ts";

const { faults } = await theProduct();
const sample = new Random(faults.length).shuffled(faults).slice(0, 12);

test.for(sample.map((fault) => [fault.breaker.requirement, fault.breaker.id, fault.circumstance.when, fault] as const))(
  "%s: a server of the kind %s, %s, is found by its requirement",
  async ([, , , fault]) => {
    const { shown, by } = await verdictOn(fault);
    expect(shown).toBeGreaterThan(0);
    expect(by).not.toEqual([]);
  },
);
