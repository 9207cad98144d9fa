import { makeCheck } from "../make-check.ts";
import { judge401, judgeRefused } from "../answers.ts";
import { type Probe } from "../../http/probe.ts";
import { nothingSeen, type Check, type Exchanges } from "../check.ts";
import {
  swapCase,
  type ComposedCredentials,
  type Credentials,
  type StrangerCredentials,
} from "../../http/credentials.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import type { Target } from "../../target/target.ts";
import { emptyBearerChecks } from "./empty-bearer.ts";
import { explainUntestedKey, isAutomationMissing, reportMissingAutomation } from "./harmless-requests.ts";
import {
  automationOperation,
  keyEvidence,
  makeUnauthorizedProbe,
  sessionOperations,
  type ProtectedOperation,
} from "./protected-operations.ts";
import { atTheEnd, inBurst, onKeptConnection, type Repetition } from "../repetitions.ts";
import { everyOptionalHeader } from "../scrape/scrape-probe.ts";

/** Numbers of the repetitions of a request: they reveal a fault that shows at least every third time. */
const times = [2];
const keyless = ["none", "wrong"] as const;
const keylessName = { none: "without-key", wrong: "with-wrong-key" } as const;

/** Names of the plain requests without the valid key. */
const plainKeyless = Object.values(keylessName);

/** Returns the name of the plain request whose answer shows what the answer to another one is worth. */
const findPlainName = (name: string): string =>
  name.startsWith(keylessName.none) ? keylessName.none : keylessName.wrong;

/** Credentials derived from the key that do not equal it, in the order in which they are tried. */
const derivatives = [
  "empty",
  "key-first-half",
  "key-but-last",
  "key-extended",
  "key-other-letter",
  "key-other-case",
  "key-as-basic",
  "key-as-token",
  "key-alone",
] as const satisfies readonly Credentials[];

/** A text with characters outside ASCII, and one larger than 64 KiB, a common buffer size. */
const texts = { charset: "Åpne about:blank 🛳️", large: "x".repeat(66_000) };

function listRichProbes(protectedOperation: ProtectedOperation, credentials: (typeof keyless)[number]): Probe[] {
  return Object.entries(texts).map(([word, richer]) =>
    makeUnauthorizedProbe(protectedOperation, `${keylessName[credentials]}-and-${word}`, credentials, { richer }),
  );
}

function listProbes(operation: ProtectedOperation): Probe[] {
  return [
    ...keyless.flatMap((credentials) => {
      const name = keylessName[credentials];
      return [
        makeUnauthorizedProbe(operation, name, credentials),
        ...times.map((time) => makeUnauthorizedProbe(operation, `${name}-again-${time}`, credentials)),
        makeUnauthorizedProbe(operation, `${name}-and-headers`, credentials, { headers: everyOptionalHeader }),
        ...(operation.richer === undefined ? [] : listRichProbes(operation, credentials)),
        ...(operation.harmlessBody === undefined
          ? []
          : [makeUnauthorizedProbe(operation, `${name}-and-without-query`, credentials, { isHarmless: true })]),
      ];
    }),
    ...derivatives.map((credentials) => makeUnauthorizedProbe(operation, `with-${credentials}`, credentials)),
  ];
}

/** Repeated requests without a valid key. */
export function listKeylessProbes({ word, sending }: Repetition, protectedOperation: ProtectedOperation): Probe[] {
  return keyless.map((credentials) =>
    makeUnauthorizedProbe(protectedOperation, `${keylessName[credentials]}-${word}`, credentials, { sending }),
  );
}

/** Requests without a key, with an invalid key, and with credentials similar to the key. */
export const authenticationProbes: readonly Probe[] = [...sessionOperations, automationOperation].flatMap(listProbes);

/** The defect of each kind of credentials, in words. The interface's security scheme is OAuth2PasswordBearer: a key after `Bearer`. */
const lacks: Readonly<
  Record<Exclude<Credentials, "key" | "key-lower-scheme" | ComposedCredentials | StrangerCredentials>, string>
