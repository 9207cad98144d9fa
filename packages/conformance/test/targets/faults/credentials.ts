/** Targets that let in whom they must not, or turn them away otherwise than is stated. */
import { json, words, type Answer, type ReceivedRequest } from "../messages.ts";
import { listBreaking, listFaults, type FaultRow, type FaultyTarget } from "../faulty-target.ts";
import { apiKey, correctService, findToken, type Service } from "../service.ts";
import { admits, revise, turnsAway, type Operation } from "../parts.ts";

const header = ({ headers }: ReceivedRequest): string => headers.authorization ?? "";
const token = (request: ReceivedRequest): string => findToken(request) ?? "";

const caseless = (request: ReceivedRequest): boolean => token(request).toLowerCase() === apiKey.toLowerCase();

/** Ways in that are closed, and who comes in by each. */
const ways: Readonly<Record<string, (request: ReceivedRequest) => boolean>> = {
  "nobody-in-particular": () => true,
  "strangers-without-a-key": (request) => header(request) === "",
  "every-key": (request) => token(request).length > 10,
  "an-empty-key": (request) => /^bearer\s*$/i.test(header(request)),
  "the-first-half-of-the-key": (request) =>
    token(request) !== "" && apiKey.slice(0, 10) === token(request).slice(0, 10),
  "all-but-the-end-of-the-key": (request) => token(request).length > 15 && apiKey.startsWith(token(request)),
  "keys-of-the-right-length": (request) => token(request).length === apiKey.length && !caseless(request),
  "keys-that-end-like-the-key": (request) => token(request).endsWith(apiKey.slice(-8)),
  "keys-that-begin-and-end-like-the-key": (request) =>
    token(request).startsWith(apiKey.slice(0, 4)) && token(request).endsWith(apiKey.slice(-4)),
  "what-begins-with-the-key": (request) => token(request).startsWith(apiKey),
  "the-words-of-a-missing-value": (request) => /^(null|undefined)$/.test(token(request)),
  "keys-longer-than-a-thousand-letters": (request) => token(request).length > 1_000,
  "keys-with-letters-beyond-ascii": (request) => /[^\x20-\x7e]/.test(token(request)),
  "another-key-after-a-comma": (request) => /,/.test(token(request)),
};

/** Ways in whose being closed is assumed. */
const schemes: Readonly<Record<string, (request: ReceivedRequest) => boolean>> = {
  "the-key-as-basic": (request) => header(request) === `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
  "the-key-as-token": (request) => header(request) === `Token ${apiKey}`,
  "the-key-alone": (request) => header(request) === apiKey,
  "the-key-in-x-api-key": (request) => request.headers["x-api-key"] === apiKey,
  "the-key-in-a-cookie": (request) => request.headers.cookie === `api_key=${apiKey}`,
  "the-key-in-the-query": (request) => request.query.get("api_key") === apiKey,
};

/** Makes a fault of each way in. */
const openings = (
  door: Operation,
  way: Readonly<Record<string, (request: ReceivedRequest) => boolean>>,
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
/** Those with a key that is not spelled as keys are, or too long: how that is answered is not shown, but it is no success. */
const misspelled = /^(keys-longer|keys-with-letters|another-key-after)/;

const refusal = (name: string): string => {
  if (misspelled.test(name)) return "automation.requires-authorization";
  return keyless.has(name) ? missing : invalid;
};

const withoutKey = (request: ReceivedRequest): boolean => header(request) === "";
const withWrongKey = (request: ReceivedRequest): boolean => token(request) !== "";
const error = 'data: {"type":"error","error":"unauthorized","detail":"no key"}\n\n';
const stream: Answer = { status: 200, headers: { "content-type": "text/event-stream" }, pieces: [error] };

const answersKeyless = (to: Answer): Partial<Service> => turnsAway("automation", to, withoutKey);
const answersWrongKey = (to: Answer): Partial<Service> => turnsAway("automation", to, withWrongKey);

const { "nobody-in-particular": _, ...closedWays } = ways;
const automationFaults: readonly FaultyTarget[] = [
  ...listFaults(openings("automation", closedWays, refusal)),
  ...listFaults(openings("automation", schemes, () => "auth.automation.bearer-only")),
  ...listFaults(openings("automation", inAnyCase, () => "auth.key-exact")),
  ...listBreaking(missing, {
    "automation-answers-403-without-a-key": answersKeyless(json(403, {})),
    "automation-answers-400-without-a-key": answersKeyless(json(400, {})),
    "automation-answers-404-without-a-key": answersKeyless(json(404, {})),
    "automation-answers-500-without-a-key": answersKeyless(words(500, "no key")),
    "automation-redirects-without-a-key": answersKeyless({ ...words(302, ""), headers: { location: "/login" } }),
    "automation-streams-an-error-without-a-key": answersKeyless(stream),
  }),
  ...listBreaking(invalid, {
    "automation-answers-403-to-a-wrong-key": answersWrongKey(json(403, {})),
    "automation-answers-400-to-a-wrong-key": answersWrongKey(json(400, {})),
    "automation-answers-502-to-a-wrong-key": answersWrongKey(json(502, {})),
    "automation-answers-403-to-a-word-for-no-value": turnsAway(
      "automation",
      json(403, {}),
      (request) => token(request) === "null",
    ),
    "automation-answers-422-to-a-wrong-key": answersWrongKey(json(422, {})),
    "automation-streams-an-error-to-a-wrong-key": answersWrongKey(stream),
  }),
];

const refusesKey = (operation: Operation): Partial<Service> =>
  revise(operation, 200, () => json(401, { detail: "not allowed" }));

const moreFaults = listFaults([
  [
    "session-answers-500-to-a-digest",
    "auth.no-server-error",
    {
      turnsAway: (request) => (/^digest /i.test(header(request)) ? json(500, {}) : correctService.turnsAway(request)),
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
