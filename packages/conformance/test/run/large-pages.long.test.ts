/** Targets whose page is large are judged to the end, within the memory that a run has by default. */
import { expect, test } from "vitest";
import { complaints, followedBy, reportOn, sentence } from "./large-pages.ts";

test("a page of a megabyte that stays as it is", async () => {
  const text = sentence.repeat(10_000);
  const report = await reportOn(followedBy(() => text));
  expect(complaints(report, true)).toEqual([]);
  expect(report.verdict).toBe("conforming");
});

test("a page of half a megabyte that is another one each time", async () => {
  let times = 0;
  const text = sentence.repeat(5_000);
  const report = await reportOn(followedBy(() => `${text}${(times += 1)}`));
  expect(complaints(report, false)).toEqual([]);
  expect(report.verdict).toBe("conforming");
});
