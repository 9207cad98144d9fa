/** Targets that let in strangers, or fail at them, in ways that neither a plain wrong key nor the absence of one shows. */
import { json, findSession, words, type Asked } from "../asked.ts";
import { listFaults, type FaultRow, type FaultyTarget } from "../faulty-target.ts";
import { admits, turnsAway } from "../parts.ts";
import { correctService, type Service } from "../service.ts";

const doors = ["scrape", "cookies", "replay", "automation"] as const;
type Door = (typeof doors)[number];

const header = ({ headers }: Asked): string => headers.authorization ?? "";
const has =
  (name: string) =>
  ({ headers }: Asked): boolean =>
    headers[name] !== undefined;

/** Who comes in by mistake. */
const ways: Readonly<Record<string, (asked: Asked) => boolean>> = {
  "any-key-after-bearer-in-small-letters": (asked) => /^bearer ./.test(header(asked)),
  "any-key-after-bearer-in-capitals": (asked) => /^BEARER ./.test(header(asked)),
  "any-key-after-a-tab": (asked) => header(asked).startsWith("Bearer\t"),
  "any-key-after-several-spaces": (asked) => /^Bearer {2}/.test(header(asked)),
  "tokens-that-nobody-signed": (asked) => /^Bearer eyJ[\w-]+\.[\w-]+\.$/.test(header(asked)),
  "keys-that-end-a-quotation": (asked) => header(asked).includes("' OR "),
  "keys-of-sixteen-kilobytes": (asked) => header(asked).length > 16_384,
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

const isUnknown = (asked: Asked): boolean => !Object.values(correctService.sessions).includes(findSession(asked));
const isLarge = (asked: Asked): boolean => header(asked).length > 16_384;
const failure = words(500, "failed");

const knows: Service["knows"] = (name, asked) => /token|api_key/.test(name) || correctService.knows(name, asked);

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
    turnsAway("automation", failure, (asked) => header(asked).includes('"$ne"')),
  ],
  ["cookies-fail-at-large-keys", "auth.no-server-error", turnsAway("cookies", failure, isLarge)],
]);
