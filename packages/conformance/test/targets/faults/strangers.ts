/** Targets that let in strangers, or fail at them, in ways that neither a plain wrong key nor the absence of one shows. */
import { json, findSession, words, type ReceivedRequest } from "../messages.ts";
import { listFaults, type FaultRow, type FaultyTarget } from "../faulty-target.ts";
import { admits, turnsAway } from "../parts.ts";
import { correctService, type Service } from "../service.ts";

const doors = ["scrape", "cookies", "replay", "automation"] as const;
type Door = (typeof doors)[number];

const header = ({ headers }: ReceivedRequest): string => headers.authorization ?? "";
const has =
  (name: string) =>
  ({ headers }: ReceivedRequest): boolean =>
    headers[name] !== undefined;

/** Requests that come in by mistake. */
const ways: Readonly<Record<string, (request: ReceivedRequest) => boolean>> = {
  "any-key-after-bearer-in-small-letters": (request) => /^bearer ./.test(header(request)),
  "any-key-after-bearer-in-capitals": (request) => /^BEARER ./.test(header(request)),
  "any-key-after-a-tab": (request) => header(request).startsWith("Bearer\t"),
  "any-key-after-several-spaces": (request) => /^Bearer {2}/.test(header(request)),
  "tokens-that-nobody-signed": (request) => /^Bearer eyJ[\w-]+\.[\w-]+\.$/.test(header(request)),
  "keys-that-end-a-quotation": (request) => header(request).includes("' OR "),
  "keys-of-sixteen-kilobytes": (request) => header(request).length > 16_384,
  "any-key-in-x-auth-token": has("x-auth-token"),
  "any-key-in-api-key": has("api-key"),
  "this-machine-by-x-forwarded-for": ({ headers }) => headers["x-forwarded-for"] === "127.0.0.1",
  "this-machine-by-forwarded": ({ headers }) => /for=127\.0\.0\.1/.test(String(headers.forwarded)),
  "users-of-a-proxy": has("x-remote-user"),
  "rewritten-addresses": has("x-original-url"),
};

const stated: Readonly<Record<Door, string>> = {
  scrape: "scrape.requires-authentication",
  cookies: "cookies.requires-authentication",
  replay: "replay.requires-authentication",
  automation: "automation.requires-authorization",
};

const isUnknown = (request: ReceivedRequest): boolean =>
  !Object.values(correctService.sessions).includes(findSession(request));
const isLarge = (request: ReceivedRequest): boolean => header(request).length > 16_384;
const failure = words(500, "failed");

const knows: Service["knows"] = (name, request) => /token|api_key/.test(name) || correctService.knows(name, request);

export const strangerFaults: readonly FaultyTarget[] = listFaults([
  ...doors.flatMap((door) =>
    Object.entries(ways).map(([name, way]): FaultRow => [`${door}-lets-in-${name}`, stated[door], admits(door, way)]),
  ),
  ...(["scrape", "automation"] as const).map((door): FaultRow => {
    const parts = { ...admits(door, ({ body }) => body.includes('"access_token"')), knows };
    return [`${door}-lets-in-keys-in-the-body`, stated[door], parts];
  }),
  ...(["cookies", "replay"] as const).map((door): FaultRow => [
    `${door}-of-an-unknown-session-are-given-to-strangers`,
    stated[door],
    turnsAway(door, json(200, { cookies: [] }), isUnknown),
  ]),
  ["automation-fails-at-large-keys", stated.automation, turnsAway("automation", failure, isLarge)],
  [
    "automation-fails-at-odd-letters",
    stated.automation,
    turnsAway("automation", failure, (request) => header(request).includes('"$ne"')),
  ],
  ["cookies-fail-at-large-keys", "auth.no-server-error", turnsAway("cookies", failure, isLarge)],
]);