> = {
  none: "no credentials were sent",
  wrong: "the key is not valid",
  empty: "no key follows the scheme Bearer",
  "key-first-half": "only the first half of the key was sent",
  "key-but-last": "the last character of the key is missing",
  "key-extended": "the key has an extra character",
  "key-other-letter": "a letter in the middle of the key was changed",
  "key-other-case": "upper and lower case of the key are swapped",
  "key-as-basic": "the key was sent with the scheme Basic",
  "key-as-token": "the key was sent with the scheme Token",
  "key-alone": "the key was sent without the scheme Bearer",
};

function explainLack({ plan: { credentials } }: Exchange): string {
  const lack = Object.entries(lacks).find(([name]) => name === credentials);
  return lack?.[1] ?? "";
}

/** Options of a rule. */
interface RuleOptions {
  /** True when its requirement is only assumed: where an obviously wrong key is not refused as stated, nothing is shown. */
  readonly isAssumed?: true;
  /** Only for the session-scoped operations, or only for the automation. */
  readonly only?: "session" | "automation" | "scrape";
  /** True when any refusal is accepted, because the request may be refused for another reason. Default: only the stated status. */
  readonly isAnyRefusal?: true;
}

/** Expectation for one kind of unauthorized request, at every protected operation; probes without the word of the operation. */
type Rule = readonly [name: string, title: string, probes: readonly string[], options?: RuleOptions];

const otherScheme = ["with-key-as-basic", "with-key-as-token", "with-key-alone"];
const kinds = {
  none: ["missing-key", "A request without credentials"],
  wrong: ["wrong-key", "A request with a key that is not valid"],
} as const;

const rules: readonly Rule[] = [
  ...keyless.map((credentials): Rule => [...kinds[credentials], [keylessName[credentials]]]),
  ["empty-key", "A request with an empty key", ["with-empty"], { only: "session" }],
  ["part-of-key", "A request with a part of the key", ["with-key-first-half", "with-key-but-last"]],
  ["extended-key", "A request with more than the key", ["with-key-extended"]],
  ["altered-key", "A request with a key that differs in one letter", ["with-key-other-letter"]],
  ["key-in-other-case", "A request with the key in the other case", ["with-key-other-case"], { isAssumed: true }],
  ["other-scheme", "A request with the key under another scheme than Bearer", otherScheme, { isAssumed: true }],
  ...keyless.flatMap((credentials): Rule[] => {
    const key = keylessName[credentials];
    const [name, title] = kinds[credentials];
    const everyTime = [...times.map((time) => `${key}-again-${time}`), `${key}-${atTheEnd.word}`];
    const anyForm = [`${key}-and-charset`, `${key}-and-large`, `${key}-and-without-query`];
    const large = `A large request ${title.replace("A request ", "")}`;
    const rich = `${title}, and with options, a charset and letters outside ASCII,`;
    return [
      [`${name}-with-headers`, `${title}, and with the optional headers,`, [`${key}-and-headers`]],
      [`${name}-every-time`, `${title}, sent again and again,`, everyTime],
      [
        `${name}-on-kept-connection`,
        `${title} on the connection of an earlier one`,
        [`${key}-${onKeptConnection.word}`],
      ],
      [`${name}-and-charset`, rich, [`${key}-and-charset`], { only: "scrape" }],
      [`${name}-when-large`, large, [`${key}-and-large`], { only: "scrape" }],
      [`${name}-in-any-form`, `${title}, whatever its body,`, anyForm, { only: "automation", isAnyRefusal: true }],
      [`${name}-in-burst`, `${title} while valid ones are under way`, [`${key}-${inBurst.word}`], { only: "session" }],
    ];
  }),
];

/** Returns whether the key may be unchanged when its case is swapped, so that such a request shows nothing. */
function isSameInOtherCase(exchange: Exchange, { apiKey }: Target): boolean {
  if (exchange.plan.credentials !== "key-other-case") return false;
  return swapCase(apiKey) === apiKey || /^[0-9a-f-]+$/i.test(apiKey);
}

