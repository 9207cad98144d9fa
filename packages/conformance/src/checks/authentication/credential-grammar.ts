import {
  holdsKeyElsewhere,
  splitCredentials,
  schemes,
  type ComposedCredentials,
  type KeyForm,
  type CredentialPlace,
  type Scheme,
} from "../../http/credentials.ts";
import type { Probe } from "../../http/probe.ts";
import { pairwise } from "../generation/pairs.ts";
import { Random } from "../generation/random.ts";
import { everyOptionalHeader } from "../scrape/scrape-probe.ts";
import {
  automationOperation,
  sessionOperations,
  makeUnauthorizedProbe,
  type ProtectedOperation,
} from "./protected-operations.ts";

/**
 * Variants of the rest of the request: servers may check credentials only with or without headers or a query, or only for some sessions.
 */
const requestVariants = ["plain", "headers", "query", "other-session"] as const;
type RequestVariant = (typeof requestVariants)[number] | "harmless";

/** Every operation that takes credentials. */
export const operations = [...sessionOperations, automationOperation];

/** One combination of the grammar. */
export interface Combination {
  readonly protectedOperation: ProtectedOperation;
  readonly credentials: ComposedCredentials;
  readonly variant: RequestVariant;
}

/** Returns whether the credentials contain the whole key, alone or with a word behind it: accepting them admits nobody without a key. */
export const isWhole = ({ credentials }: Combination): boolean => holdsKeyElsewhere(credentials);

/** A place of credentials, with the scheme that they have there. */
interface Carrier {
  readonly place: CredentialPlace;
  readonly scheme: Scheme;
}

/** Places other than `Authorization` in which servers look for a key. */
const elsewhere: readonly Carrier[] = [
  { place: "x-api-key", scheme: "alone" },
  { place: "x-authorization", scheme: "bearer" },
  { place: "proxy-authorization", scheme: "bearer" },
  { place: "cookie", scheme: "alone" },
  { place: "query", scheme: "alone" },
];

/** Every carrier but the one that authorizes. */
const carriers: readonly Carrier[] = [
  ...schemes.flatMap((scheme): Carrier[] => (scheme === "bearer" ? [] : [{ place: "authorization", scheme }])),
  ...elsewhere,
];

/** Forms of the key that are composed with every carrier. The key itself is sent most often: it is what a server accepts there. */
const carriedForms: readonly KeyForm[] = ["key", "wrong", "key", "extended"];

/** The key itself at every other place, for each operation. */
const keyElsewhere: readonly Combination[] = elsewhere.flatMap(({ place, scheme }) =>
  operations.map((protectedOperation): Combination => {
    return { protectedOperation, credentials: `${place}:${scheme}:key`, variant: "plain" };
  }),
);

/** Forms of the key that come as a Bearer token in `Authorization`; others are sent by probes of their own. */
const tokenForms: readonly KeyForm[] = [
  "in-list",
  "beyond-ascii",
  "twice",
  "then-more",
  "wrong-long",
  "word-null",
  "word-undefined",
];

/** Variants of the rest of the request for these forms: another session may be empty, and the effect of a query is not shown. */
const tokenVariants = ["plain", "headers"] as const;

/** Every one of these forms for each operation; the variants of the rest take turns. */
const tokenCombinations: readonly Combination[] = tokenForms.flatMap((form, at) =>
  operations.map((protectedOperation, nth): Combination => {
    const variant = tokenVariants[(at + nth) % tokenVariants.length] ?? "plain";
    return { protectedOperation, credentials: `authorization:bearer:${form}`, variant };
  }),
);

/** Returns whether every operation is sent the key itself by that carrier anyway: here, or by a probe of its own such as `key-as-basic`. */
const isSentPlainly = ({ place, scheme }: Carrier): boolean =>
  elsewhere.some((one) => one.place === place) || ["basic", "token", "alone"].includes(scheme);

/** A wrong key elsewhere, and nothing in `Authorization`: the automation has a status of its own for that. */
const wrongKeyElsewhere: Combination = {
  protectedOperation: automationOperation,
  credentials: "cookie:alone:wrong",
  variant: "plain",
};

