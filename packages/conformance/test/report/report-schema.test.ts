import { expect, test } from "vitest";
import reportSchema from "../../src/report/report.schema.json" with { type: "json" };
import { pageNames } from "../../src/target/opened-pages.ts";

// A report of a run with such a page could not be compared, nor pass the gate.
test("a report may name every page that the suite opens a session on", () => {
  const { page } = reportSchema.properties.target.properties.openedSessions.items.properties;
  expect(page.enum).toEqual(pageNames);
});
