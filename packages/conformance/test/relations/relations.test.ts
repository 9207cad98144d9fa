/**
 * Relations between scrapes of one page. Each is violated by a server that meets every single requirement, and by no correct
 * server. The tests of all these servers, by the checks of pages, too, are in relations.long.test.ts.
 */
import { beforeAll, expect, test } from "vitest";
import { relationChecks } from "../../src/checks/relations/relation-checks.ts";
import { everyNth } from "../every-nth.ts";
import { firstOfEachCheck } from "../pages/faulty-servers/faulty-server.ts";
import { relationFaults } from "./relation-faults.ts";
import { consulted, blamed, faultsAlone, judge, openArticle, otherScrapers } from "./relations.ts";

beforeAll(openArticle);

test("every relation sees something on a correct server, and is broken by another one", () => {
  expect(judge({}, relationChecks).passed).toEqual(relationChecks.map(({ id }) => id));
  const broken = relationFaults.map(({ check }) => check);
  expect([...new Set(broken)].sort()).toEqual(relationChecks.map(({ id }) => id).sort());
});

test.for(otherScrapers.slice(0, 2))("a server that is correct gets no finding %s", ([, twist]) => {
  expect(blamed(twist, relationChecks)).toEqual({ checks: [], requirements: [] });
});

test.for(everyNth(firstOfEachCheck(relationFaults), 3))(
  "a server that $name fails $check, and no other relation",
  (fault) => {
    expect(blamed(fault.twist, relationChecks)).toEqual({ checks: [fault.check], requirements: [fault.requirement] });
  },
);

const ofOptions = /scrape_|only_|ignored_tags|selector|placeholders/;

test.for(
  everyNth(
    firstOfEachCheck(faultsAlone).filter(({ check }) => ofOptions.test(check)),
    3,
  ),
)("a server that $name fails $check, and no relation", ({ twist }) => {
  expect(blamed(twist, relationChecks)).toEqual({ checks: [], requirements: [] });
});

test("every check names all that it consults", () => {
  expect(consulted.unnamed).toEqual([]);
});
