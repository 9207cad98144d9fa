/** Targets that let in whom they must not, or turn them away otherwise than is stated. */
import { json, findOperation, words, type Answer, type Asked } from "../asked.ts";
import { breaking, type FaultyTarget, type How } from "../faulty-target.ts";
import { apiKey, correctService, findToken, type Service } from "../service.ts";
import { revising } from "../parts.ts";

type Operation = ReturnType<typeof findOperation>;

const at =
  (operation: Operation, admitted: (asked: Asked) => boolean): How =>
  () => ({
    admits: (asked) => correctService.admits(asked) || (findOperation(asked) === operation && admitted(asked)),
  });

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

const doors = ["scrape", "cookies", "replay"] as const;

const sessionFaults: readonly FaultyTarget[] = doors.flatMap((word) => {
  const admits = (name: string, requirement: string, way: (asked: Asked) => boolean): FaultyTarget => ({
    id: `${word}-admits-${name}`,
    requirement,
    how: at(word, way),
  });
  const closed = Object.entries(ways).map(([name, way]) => admits(name, `${word}.requires-authentication`, way));
  const assumed = Object.entries(schemes).map(([name, way]) => admits(name, "auth.session.bearer-only", way));
  return [closed, assumed, admits("the-key-in-any-case", "auth.key-exact", caseless)].flat();
});

const missing = "automation.401-missing-key";
const invalid = "automation.401-invalid-key";
const keyless = new Set(["strangers-without-a-key", "an-empty-key"]);
/** Who comes with a key that is not spelled as keys are, or too long: how that is answered is not shown, but it is no success. */
const misspelled = /^(keys-longer|keys-with-letters|another-key-after)/;

const refusal = (name: string): string => {
  if (misspelled.test(name)) return "automation.requires-authorization";
  return keyless.has(name) ? missing : invalid;
};

const turnsAway = (to: Answer, when: (asked: Asked) => boolean): Partial<Service> => ({
  turnsAway: (asked) => (findOperation(asked) === "automation" && when(asked) ? to : correctService.turnsAway(asked)),
});

const withoutKey = (asked: Asked): boolean => header(asked) === "";
const withWrongKey = (asked: Asked): boolean => token(asked) !== "";
const error = 'data: {"type":"error","error":"unauthorized","detail":"no key"}\n\n';
const stream: Answer = { status: 200, headers: { "content-type": "text/event-stream" }, pieces: [error] };

const automationFaults: readonly FaultyTarget[] = [
  ...Object.entries(ways)
    .filter(([name]) => name !== "nobody-in-particular")
    .map(([name, way]): FaultyTarget => ({
      id: `automation-admits-${name}`,
      requirement: refusal(name),
      how: at("automation", way),
    })),
  ...Object.entries(schemes).map(([name, way]): FaultyTarget => ({
    id: `automation-admits-${name}`,
    requirement: "auth.automation.bearer-only",
    how: at("automation", way),
  })),
  { id: "automation-admits-the-key-in-any-case", requirement: "auth.key-exact", how: at("automation", caseless) },
  ...breaking(missing, {
    "automation-answers-403-without-a-key": turnsAway(json(403, {}), withoutKey),
    "automation-answers-400-without-a-key": turnsAway(json(400, {}), withoutKey),
    "automation-answers-404-without-a-key": turnsAway(json(404, {}), withoutKey),
    "automation-answers-500-without-a-key": turnsAway(words(500, "no key"), withoutKey),
    "automation-redirects-without-a-key": turnsAway({ ...words(302, ""), headers: { location: "/login" } }, withoutKey),
    "automation-streams-an-error-without-a-key": turnsAway(stream, withoutKey),
  }),
  ...breaking(invalid, {
    "automation-answers-403-to-a-wrong-key": turnsAway(json(403, {}), withWrongKey),
    "automation-answers-400-to-a-wrong-key": turnsAway(json(400, {}), withWrongKey),
    "automation-answers-502-to-a-wrong-key": turnsAway(json(502, {}), withWrongKey),
    "automation-answers-403-to-a-word-for-no-value": turnsAway(json(403, {}), (asked) => token(asked) === "null"),
    "automation-answers-422-to-a-wrong-key": turnsAway(json(422, {}), withWrongKey),
    "automation-streams-an-error-to-a-wrong-key": turnsAway(stream, withWrongKey),
  }),
];

const refusesKey = (operation: "scrape" | "cookies"): Partial<Service> =>
  revising(operation, 200, () => json(401, { detail: "not allowed" }));

const moreFaults: readonly FaultyTarget[] = [
  ...breaking("auth.no-server-error", {
    "session-answers-500-to-a-digest": {
      turnsAway: (asked) => (/^digest /i.test(header(asked)) ? json(500, {}) : correctService.turnsAway(asked)),
    },
  }),
  ...breaking("auth.session.token-is-api-key", {
    "scrape-wants-another-token": refusesKey("scrape"),
    "cookies-wants-another-token": refusesKey("cookies"),
  }),
];

export const credentialFaults: readonly FaultyTarget[] = [...sessionFaults, ...automationFaults, ...moreFaults];
