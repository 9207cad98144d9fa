/** Targets that let in strangers, or fail at them, in ways that neither a plain wrong key nor the absence of one shows. */
import { json, findOperation, findSession, words, type Asked } from "../asked.ts";
import type { FaultyTarget } from "../faulty-target.ts";
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

const at = (door: Door, admitted: (asked: Asked) => boolean): Partial<Service> => ({
  admits: (asked) => correctService.admits(asked) || (findOperation(asked) === door && admitted(asked)),
});

const isUnknown = (asked: Asked): boolean => !Object.values(correctService.sessions).includes(findSession(asked));
const failing = (door: Door, when: (asked: Asked) => boolean): Partial<Service> => ({
  turnsAway: (asked) =>
    findOperation(asked) === door && when(asked) ? words(500, "failed") : correctService.turnsAway(asked),
});

export const strangerFaults: readonly FaultyTarget[] = [
  ...doors.flatMap((door) =>
    Object.entries(ways).map(([name, way]): FaultyTarget => ({
      id: `${door}-lets-in-${name}`,
      requirement: stated[door],
      how: () => at(door, way),
    })),
  ),
  ...(["scrape", "automation"] as const).map((door): FaultyTarget => ({
    id: `${door}-lets-in-keys-in-the-body`,
    requirement: stated[door],
    how: () => ({
      ...at(door, ({ body }) => body.includes('"access_token"')),
      knows: (name, asked) => /token|api_key/.test(name) || correctService.knows(name, asked),
    }),
  })),
  ...(["cookies", "replay"] as const).map((door): FaultyTarget => ({
    id: `${door}-of-an-unknown-session-are-given-to-strangers`,
    requirement: stated[door],
    how: () => ({
      turnsAway: (asked) =>
        findOperation(asked) === door && isUnknown(asked)
          ? json(200, { cookies: [] })
          : correctService.turnsAway(asked),
    }),
  })),
  {
    id: "automation-fails-at-large-keys",
    requirement: stated.automation,
    how: () => failing("automation", (asked) => header(asked).length > 16_384),
  },
  {
    id: "automation-fails-at-odd-letters",
    requirement: stated.automation,
    how: () => failing("automation", (asked) => header(asked).includes('"$ne"')),
  },
  {
    id: "cookies-fail-at-large-keys",
    requirement: "auth.no-server-error",
    how: () => failing("cookies", (asked) => header(asked).length > 16_384),
  },
];
