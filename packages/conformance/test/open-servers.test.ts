/** What the interface leaves open is made use of by servers that are correct; that none is blamed is in kill-table.long.test.ts. */
import { expect, test } from "vitest";
import { loadRequirements } from "../src/contract/requirements.ts";
import { openServers } from "./kills/open/open-servers.ts";

/** Rows of which no server here can make use: each needs a known page, or is read more strictly than it says. */
const without: Readonly<Record<string, string>> = {
  "open.cookies.null-fields": "Null for a field of a cookie is still called a wrong type.",
};

const { unspecified } = loadRequirements();
const rows = unspecified.filter(({ id, observable }) => ["mock", "live"].includes(observable) && !(id in without));

test.for(rows)("$id is made use of in two ways by servers that are correct", ({ id }) => {
  expect(openServers.filter(({ row }) => row === id).length).toBeGreaterThanOrEqual(2);
});

test("servers make use of rows that there are, each in its own way", () => {
  const known = new Set(unspecified.map(({ id }) => id));
  expect(openServers.filter(({ row }) => !known.has(row))).toEqual([]);
  expect(Object.keys(without).filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(openServers.map(({ does }) => does)).size).toBe(openServers.length);
});
