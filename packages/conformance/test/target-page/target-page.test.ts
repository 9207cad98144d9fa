/**
 * Relations that hold on the page of the target, whatever that is. Each is violated by a server that does the rest
 * right, and by no correct server. More of these are in target-page.long.test.ts.
 */
import { describe, expect, test } from "vitest";
import { everyNth } from "../every-nth.ts";
import { correctTwists } from "../pages/correct-twists.ts";
import { firstOfEachCheck } from "../pages/faulty-servers/faulty-server.ts";
import { anyPageFaults } from "./any-page-faults.ts";
import { unusualServers } from "./unusual-servers.ts";
import { barePage, checkIds, judgeOn, wholePage } from "./target-page.ts";

describe("a page with text, links, images, a table and a form", () => {
  test("shows something to every check, and every check is broken by a server", () => {
    expect(judgeOn({})).toMatchObject({ checks: [], passed: checkIds, reasons: [] });
    const broken = anyPageFaults.map(({ check }) => check);
    expect([...new Set(broken)].sort()).toEqual([...checkIds].sort());
  });

  test.for(everyNth(firstOfEachCheck(anyPageFaults), 3))(
    "is scraped by a server that $name, which fails $check alone",
    (fault) => {
      const { checks, requirements } = judgeOn(fault.twist);
      expect({ checks, requirements }).toEqual({ checks: [fault.check], requirements: [fault.requirement] });
    },
  );

  test.for(everyNth(Object.entries(unusualServers), 3))(
    "is scraped by a server that %s, without a finding",
    ([, twist]) => {
      expect(judgeOn(twist).checks).toEqual([]);
    },
  );

  test.for(["with underlined headings in capitals, reference links, HTML tables, indented code, wrapped lines"])(
    "is scraped by a server %s, without a finding",
    (name) => {
      expect(judgeOn(correctTwists[name] ?? {})).toMatchObject({ checks: [], passed: checkIds });
    },
  );
});

describe("a page", () => {
  test("without links, images and a table passes no check of these, and says why", () => {
    const { checks, passed, reasons } = judgeOn({ taste: { otherImages: false } }, barePage);
    expect(checks).toEqual([]);
    expect(passed.filter((id) => /links|images|tags|main_/.test(id))).toEqual([
      "page/only_images-leaves-out-content",
      "relations/only_images-excludes",
      "relations/only_images-default",
    ]);
    expect(reasons).toContain("page/scrape_images-true: The page shows no images.");
    expect(reasons).toContain("page/scrape_links-false: The page shows no links.");
    expect(reasons).toContain(
      "relations/scrape_links-default: The page gives the same with another value of `scrape_links`, too.",
    );
  });

  test("that changes during the run is not judged by what it shows, and says why", () => {
    let scrapes = 0;
    const ticking = judgeOn({
      scrape: (answer) => ({ ...answer, markdown: `${(scrapes += 1)}th ${answer.markdown}` }),
    });
    expect(ticking.checks).toEqual([]);
    expect(ticking.passed).toEqual(["page/scrape-status-200", "relations/status-200"]);
    const reason = "The page changed during the run: its plain scrape gave other text at the end.";
    expect([...new Set(ticking.reasons.map((one) => one.slice(one.indexOf(": ") + 2)))]).toEqual([reason]);
  });

  test("that shows nothing is not judged by what it shows", () => {
    expect(judgeOn({}, "<html><body></body></html>")).toMatchObject({
      checks: [],
      passed: ["page/scrape-status-200", "relations/status-200"],
    });
  });

  test("whose scrapes fail shows nothing", () => {
    expect(judgeOn({ scrapeStatus: () => 404 })).toMatchObject({ checks: [], passed: [] });
  });

  test("that shows an address to its readers may show it without links", () => {
    const source = wholePage.replace("what the tide tables say", "https://tides.example/tables?month=6");
    expect(judgeOn({}, source).checks).toEqual([]);
  });
});
