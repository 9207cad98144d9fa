/** Servers that let in whom they must not, or turn them away otherwise than is stated. */
import { admit, redirect, refuse, streamError, instead, type Change } from "../changes.ts";
import { authorization, inHeader, inQuery, isEmptyKey, isKeyless, token, type Condition } from "../conditions.ts";
import { breakAnswers, breakService, type Fault } from "../fault.ts";
import { json, words, type Operation, type Subject } from "../messages.ts";
import { turnAway } from "../parts.ts";
import { apiKey } from "../service.ts";

const isCaseless: Condition = (request) => token(request).toLowerCase() === apiKey.toLowerCase();
const hasToken =
  (isSuch: (key: string) => boolean): Condition =>
  (request) =>
    isSuch(token(request));

/** Ways in that are closed, and who comes in by each. */
const ways: Readonly<Record<string, Condition>> = {
  "nobody-in-particular": () => true,
  "strangers-without-a-key": isKeyless,
  "every-key": hasToken((key) => key.length > 10),
  "an-empty-key": isEmptyKey,
  "the-first-half-of-the-key": hasToken((key) => key !== "" && apiKey.slice(0, 10) === key.slice(0, 10)),
  "all-but-the-end-of-the-key": hasToken((key) => key.length > 15 && apiKey.startsWith(key)),
  "keys-of-the-right-length": (request, answer) =>
    token(request).length === apiKey.length && !isCaseless(request, answer),
  "keys-that-end-like-the-key": hasToken((key) => key.endsWith(apiKey.slice(-8))),
  "keys-that-begin-and-end-like-the-key": hasToken(
    (key) => key.startsWith(apiKey.slice(0, 4)) && key.endsWith(apiKey.slice(-4)),
  ),
  "what-begins-with-the-key": hasToken((key) => key.startsWith(apiKey)),
  "the-words-of-a-missing-value": hasToken((key) => /^(null|undefined)$/.test(key)),
  "keys-longer-than-a-thousand-letters": hasToken((key) => key.length > 1_000),
  "keys-with-letters-beyond-ascii": hasToken((key) => /[^\x20-\x7e]/.test(key)),
  "another-key-after-a-comma": hasToken((key) => key.includes(",")),
};

/** Ways in whose being closed is assumed. */
const schemes: Readonly<Record<string, Condition>> = {
  "the-key-as-basic": (request) => authorization(request) === `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
  "the-key-as-token": (request) => authorization(request) === `Token ${apiKey}`,
  "the-key-alone": (request) => authorization(request) === apiKey,
  "the-key-in-x-api-key": inHeader("x-api-key", new RegExp(`^${apiKey}$`)),
  "the-key-in-a-cookie": inHeader("cookie", new RegExp(`^api_key=${apiKey}$`)),
  "the-key-in-the-query": inQuery("api_key", apiKey),
};

/** The subject of strangers at each operation. */
export const strangers = {
  scrape: "scrape-stranger",
  cookies: "cookies-stranger",
  replay: "replay-stranger",
  automation: "run-stranger",
} as const satisfies Record<Operation, Subject>;

/** Makes a fault of each way into an operation. */
const open = (
  door: Operation,
  way: Readonly<Record<string, Condition>>,
  requirement: (name: string) => string,
): Fault[] =>
  Object.entries(way).flatMap(([name, comes]) =>
    breakAnswers(strangers[door], { [requirement(name)]: { [`${door}-admits-${name}`]: [admit, comes] } }),
  );

const inAnyCase = { "the-key-in-any-case": isCaseless };
const missing = "automation.401-missing-key";
const invalid = "automation.401-invalid-key";

/** The sentence about a stranger at the automation. How misspelled and long keys are answered is not shown, but it is no success. */
const findRefusal = (name: string): string => {
  if (/^(keys-longer|keys-with-letters|another-key-after)/.test(name)) return "automation.requires-authorization";
  return /^(strangers-without-a-key|an-empty-key)$/.test(name) ? missing : invalid;
};

const hasKey = hasToken((key) => key !== "");
const answer = (status: number): Change => instead(json(status, {}));
const error = streamError("unauthorized", "no key");
const { "nobody-in-particular": _, ...closedWays } = ways;

export const credentialFaults: readonly Fault[] = [
  ...(["scrape", "cookies", "replay"] as const).flatMap((door) =>
    [
      open(door, ways, () => `${door}.requires-authentication`),
      open(door, schemes, () => "auth.session.bearer-only"),
      open(door, inAnyCase, () => "auth.key-exact"),
    ].flat(),
  ),
  ...open("automation", closedWays, findRefusal),
  ...open("automation", schemes, () => "auth.automation.bearer-only"),
  ...open("automation", inAnyCase, () => "auth.key-exact"),
  ...breakAnswers("run-stranger", {
    [missing]: {
      "automation-answers-403-without-a-key": [answer(403), isKeyless],
      "automation-answers-400-without-a-key": [answer(400), isKeyless],
      "automation-answers-404-without-a-key": [answer(404), isKeyless],
      "automation-answers-500-without-a-key": [instead(words(500, "no key")), isKeyless],
      "automation-redirects-without-a-key": [redirect(302, "/login"), isKeyless],
      "automation-streams-an-error-without-a-key": [error, isKeyless],
    },
    [invalid]: {
      "automation-answers-403-to-a-wrong-key": [answer(403), hasKey],
      "automation-answers-400-to-a-wrong-key": [answer(400), hasKey],
      "automation-answers-502-to-a-wrong-key": [answer(502), hasKey],
      "automation-answers-403-to-a-word-for-no-value": [answer(403), hasToken((key) => key === "null")],
      "automation-answers-422-to-a-wrong-key": [answer(422), hasKey],
      "automation-streams-an-error-to-a-wrong-key": [error, hasKey],
    },
  }),
  ...breakService({
    "auth.no-server-error": {
      "session-answers-500-to-a-digest": turnAway(json(500, {}), (request) => /^digest /i.test(authorization(request))),
    },
  }),
  ...(["scrape", "cookies"] as const).flatMap((door) =>
    breakAnswers(door, {
      "auth.session.token-is-api-key": { [`${door}-wants-another-token`]: refuse(401, "not allowed") },
    }),
  ),
];
