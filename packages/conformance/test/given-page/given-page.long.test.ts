import { expect, test } from "vitest";
import { otherScrapers } from "../relations/relations.ts";
import { givenFaults } from "./given-faults.ts";
import { judgedOn } from "./given-page.ts";
import { unusualServers } from "./unusual-servers.ts";

test.for(givenFaults)("a server that $name fails $check, and nothing else", ({ twist, check, requirement }) => {
  const { checks, requirements } = judgedOn(twist);
  expect({ checks, requirements }).toEqual({ checks: [check], requirements: [requirement] });
});

test.for([...otherScrapers, ...Object.entries(unusualServers)])(
  "a server that is correct gets no finding %s",
  ([, twist]) => {
    expect(judgedOn(twist).checks).toEqual([]);
  },
);
