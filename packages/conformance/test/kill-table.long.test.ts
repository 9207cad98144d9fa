/**
 * Proves the suite with real servers: each of those that break one sentence is found, and none of those that are correct is
 * blamed. `UPDATE=1` writes the kill table anew.
 */
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRequirements } from "../src/contract/requirements.ts";
import { checks } from "../src/run/suite.ts";
import { faults } from "./faults.ts";
import { pageFaults } from "./pages/page-faults.ts";
import { isExact, isFound, killFile, killTable, writtenTable } from "./targets/kill-table.ts";
import type { Acquittal, Kill } from "./targets/proofs.ts";
import { proveAll } from "./targets/threads.ts";

let kills: readonly Kill[];
let acquittals: readonly Acquittal[];

beforeAll(async () => {
  ({ kills, acquittals } = await proveAll());
}, 600_000);

/** Those that have to be found. */
const promised = (): Kill[] => kills.filter(({ why }) => why === undefined);
const sometimes = (): Kill[] => promised().filter(({ when }) => when !== undefined);
const always = (): Kill[] => promised().filter(({ when }) => when === undefined);

describe("faulty targets", () => {
  test("are at least 150 whose fault always shows, and 20 whose fault shows sometimes, each under its own name", () => {
    expect(always().length).toBeGreaterThanOrEqual(150);
    expect(sometimes().length).toBeGreaterThanOrEqual(20);
    expect(new Set(kills.map(({ id }) => id)).size).toBe(kills.length);
  });

  test("break sentences that there are", () => {
    const known = new Set(loadRequirements().requirements.map(({ id }) => id));
    expect(kills.filter(({ requirement }) => !known.has(requirement))).toEqual([]);
  });

  test("are all found", () => {
    expect(promised().filter((kill) => !isFound(kill))).toEqual([]);
  });

  test("are found by exactly the requirement that they break, 95 of 100 at least", () => {
    const others = promised().filter((kill) => !isExact(kill));
    expect(others.slice(Math.floor(promised().length * 0.05))).toEqual([]);
  });

  test("that show their fault only sometimes are found by exactly their requirement", () => {
    expect(sometimes().filter((kill) => !isExact(kill))).toEqual([]);
  });

  test("that are beyond reach are not found: a reason that does not hold any more has to go", () => {
    expect(kills.filter((kill) => kill.why !== undefined && isFound(kill))).toEqual([]);
  });
});

test("no correct target gets a finding, and every one conforms", () => {
  expect(acquittals.length).toBeGreaterThanOrEqual(20);
  expect(acquittals.filter(({ blamed, exitCode }) => blamed.length > 0 || exitCode !== 0)).toEqual([]);
});

/** Checks that need a known page, or a recording, have their faulty servers among those that have pages. */
const onPages = new Set(pageFaults.map(({ check }) => check));

test.for(checks)("$id finds a fault", ({ id }) => {
  const onTarget = kills.some(({ by }) => by.includes(id));
  expect(onTarget || faults.has(id) || onPages.has(id)).toBe(true);
});

test("the kill table is current", () => {
  const table = killTable(kills, checks.length);
  if (process.env["UPDATE"] === "1") writeFileSync(killFile, table);
  expect(writtenTable() === table, "KILLS.md is not current: run this test with UPDATE=1").toBe(true);
});
