// oxlint-disable oxc/no-map-spread, unicorn/consistent-function-scoping -- tables are made of tables
import { expect, test } from "vitest";
import {
  fromCookieHeader,
  fromCookiesTxt,
  toCookieHeader,
  toCookiesTxt,
  toPlaywrightCookies,
} from "../../src/cookies.ts";
import { createSpendLedger } from "../../src/index.ts";
import { parsePlaylist, segmentsBetween } from "../../src/replay.ts";
import { listValuesOfEachKind } from "./values-of-each-kind.ts";

const values = listValuesOfEachKind([5]);

/** A function as a caller without types calls it. */
function dropTypes(act: unknown): (...args: unknown[]) => unknown {
  if (typeof act !== "function") throw new Error("no function");
  return (...args) => Reflect.apply(act, undefined, args);
}
const url = "https://a.example/";
const playlist = parsePlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n");
const header = (options: unknown) => dropTypes(toCookieHeader)([], url, options);
const between = (...times: unknown[]) => dropTypes(segmentsBetween)(playlist, ...times);
const wrong: { name: string; fine: RegExp; call: (value: unknown) => unknown }[] = [
  { name: "options of createSpendLedger", fine: /object|array|function/, call: (value) => dropTypes(createSpendLedger)(value) },
  { name: "budgetUsd", fine: /^$/, call: (budgetUsd) => dropTypes(createSpendLedger)({ budgetUsd }) },
  { name: "reserveUsd", fine: /^$/, call: (reserveUsd) => dropTypes(createSpendLedger)({ reserveUsd }) },
  { name: "options of toCookieHeader", fine: /object|array|function/, call: header },
  { name: "now", fine: /^number$/, call: (now) => header({ now }) },
  { name: "topLevelSite", fine: /^$/, call: (topLevelSite) => header({ topLevelSite }) },
  { name: "the address of toCookieHeader", fine: /^$/, call: (value) => dropTypes(toCookieHeader)([], value) },
  { name: "the address of fromCookieHeader", fine: /^$/, call: (value) => dropTypes(fromCookieHeader)("", value) },
  { name: "the header of fromCookieHeader", fine: /string/, call: (value) => dropTypes(fromCookieHeader)(value, url) },
  { name: "the text of fromCookiesTxt", fine: /string/, call: (value) => dropTypes(fromCookiesTxt)(value) },
  { name: "the cookies of toCookiesTxt", fine: /array/, call: (value) => dropTypes(toCookiesTxt)(value) },
  { name: "the cookies of toPlaywrightCookies", fine: /array/, call: (value) => dropTypes(toPlaywrightCookies)(value) },
  { name: "options of parsePlaylist", fine: /object|array|function/, call: (value) => dropTypes(parsePlaylist)("#EXTM3U\n#EXT-X-TARGETDURATION:1", value) },
  { name: "baseUrl of parsePlaylist", fine: /^$/, call: (baseUrl) => dropTypes(parsePlaylist)("", { baseUrl }) },
  { name: "the playlist of segmentsBetween", fine: /^$/, call: (value) => dropTypes(segmentsBetween)(value, 0, 1) },
  { name: "fromSeconds", fine: /^number$/, call: (value) => between(value, 1) },
  { name: "toSeconds", fine: /^$/, call: (value) => between(0, value) },
]; // prettier-ignore
const rows = wrong.flatMap((row) =>
  values.filter(({ kind }) => !row.fine.test(kind)).map((each) => ({ ...row, ...each })),
);
test.for(rows)("$kind as $name is misuse", ({ call, value }) => {
  expect(() => call(value)).toThrow(expect.objectContaining({ name: "ClientError", code: "misuse" }));
});
