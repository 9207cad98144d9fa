import { expect, test } from "vitest";
import type { Probe } from "../../src/http/probe.ts";
import { listProbes } from "../../src/run/suite.ts";

/** Returns the first and the last place, and the number, of the probes that are so. */
function span(probes: readonly Probe[], is: (probe: Probe) => boolean): { first: number; last: number; count: number } {
  const places = probes.flatMap((probe, at) => (is(probe) ? [at] : []));
  return { first: places[0] ?? -1, last: places.at(-1) ?? -1, count: places.length };
}

const seeds = [1, 2, 7];

test.for(seeds)("the probes of a kept connection follow one another, with seed %i", (seed) => {
  const { first, last, count } = span(listProbes(seed), ({ connection }) => connection === "kept");
  expect(count).toBeGreaterThan(1);
  expect(last - first + 1).toBe(count);
});

test.for(seeds)(
  "repetitions that are sent last follow the billed runs, and nothing else does, with seed %i",
  (seed) => {
    const probes = listProbes(seed);
    const after = probes.slice(span(probes, ({ startsRun }) => startsRun === true).last + 1);
    expect(after.length).toBeGreaterThan(1);
    expect(after.filter(({ last }) => last !== true).map(({ id }) => id)).toEqual([]);
  },
);

test.for(seeds)("no session is scraped for the first time after a billed run, with seed %i", (seed) => {
  const probes = listProbes(seed);
  const { first } = span(probes, ({ startsRun }) => startsRun === true);
  const later = probes.slice(first).filter(({ operation, last }) => operation !== "automation_start" && last !== true);
  expect(first).toBeGreaterThan(0);
  expect(later.map(({ id }) => id)).toEqual([]);
});
