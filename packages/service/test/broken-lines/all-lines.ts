import type { BrokenLine } from "./broken-line.ts";
import { authenticationLines } from "./lines/authentication-lines.ts";
import { automationLines } from "./lines/automation-lines.ts";
import { cookieLines } from "./lines/cookie-lines.ts";
import { replayLines } from "./lines/replay-lines.ts";
import { requestLines } from "./lines/request-lines.ts";
import { scrapeLines } from "./lines/scrape-lines.ts";

/** All lines that are broken, by what they are about. */
export const brokenLines: Readonly<Record<string, readonly BrokenLine[]>> = {
  "Page scrape: options and answer": scrapeLines,
  "Page scrape: request and validation errors": requestLines,
  Cookies: cookieLines,
  Replay: replayLines,
  Authentication: authenticationLines,
  Automation: automationLines,
};
