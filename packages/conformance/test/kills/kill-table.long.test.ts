/**
 * Proves the suite with real servers: each of those that break one sentence is found, and none of those that are correct is
 * blamed. `UPDATE=1` writes the kill table anew.
 */
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRequirements } from "../../src/contract/requirements.ts";
import { checks } from "../../src/run/suite.ts";
import { ownFaults } from "../broken-exchanges/broken-exchanges.ts";
import { theProduct, type Product } from "./product.ts";
import type { Trial } from "./product-table.ts";
import { reasons, whyUnmade } from "./unmade.ts";
import type { Verdict } from "./verdict.ts";
import { pageFaults } from "../pages/faulty-servers/faulty-servers.ts";
import { pictureFaults } from "../recordings/picture-faults.ts";
import { relationFaults } from "../relations/relation-faults.ts";
import { rowsOfTime, rowsOnPages } from "../pages/rows-on-pages.ts";
import { isExact, isFound, killFile, killTable, writeWholeTable, writtenTable } from "../targets/kill-table.ts";
import { correctTargets, everyFault, type Acquittal, type Kill } from "../targets/proofs.ts";
import { proveAll } from "../targets/threads.ts";

let kills: readonly Kill[];
let acquittals: readonly Acquittal[];
let product: Product;
let trials: readonly Trial[];
let onSocket: ReadonlyMap<number, Verdict>;

beforeAll(async () => {
  product = await theProduct();
  const proof = await proveAll((progress) => process.stderr.write(`${progress}\n`));
  ({ acquittals, onSocket } = proof);
  kills = everyFault.map((fault, place) => Object.assign({}, fault, verdictAt(proof.kills, place)));
  trials = product.faults.map((fault, place) => ({ fault, verdict: verdictAt(proof.verdicts, place) }));
}, 3_600_000);

function verdictAt(verdicts: readonly Verdict[], place: number): Verdict {
  const verdict = verdicts[place];
  if (!verdict) throw new Error(`the fault ${place} was not judged`);
  return verdict;
}

/** Describes the failure in words, since the whole report would be long. */
const inWords = ({ fault, verdict }: Trial): string =>
  `${fault.breaker.requirement}: ${fault.breaker.id}, ${fault.circumstance.when}; shown ${verdict.showings} times, named ${[...verdict.by, ...verdict.others].join(", ")}`;

/** Returns the parts of a verdict that do not depend on time: how soon answers come decides whether a request is sent that shows nothing. */
const pickSaid = ({ by, others }: Verdict): Partial<Verdict> => ({ by, others });

describe("sentences in circumstances", () => {
  test("are each broken by a server that has shown its fault", () => {
    expect(trials.length).toBeGreaterThan(0);
    expect(trials.filter(({ verdict }) => verdict.showings === 0).map(inWords)).toEqual([]);
  });

  test("are sentences that there are", () => {
    const ids = new Set(loadRequirements().requirements.map(({ id }) => id));
    expect(trials.map(({ fault }) => fault.breaker.requirement).filter((id) => !ids.has(id))).toEqual([]);
  });

  test("are all found by their requirement", () => {
    expect(trials.filter(({ verdict }) => verdict.by.length === 0).map(inWords)).toEqual([]);
  });

  test("are found by nothing else, 95 of 100 at least", () => {
    const others = trials.filter(({ verdict }) => verdict.others.length > 0).map(inWords);
    expect(others.slice(Math.floor(trials.length * 0.05))).toEqual([]);
  });

  test("are judged alike on a socket", () => {
    expect(onSocket.size).toBeGreaterThan(30);
    const verdicts = trials.map(({ verdict }) => verdict);
    // Which of the requests that are sent together meet on a socket is a matter of time.
    const places = [...onSocket.keys()].filter((place) => trials[place]?.fault.circumstance.id !== "concurrent");
    const others = places.map((place) => verdictAt(verdicts, place));
    const both = places.flatMap((place) => onSocket.get(place) ?? []);
    expect(both.map(pickSaid)).toEqual(others.map(pickSaid));
    expect(both.filter(({ requests }, at) => Math.abs(requests - (others[at]?.requests ?? 0)) > 1)).toEqual([]);
  });

  test("are in every circumstance, or there is a reason why not", () => {
    const unexplained = product.unmade.filter(({ subject, circumstance }) => !whyUnmade(subject, circumstance.id));
    expect(unexplained.map(({ subject, circumstance }) => `${subject}: ${circumstance.when}`)).toEqual([]);
  });

  test("have no reason that does not hold any more", () => {
    const open = new Set(product.unmade.map(({ subject, circumstance }) => `${subject} ${circumstance.id}`));
    const pairs = reasons.flatMap(({ subjects, circumstances }) =>
      subjects.flatMap((subject) => circumstances.map((circumstance) => `${subject} ${circumstance}`)),
    );
    expect(pairs.filter((pair) => !open.has(pair))).toEqual([]);
  });
});