/** Returns whether the plain request with the same or a wrong key was accepted before: then another check reports it. */
function wasAcceptedBefore({ id, plan: { credentials } }: Exchange, run?: Exchanges): boolean {
  const [word = ""] = id.split("/", 1);
  const plain = `${word}/${credentials === "none" ? "without-key" : "with-wrong-key"}`;
  const before = plain === id ? undefined : run?.get(plain);
  return before !== undefined && succeeded(before);
}

/** Returns whether an obviously wrong key is refused with another status as well: then another check reports it. */
function refusesOtherwise(run?: Exchanges): boolean {
  const status = run?.get(`${automationOperation.word}/with-wrong-key`)?.response?.status;
  return status !== undefined && status !== 401;
}

const otherwise = nothingSeen("An obviously wrong key is not answered with 401 either.");
const alwaysAccepted = nothingSeen(
  "The plain request without the valid key is accepted; the check of that reports it.",
);
const caseless = nothingSeen("The key has no letters, or is a hexadecimal number.");

function makeSessionCheck({ word, operation }: ProtectedOperation, [name, title, probes]: Rule): Check {
  return makeCheck(
    `${word}/refuses-${name}`,
    probes.map((probe) => `${word}/${probe}`),
    (exchange, target, run) => {
      if (wasAcceptedBefore(exchange, run)) return alwaysAccepted;
      return isSameInOtherCase(exchange, target) ? caseless : judgeRefused(exchange, explainLack(exchange));
    },
    {
      title: `${title} does not succeed.`,
      operation,
      consults: [...new Set(probes.map((probe) => `${word}/${findPlainName(probe)}`))],
    },
  );
}

/** Returns the requirement that a request without the valid key is about: a missing key or an invalid one. */
function findRequirement401({ plan: { credentials } }: Exchange): string {
  if (credentials === "none" || credentials === "empty") return "automation.401-missing-key";
  return /^key-(as|alone)/.test(credentials) ? automationOperation.requirement : "automation.401-invalid-key";
}

function makeAutomationCheck([name, title, probes, { isAssumed, isAnyRefusal } = {}]: Rule): Check {
  const { word, operation, requirement } = automationOperation;
  const judge: Check["judge"] = (exchange, target, run) => {
    if (wasAcceptedBefore(exchange, run)) return alwaysAccepted;
    if (isAutomationMissing(exchange, run)) return reportMissingAutomation(exchange);
    if (isAssumed && refusesOtherwise(run)) return otherwise;
    if (isSameInOtherCase(exchange, target)) return caseless;
    const unseen = succeeded(exchange) ? undefined : explainUntestedKey(exchange, run);
    if (unseen) return unseen;
    const judgeRefusal = isAnyRefusal ? judgeRefused : judge401;
    return judgeRefusal(exchange, explainLack(exchange), isAssumed ? undefined : findRequirement401(exchange));
  };
  return makeCheck(
    `automation/${isAnyRefusal ? "refuses" : "401"}-${name}`,
    probes.map((probe) => `${word}/${probe}`),
    judge,
    {
      title: isAnyRefusal ? `${title} does not succeed.` : `${title} is answered with 401.`,
      ...(name === "missing-key" && { requirements: ["automation.401-missing-key", requirement] }),
      operation,
      consults: [...plainKeyless.map((plain) => `${word}/${plain}`), ...keyEvidence],
    },
  );
}

/** Checks of authentication. Source: interface § Authentication, § Errors. */
export const authenticationChecks: readonly Check[] = [
  ...sessionOperations.flatMap((protectedOperation) =>
    rules
      .filter(([, , , { only = "session" } = {}]) => only === "session" || only === protectedOperation.word)
      .map((rule) => makeSessionCheck(protectedOperation, rule)),
  ),
  ...rules.filter(([, , , { only = "automation" } = {}]) => only === "automation").map(makeAutomationCheck),
  ...emptyBearerChecks,
];
