/** Targets that let in whom they must not, or turn them away otherwise than is stated. */
import { json, words, type Answer, type Asked } from "../asked.ts";
import { breaking, listFaults, type FaultRow, type FaultyTarget } from "../faulty-target.ts";
import { apiKey, correctService, findToken, type Service } from "../service.ts";
import { admits, revising, turnsAway, type Operation } from "../parts.ts";

const header = ({ headers }: Asked): string => headers.authorization ?? "";
const token = (asked: Asked): string => findToken(asked) ?? "";

const caseless = (asked: Asked): boolean => token(asked).toLowerCase() === apiKey.toLowerCase();

/** Ways in that are closed, and who comes in by each. */
const ways: Readonly<Record<string, (asked: Asked) => boolean>> = {
  "nobody-in-particular": () => true,
  "strangers-without-a-key": (asked) => header(asked) === "",
  "every-key": (asked) => token(asked).length > 10,
  "an-empty-key": (asked) => /^bearer\s*$/i.test(header(asked)),
  "the-first-half-of-the-key": (asked) => token(asked) !== "" && apiKey.slice(0, 10) === token(asked).slice(0, 10),
  "all-but-the-end-of-the-key": (asked) => token(asked).length > 15 && apiKey.startsWith(token(asked)),
  "keys-of-the-right-length": (asked) => token(asked).length === apiKey.length && !caseless(asked),
  "keys-that-end-like-the-key": (asked) => token(asked).endsWith(apiKey.slice(-8)),
  "keys-that-begin-and-end-like-the-key": (asked) =>
    token(asked).startsWith(apiKey.slice(0, 4)) && token(asked).endsWith(apiKey.slice(-4)),
  "what-begins-with-the-key": (asked) => token(asked).startsWith(apiKey),
  "the-words-of-a-missing-value": (asked) => /^(null|undefined)$/.test(token(asked)),
  "keys-longer-than-a-thousand-letters": (asked) => token(asked).length > 1_000,
  "keys-with-letters-beyond-ascii": (asked) => /[^\x20-\x7e]/.test(token(asked)),
  "another-key-after-a-comma": (asked) => /,/.test(token(asked)),
};

/** Ways in whose being closed is assumed. */
const schemes: Readonly<Record<string, (asked: Asked) => boolean>> = {
  "the-key-as-basic": (asked) => header(asked) === `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
  "the-key-as-token": (asked) => header(asked) === `Token ${apiKey}`,
  "the-key-alone": (asked) => header(asked) === apiKey,
  "the-key-in-x-api-key": (asked) => asked.headers["x-api-key"] === apiKey,
  "the-key-in-a-cookie": (asked) => asked.headers.cookie === `api_key=${apiKey}`,
  "the-key-in-the-query": (asked) => asked.query.get("api_key") === apiKey,
};

/** Makes a fault of each way in. */
const openings = (
  door: Operation,
  way: Readonly<Record<string, (asked: Asked) => boolean>>,
  requirement: (name: string) => string,
): FaultRow[] =>
  Object.entries(way).map(([name, right]) => [`${door}-admits-${name}`, requirement(name), admits(door, right)]);

const inAnyCase = { "the-key-in-any-case": caseless };

const sessionFaults = (["scrape", "cookies", "replay"] as const).flatMap((door) => [
  openings(door, ways, () => `${door}.requires-authentication`),
  openings(door, schemes, () => "auth.session.bearer-only"),
  openings(door, inAnyCase, () => "auth.key-exact"),
]);

const missing = "automation.401-missing-key";
const invalid = "automation.401-invalid-key";
const keyless = new Set(["strangers-without-a-key", "an-empty-key"]);
/** Who comes with a key that is not spelled as keys are, or too long: how that is answered is not shown, but it is no success. */
const misspelled = /^(keys-longer|keys-with-letters|another-key-after)/;

const refusal = (name: string): string => {
  if (misspelled.test(name)) return "automation.requires-authorization";
  return keyless.has(name) ? missing : invalid;
};

const withoutKey = (asked: Asked): boolean => header(asked) === "";
const withWrongKey = (asked: Asked): boolean => token(asked) !== "";
const error = 'data: {"type":"error","error":"unauthorized","detail":"no key"}\n\n';
const stream: Answer = { status: 200, headers: { "content-type": "text/event-stream" }, pieces: [error] };

const answersKeyless = (to: Answer): Partial<Service> => turnsAway("automation", to, withoutKey);
const answersWrongKey = (to: Answer): Partial<Service> => turnsAway("automation", to, withWrongKey);

const { "nobody-in-particular": _, ...closedWays } = ways;
const automationFaults: readonly FaultyTarget[] = [
  ...listFaults(openings("automation", closedWays, refusal)),
  ...listFaults(openings("automation", schemes, () => "auth.automation.bearer-only")),
  ...listFaults(openings("automation", inAnyCase, () => "auth.key-exact")),
  ...breaking(missing, {
    "automation-answers-403-without-a-key": answersKeyless(json(403, {})),
    "automation-answers-400-without-a-key": answersKeyless(json(400, {})),
    "automation-answers-404-without-a-key": answersKeyless(json(404, {})),
    "automation-answers-500-without-a-key": answersKeyless(words(500, "no key")),
    "automation-redirects-without-a-key": answersKeyless({ ...words(302, ""), headers: { location: "/login" } }),
    "automation-streams-an-error-without-a-key": answersKeyless(stream),
  }),
  ...breaking(invalid, {
    "automation-answers-403-to-a-wrong-key": answersWrongKey(json(403, {})),
    "automation-answers-400-to-a-wrong-key": answersWrongKey(json(400, {})),
    "automation-answers-502-to-a-wrong-key": answersWrongKey(json(502, {})),
    "automation-answers-403-to-a-word-for-no-value": turnsAway(
      "automation",
      json(403, {}),
      (asked) => token(asked) === "null",
    ),
    "automation-answers-422-to-a-wrong-key": answersWrongKey(json(422, {})),
    "automation-streams-an-error-to-a-wrong-key": answersWrongKey(stream),
  }),
];

const refusesKey = (operation: Operation): Partial<Service> =>
  revising(operation, 200, () => json(401, { detail: "not allowed" }));

const moreFaults = listFaults([
  [
    "session-answers-500-to-a-digest",
    "auth.no-server-error",
    {
      turnsAway: (asked) => (/^digest /i.test(header(asked)) ? json(500, {}) : correctService.turnsAway(asked)),
    },
  ],
  ["scrape-wants-another-token", "auth.session.token-is-api-key", refusesKey("scrape")],
  ["cookies-wants-another-token", "auth.session.token-is-api-key", refusesKey("cookies")],
]);

export const credentialFaults: readonly FaultyTarget[] = [
  ...sessionFaults.flatMap(listFaults),
  ...automationFaults,
  ...moreFaults,
];