/** Those that have to be found. */
const listPromises = (): Kill[] => kills.filter(({ target }) => target.why === undefined);
const sometimes = (): Kill[] => listPromises().filter(({ target }) => target.when !== undefined);
const always = (): Kill[] => listPromises().filter(({ target }) => target.when === undefined);

describe("faulty targets", () => {
  test("are some whose fault always shows, and some whose fault shows sometimes, each under its own name", () => {
    expect(always()).not.toEqual([]);
    expect(sometimes()).not.toEqual([]);
    expect(new Set(kills.map(({ target }) => target.id)).size).toBe(kills.length);
  });

  test("break sentences that there are", () => {
    const ids = new Set(loadRequirements().requirements.map(({ id }) => id));
    expect(kills.filter(({ target }) => !ids.has(target.requirement))).toEqual([]);
  });

  test("are all found", () => {
    expect(listPromises().filter((kill) => !isFound(kill))).toEqual([]);
  });

  test("are found by exactly the requirement that they break, 95 of 100 at least", () => {
    const others = listPromises().filter((kill) => !isExact(kill));
    expect(others.slice(Math.floor(listPromises().length * 0.05))).toEqual([]);
  });

  test("that show their fault only sometimes are found by exactly their requirement", () => {
    expect(sometimes().filter((kill) => !isExact(kill))).toEqual([]);
  });

  test("that are beyond reach are not found: a reason that does not hold any more has to go", () => {
    expect(kills.filter((kill) => kill.target.why !== undefined && isFound(kill))).toEqual([]);
  });
});

test("every row of the requirements that has checks is named by a finding", () => {
  const ids = new Set([
    ...kills.flatMap(({ requirements }) => requirements),
    ...trials.flatMap(({ verdict }) => verdict.requirements),
    ...acquittals.flatMap(({ warned }) => warned),
    ...rowsOnPages,
    ...rowsOfTime,
  ]);
  const rows = loadRequirements().requirements.filter(({ checks: judges }) => judges.length > 0);
  expect(rows.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
});

test("no correct target gets a finding, and every one conforms", () => {
  expect(acquittals.length).toBe(correctTargets.length);
  expect(acquittals.filter(({ blamed, exitCode }) => blamed.length > 0 || exitCode !== 0)).toEqual([]);
});

/** Checks that need a known page, or a recording, have their faulty servers among those that have pages. */
const onPages = new Set([
  ...[...pageFaults, ...relationFaults].map(({ check }) => check),
  ...pictureFaults.map(({ check }) => `recording/${check}`),
]);

test.for(checks)("$id finds a fault", ({ id }) => {
  const onTarget = [...kills, ...trials.map(({ verdict }) => verdict)].some(({ by }) => by.includes(id));
  expect(onTarget || ownFaults.has(id) || onPages.has(id)).toBe(true);
});

test("the kill table is current", () => {
  const proven = { kills, acquittals, product, tried: trials, checkCount: checks.length };
  writeWholeTable(proven);
  const table = killTable(proven);
  if (process.env["UPDATE"] === "1") writeFileSync(killFile, table);
  const [before, now] = [writtenTable().split("\n"), table.split("\n")];
  expect(before.length, "KILLS.md is not current: run this test with UPDATE=1").toBe(now.length);
  // Not the whole table in the failure: the lines that differ, each beside the other.
  const changed = now.flatMap((line, place) => (line === before[place] ? [] : [[before[place], line]]));
  expect(changed, "KILLS.md is not current: run this test with UPDATE=1").toEqual([]);
});
