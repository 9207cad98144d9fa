export type { BrowserCookie } from "./cookies/browser-cookie.ts";
export {
  fromCookieHeader,
  toCookieHeader,
  type CookieHeader,
  type CookieHeaderOptions,
} from "./cookies/cookie-header.ts";
export type {
  ConvertedCookies,
  Cookie,
  CookieHolder,
  CookieList,
  CookieLoss,
  CookieLossReason,
  SameSite,
} from "./cookies/cookie.ts";
export { fromCookiesTxt, toCookiesTxt, type CookiesTxt } from "./cookies/cookies-txt.ts";
export {
  fromPlaywrightCookies,
  toPlaywrightCookies,
  type PlaywrightCookie,
  type PlaywrightCookieInput,
} from "./cookies/playwright.ts";
export {
  fromPuppeteerCookies,
  toPuppeteerCookies,
  type PuppeteerCookie,
  type PuppeteerCookieInput,
  type PuppeteerPartitionKey,
} from "./cookies/puppeteer.ts";
export { fromToughCookies, toToughCookies, type ToughCookie, type ToughCookieInput } from "./cookies/tough-cookie.ts";
