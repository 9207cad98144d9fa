import { expect, test } from "vitest";
import { otherScrapers } from "../relations/relations.ts";
import { anyPageFaults } from "./any-page-faults.ts";
import { judgeOn } from "./target-page.ts";
import { unusualServers } from "./unusual-servers.ts";

test.for(anyPageFaults)("a server that $name fails $check, and nothing else", ({ twist, check, requirement }) => {
  const { checks, requirements } = judgeOn(twist);
  expect({ checks, requirements }).toEqual({ checks: [check], requirements: [requirement] });
});

test.for([...otherScrapers, ...Object.entries(unusualServers)])(
  "a server that is correct gets no finding %s",
  ([, twist]) => {
    expect(judgeOn(twist).checks).toEqual([]);
  },
);
