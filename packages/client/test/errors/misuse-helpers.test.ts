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
import { valuesOfEachKind } from "./values-of-each-kind.ts";

const values = valuesOfEachKind([5]);

/** A function as a caller without types calls it. */
function untyped(act: unknown): (...given: unknown[]) => unknown {
  if (typeof act !== "function") throw new Error("no function");
  return (...given) => Reflect.apply(act, undefined, given);
}
const url = "https://a.example/";
const playlist = parsePlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n");
const header = (options: unknown) => untyped(toCookieHeader)([], url, options);
const between = (...times: unknown[]) => untyped(segmentsBetween)(playlist, ...times);
const wrong: { name: string; fine: RegExp; call: (value: unknown) => unknown }[] = [
  { name: "options of createSpendLedger", fine: /object|array|function/, call: (value) => untyped(createSpendLedger)(value) },
  { name: "budgetUsd", fine: /^$/, call: (budgetUsd) => untyped(createSpendLedger)({ budgetUsd }) },
  { name: "reserveUsd", fine: /^$/, call: (reserveUsd) => untyped(createSpendLedger)({ reserveUsd }) },
  { name: "options of toCookieHeader", fine: /object|array|function/, call: header },
  { name: "now", fine: /^number$/, call: (now) => header({ now }) },
  { name: "topLevelSite", fine: /^$/, call: (topLevelSite) => header({ topLevelSite }) },
  { name: "the address of toCookieHeader", fine: /^$/, call: (value) => untyped(toCookieHeader)([], value) },
  { name: "the address of fromCookieHeader", fine: /^$/, call: (value) => untyped(fromCookieHeader)("", value) },
  { name: "the header of fromCookieHeader", fine: /string/, call: (value) => untyped(fromCookieHeader)(value, url) },
  { name: "the text of fromCookiesTxt", fine: /string/, call: (value) => untyped(fromCookiesTxt)(value) },
  { name: "the cookies of toCookiesTxt", fine: /array/, call: (value) => untyped(toCookiesTxt)(value) },
  { name: "the cookies of toPlaywrightCookies", fine: /array/, call: (value) => untyped(toPlaywrightCookies)(value) },
  { name: "options of parsePlaylist", fine: /object|array|function/, call: (value) => untyped(parsePlaylist)("#EXTM3U\n#EXT-X-TARGETDURATION:1", value) },
  { name: "baseUrl of parsePlaylist", fine: /^$/, call: (baseUrl) => untyped(parsePlaylist)("", { baseUrl }) },
  { name: "the playlist of segmentsBetween", fine: /^$/, call: (value) => untyped(segmentsBetween)(value, 0, 1) },
  { name: "fromSeconds", fine: /^number$/, call: (value) => between(value, 1) },
  { name: "toSeconds", fine: /^$/, call: (value) => between(0, value) },
]; // prettier-ignore
const rows = wrong.flatMap((row) =>
  values.filter(({ kind }) => !row.fine.test(kind)).map((each) => ({ ...row, ...each })),
);
test.for(rows)("$kind as $name is misuse", ({ call, value }) => {
  expect(() => call(value)).toThrow(expect.objectContaining({ name: "ClientError", code: "misuse" }));
});
