import {
  toCookieHeader,
  toCookiesTxt,
  toPlaywrightCookies,
  toPuppeteerCookies,
  toToughCookies,
  type Cookie,
  type CookieLoss,
} from "@cloud-browser/client/cookies";

/** The forms in which cookies can be exported. */
export const cookieForms = [
  { id: "playwright", label: "Playwright (addCookies)" },
  { id: "puppeteer", label: "Puppeteer (setCookie)" },
  { id: "cookies-txt", label: "cookies.txt (curl, wget, yt-dlp)" },
  { id: "tough-cookie", label: "tough-cookie (fromJSON)" },
  { id: "header", label: "Cookie header for the page" },
] as const;

/** One of the forms. */
export type CookieForm = (typeof cookieForms)[number]["id"];

/** Exported cookies. */
export interface ExportedCookies {
  readonly text: string;
  /** Fields that were not converted unchanged, in words, without values. */
  readonly losses: readonly string[];
}

/**
 * Exports cookies in a form of another tool.
 *
 * @param pageUrl - Page for which a header is written.
 */
export function exportCookies(form: CookieForm, cookies: readonly Cookie[], pageUrl: string): ExportedCookies {
  switch (form) {
    case "playwright":
      return asJson(toPlaywrightCookies(cookies));
    case "puppeteer":
      return asJson(toPuppeteerCookies(cookies));
    case "tough-cookie":
      return asJson(toToughCookies(cookies));
    case "cookies-txt": {
      const { text, losses } = toCookiesTxt(cookies);
      return { text, losses: losses.map(describeLoss) };
    }
    case "header": {
      const { header, losses } = toCookieHeader(cookies, pageUrl);
      return { text: header, losses: losses.map(describeLoss) };
    }
  }
}

function asJson({ cookies, losses }: { cookies: readonly unknown[]; losses: readonly CookieLoss[] }): ExportedCookies {
  return { text: JSON.stringify(cookies, null, 2), losses: losses.map(describeLoss) };
}

function describeLoss({ reason, field, name = "a cookie without a name" }: CookieLoss): string {
  const what = {
    dropped: `${field} is left out`,
    assumed: `${field} was inferred`,
    skipped: `skipped, for its ${field}`,
  };
  return `${name}: ${what[reason]}`;
}