/** Pairwise combinations of operation, carrier, form of the key and the rest of the request. */
const carriedCombinations: readonly Combination[] = pairwise(
  [operations.length, carriers.length, carriedForms.length, requestVariants.length],
  new Random(17),
).flatMap(([operation = 0, carrier = 0, form = 0, variant = 0]) => {
  const parts = [operations[operation], carriers[carrier], carriedForms[form], requestVariants[variant]] as const;
  const [protectedOperation, by, as, beside] = parts;
  if (!protectedOperation || !by || !as || !beside) return [];
  const hasSession = protectedOperation !== automationOperation;
  if (as === "key" && isSentPlainly(by)) return [];
  const fitting = beside === "other-session" && !hasSession ? "plain" : beside;
  return [{ protectedOperation, credentials: `${by.place}:${by.scheme}:${as}` as const, variant: fitting }];
});

const formatWords = ({ protectedOperation, credentials, variant }: Combination): string =>
  `${protectedOperation.word} ${credentials} ${variant}`;

/**
 * Returns the combinations of a wrong key elsewhere with nothing in `Authorization`, beside a query or for another session, that no pair
 * contains already: a server may check credentials only for addresses and sessions that it knows.
 */
const wrongKeysBeside = (variant: RequestVariant, all: readonly ProtectedOperation[]): Combination[] =>
  all
    .filter((protectedOperation) =>
      carriedCombinations.every((one) => {
        const isWrongKeyElsewhere = !isWhole(one) && splitCredentials(one.credentials)?.place !== "authorization";
        return one.protectedOperation !== protectedOperation || one.variant !== variant || !isWrongKeyElsewhere;
      }),
    )
    .map((protectedOperation) => ({ protectedOperation, credentials: "x-api-key:alone:wrong", variant }));

/** Combination in which neither the scheme nor the key is valid: see `harmless-requests.ts`. */
const allWrong: Combination = {
  protectedOperation: automationOperation,
  credentials: "authorization:token:wrong",
  variant: "harmless",
};

const combinations: readonly Combination[] = [
  ...new Map(
    [
      ...tokenCombinations,
      ...keyElsewhere,
      ...wrongKeysBeside("query", operations),
      ...wrongKeysBeside("other-session", sessionOperations),
      wrongKeyElsewhere,
      allWrong,
      ...carriedCombinations,
    ].map((one) => [formatWords(one), one] as const),
  ).values(),
];

function formatName({ credentials, variant }: Combination): string {
  const beside = variant === "harmless" ? "without-query" : variant;
  return `${credentials.replaceAll(":", "-")}${variant === "plain" ? "" : `-and-${beside}`}`;
}

function makeProbe(combination: Combination): Probe {
  const { protectedOperation, credentials, variant } = combination;
  const probe = makeUnauthorizedProbe(protectedOperation, `credentials-${formatName(combination)}`, credentials, {
    ...(variant === "headers" && { headers: everyOptionalHeader }),
    ...(variant === "harmless" && { isHarmless: true }),
  });
  if (variant === "other-session") {
    return {
      ...probe,
      request: (target) => {
        const { sessionId, endedSessionId } = target;
        return probe.request({ ...target, sessionId: endedSessionId, endedSessionId: sessionId });
      },
    };
  }
  if (variant !== "query") return probe;
  return {
    ...probe,
    request: (target) => {
      const plan = probe.request(target);
      return { ...plan, path: `${plan.path}?conformance=1` };
    },
  };
}

const probesBy = new Map(combinations.map((combination) => [makeProbe(combination), combination]));

/** Requests with unauthorized credentials in many forms; those that could start a run are last. */
export const composedCredentialProbes: readonly Probe[] = [...probesBy.keys()].toSorted(
  (one, other) => Number(one.operation === "automation_start") - Number(other.operation === "automation_start"),
);

/** Returns the ids of the requests to an operation that combine such credentials. */
export function listIds({ word }: ProtectedOperation, takes: (combination: Combination) => boolean): string[] {
  return [...probesBy].flatMap(([{ id }, combination]) =>
    combination.protectedOperation.word === word && takes(combination) ? [id] : [],
  );
}
