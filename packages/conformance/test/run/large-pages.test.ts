/** Targets whose page is large are judged to the end: with a tenth of a large page, and a tenth of the memory. By default: large-pages.long.test.ts. */
import { expect, test } from "vitest";
import { defaultLimits } from "../../src/http/limits.ts";
import { complaints, followedBy, reportOn, sentence } from "./large-pages.ts";

const tenth = {
  only: ["operation:page_scrape"],
  limits: { maxTotalBytes: defaultLimits.maxTotalBytes / 10, maxBodyBytes: defaultLimits.maxBodyBytes / 10 },
};

test("a page that stays as it is", async () => {
  const text = sentence.repeat(1_000);
  const report = await reportOn(
    followedBy(() => text),
    tenth,
  );
  expect(complaints(report, true)).toEqual([]);
  expect(report.verdict).toBe("conforming");
});
