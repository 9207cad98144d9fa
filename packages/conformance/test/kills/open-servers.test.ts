/** Correct servers use everything that the interface leaves open; kill-table.long.test.ts proves that none of them gets a finding. */
import { expect, test } from "vitest";
import { loadRequirements } from "../../src/contract/requirements.ts";
import { openServers } from "./open/open-servers.ts";

const { unspecified } = loadRequirements();
const rows = unspecified.filter(({ observable }) => ["mock", "live"].includes(observable));

test.for(rows)("$id is made use of in two ways by servers that are correct", ({ id }) => {
  expect(openServers.filter(({ row }) => row === id).length).toBeGreaterThanOrEqual(2);
});

test("servers make use of rows that there are, each in its own way", () => {
  const ids = new Set(unspecified.map(({ id }) => id));
  expect(openServers.filter(({ row }) => !ids.has(row))).toEqual([]);
  expect(new Set(openServers.map(({ does }) => does)).size).toBe(openServers.length);
});
