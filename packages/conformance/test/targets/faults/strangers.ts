/** Servers that let in strangers, or fail at them, in ways that neither a plain wrong key nor the absence of one shows. */
import { admit, instead, type Change } from "../changes.ts";
import { authorization, inBody, inHeader, type Condition } from "../conditions.ts";
import { breakAnswers, type Fault } from "../fault.ts";
import { findSession, json, words, type ReceivedRequest } from "../messages.ts";
import { answerRequest, correctService } from "../service.ts";
import { strangers } from "./credentials.ts";

const inKey = (pattern: RegExp): Condition => inHeader("authorization", pattern);

/** Requests that come in by mistake. */
const ways: Readonly<Record<string, Condition>> = {
  "any-key-after-bearer-in-small-letters": inKey(/^bearer ./),
  "any-key-after-bearer-in-capitals": inKey(/^BEARER ./),
  "any-key-after-a-tab": inKey(/^Bearer\t/),
  "any-key-after-several-spaces": inKey(/^Bearer {2}/),
  "tokens-that-nobody-signed": inKey(/^Bearer eyJ[\w-]+\.[\w-]+\.$/),
  "keys-that-end-a-quotation": inKey(/' OR /),
  "keys-of-sixteen-kilobytes": (request) => authorization(request).length > 16_384,
  "any-key-in-x-auth-token": inHeader("x-auth-token"),
  "any-key-in-api-key": inHeader("api-key"),
  "this-machine-by-x-forwarded-for": inHeader("x-forwarded-for", /^127\.0\.0\.1$/),
  "this-machine-by-forwarded": inHeader("forwarded", /for=127\.0\.0\.1/),
  "users-of-a-proxy": inHeader("x-remote-user"),
  "rewritten-addresses": inHeader("x-original-url"),
};

const stated = {
  scrape: "scrape.requires-authentication",
  cookies: "cookies.requires-authentication",
  replay: "replay.requires-authentication",
  automation: "automation.requires-authorization",
} as const;
const doors = ["scrape", "cookies", "replay", "automation"] as const;

const isUnknown = (request: ReceivedRequest): boolean =>
  !Object.values(correctService.sessions).includes(findSession(request));
const isLarge: Condition = (request) => authorization(request).length > 16_384;
const fail = instead(words(500, "failed"));

/** Admits a stranger, and takes the key among the properties of the body. */
const admitByBody: Change = (_, request) =>
  answerRequest(
    {
      ...correctService,
      admits: () => true,
      knows: (name) => /token|api_key/.test(name) || correctService.knows(name, request),
    },
    request,
  );

export const strangerFaults: readonly Fault[] = [
  ...doors.flatMap((door) =>
    breakAnswers(strangers[door], {
      [stated[door]]: Object.fromEntries(
        Object.entries(ways).map(([name, comes]) => [`${door}-lets-in-${name}`, [admit, comes]] as const),
      ),
    }),
  ),
  ...(["scrape", "automation"] as const).flatMap((door) =>
    breakAnswers(strangers[door], {
      [stated[door]]: { [`${door}-lets-in-keys-in-the-body`]: [admitByBody, inBody(/"access_token"/)] },
    }),
  ),
  ...(["cookies", "replay"] as const).flatMap((door) =>
    breakAnswers(strangers[door], {
      [stated[door]]: {
        [`${door}-of-an-unknown-session-are-given-to-strangers`]: [instead(json(200, { cookies: [] })), isUnknown],
      },
    }),
  ),
  ...breakAnswers("run-stranger", {
    [stated.automation]: {
      "automation-fails-at-large-keys": [fail, isLarge],
      "automation-fails-at-odd-letters": [fail, inKey(/"\$ne"/)],
    },
  }),
  ...breakAnswers("cookies-stranger", { "auth.no-server-error": { "cookies-fail-at-large-keys": [fail, isLarge] } }),
];
