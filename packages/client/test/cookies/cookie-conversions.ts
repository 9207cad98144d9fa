import {
  fromCookieHeader,
  fromCookiesTxt,
  fromPlaywrightCookies,
  fromPuppeteerCookies,
  fromToughCookies,
  toCookieHeader,
  toCookiesTxt,
  toPlaywrightCookies,
  toPuppeteerCookies,
  toToughCookies,
} from "../../src/cookies.ts";

/** One conversion, as callers without types see it: they may pass anything. */
export interface Conversion {
  readonly name: string;
  readonly run: (input: never) => unknown;
  readonly takes: "list" | "text";
}

const url = "https://a.example/";

/** All that there are. */
export const conversions: readonly Conversion[] = [
  { name: "toPlaywrightCookies", run: toPlaywrightCookies, takes: "list" },
  { name: "fromPlaywrightCookies", run: fromPlaywrightCookies, takes: "list" },
  { name: "toPuppeteerCookies", run: toPuppeteerCookies, takes: "list" },
  { name: "fromPuppeteerCookies", run: fromPuppeteerCookies, takes: "list" },
  { name: "toToughCookies", run: toToughCookies, takes: "list" },
  { name: "fromToughCookies", run: fromToughCookies, takes: "list" },
  { name: "toCookiesTxt", run: toCookiesTxt, takes: "list" },
  { name: "fromCookiesTxt", run: fromCookiesTxt, takes: "text" },
  { name: "toCookieHeader", run: (input) => toCookieHeader(input, url), takes: "list" },
  { name: "fromCookieHeader", run: (input) => fromCookieHeader(input, url), takes: "text" },
];
