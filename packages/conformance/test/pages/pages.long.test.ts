import { expect, test } from "vitest";
import { correctTwists } from "./correct-twists.ts";
import { collectBlamed, collectComplaints } from "./run-suite.ts";
import { pageFaults } from "./faulty-servers/faulty-servers.ts";

test.for(pageFaults)("a server that $name fails $check, and nothing else", async ({ twist, check, requirement }) => {
  expect(await collectBlamed(twist)).toEqual({ checks: [check], requirements: [requirement] });
});

test.for(Object.entries(correctTwists))("a server gets no finding %s", async ([, twist]) => {
  expect(await collectComplaints(twist)).toEqual({ findings: [], errors: [], verdict: "conforming" });
});

test("every server has a name of its own", () => {
  const names = pageFaults.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
