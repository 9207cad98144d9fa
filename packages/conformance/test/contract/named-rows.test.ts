/**
 * Every row of the requirements that has checks can be the one that a finding names: the tables have a server that breaks its sentence.
 * That the findings of each server do name it is proven by kill-table.long.test.ts and by the long tests of `pages`.
 */
import { expect, test } from "vitest";
import { loadReadings } from "../../src/contract/readings.ts";
import { loadRequirements } from "../../src/contract/requirements.ts";
import { checks } from "../../src/run/suite.ts";
import { breakers } from "../kills/breakers.ts";
import { turners } from "./reading-outcomes.ts";
import { rowsOnPages } from "../pages/rows-on-pages.ts";
import { everyFault } from "../targets/proofs.ts";

const kills = everyFault.filter(({ target }) => !("why" in target));

/** Rows of the checks by which a stricter value of a reading decides. */
const ofReadings = turners.flatMap(({ reading, not }) => {
  const value = loadReadings()
    .find(({ id }) => id === reading)
    ?.values.find((one) => one.value === not);
  return checks.filter(({ id }) => value?.checks.includes(id)).flatMap(({ requirements }) => requirements);
});

const broken: ReadonlySet<string> = new Set([
  ...breakers.map(({ requirement }) => requirement),
  ...kills.map(({ target }) => target.requirement),
  ...ofReadings,
  ...rowsOnPages,
]);

test.for(loadRequirements().requirements.filter((row) => row.checks.length > 0))(
  "there is a server that breaks $id",
  ({ id }) => {
    expect(broken).toContain(id);
  },
);
