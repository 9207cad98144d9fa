import { beforeAll, expect, test } from "vitest";
import { relationChecks } from "../../src/checks/relations/relation-checks.ts";
import { relationFaults } from "./relation-faults.ts";
import { consulted, blamed, faultsAlone, openArticle, otherScrapers } from "./relations.ts";

beforeAll(openArticle);

test.for(otherScrapers)("a server that is correct gets no finding %s", ([, twist]) => {
  expect(blamed(twist)).toEqual({ checks: [], requirements: [] });
});

test.for(relationFaults)("a server that $name fails $check, and nothing else", ({ twist, check, requirement }) => {
  expect(blamed(twist)).toEqual({ checks: [check], requirements: [requirement] });
});

test.for(faultsAlone)("a server that $name fails $check, and no relation", ({ twist }) => {
  expect(blamed(twist, relationChecks)).toEqual({ checks: [], requirements: [] });
});

test("every check names all that it consults", () => {
  expect(consulted.unnamed).toEqual([]);
});
