import type { components } from "@cloud-browser/spec/types";
import type { BrowserContext, BrowserContextOptions } from "playwright-core";
import type { Browser, CookieData, CookieParam } from "puppeteer-core";
import type { Cookie as JarCookie, SerializedCookieJar } from "tough-cookie";
import { expectTypeOf, test } from "vitest";
import {
  fromPlaywrightCookies,
  fromPuppeteerCookies,
  fromToughCookies,
  toPlaywrightCookies,
  type Cookie,
  type CookieLossReason,
  type PlaywrightCookie,
  type PuppeteerCookie,
} from "../../src/cookies.ts";
import type { CookiesResponse } from "../../src/index.ts";

type Given<Method extends (...args: never) => unknown> = Awaited<ReturnType<Method>>;
type Taken<Function extends (...args: never) => unknown> = Parameters<Function>[0];

test("the types say what they should; tsc is the judge", () => {
  expectTypeOf<Cookie>().toEqualTypeOf<components["schemas"]["Cookie"]>();
  expectTypeOf<CookiesResponse>().toExtend<Taken<typeof toPlaywrightCookies>>();
  expectTypeOf<Cookie[]>().toExtend<Taken<typeof toPlaywrightCookies>>();
  expectTypeOf<string>().not.toExtend<Taken<typeof toPlaywrightCookies>>();
  expectTypeOf<{ cookies: Cookie }>().not.toExtend<Taken<typeof toPlaywrightCookies>>();

  expectTypeOf<PlaywrightCookie[]>().toExtend<Taken<BrowserContext["addCookies"]>>();
  expectTypeOf<Given<BrowserContext["cookies"]>>().toExtend<Taken<typeof fromPlaywrightCookies>>();
  expectTypeOf<Given<BrowserContext["storageState"]>>().toExtend<Taken<typeof fromPlaywrightCookies>>();
  expectTypeOf<Taken<BrowserContext["addCookies"]>>().toExtend<Taken<typeof fromPlaywrightCookies>>();
  // A storage state must have a same-site rule, so one has to be chosen where none is known.
  type State = Exclude<BrowserContextOptions["storageState"], string | undefined>;
  expectTypeOf<PlaywrightCookie & { sameSite: "Lax" }>().toExtend<State["cookies"][number]>();

  expectTypeOf<PuppeteerCookie>().toExtend<CookieData>();
  expectTypeOf<PuppeteerCookie>().toExtend<CookieParam>();
  expectTypeOf<Given<Browser["cookies"]>>().toExtend<Taken<typeof fromPuppeteerCookies>>();
  expectTypeOf<CookieData[] | CookieParam[]>().toExtend<Taken<typeof fromPuppeteerCookies>>();

  expectTypeOf<JarCookie[]>().toExtend<Taken<typeof fromToughCookies>>();
  expectTypeOf<ReturnType<JarCookie["toJSON"]>[]>().toExtend<Taken<typeof fromToughCookies>>();
  expectTypeOf<SerializedCookieJar>().toExtend<Taken<typeof fromToughCookies>>();

  expectTypeOf<CookieLossReason>().toEqualTypeOf<"dropped" | "assumed" | "skipped">();
});
