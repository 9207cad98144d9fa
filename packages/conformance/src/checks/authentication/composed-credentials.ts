import {
  holdsKeyElsewhere,
  partsOf,
  schemes,
  type ComposedCredentials,
  type KeyForm,
  type Place,
  type Scheme,
} from "../../http/credentials.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { judgeRefused } from "../answers.ts";
import { inTrouble, nothingSeen, verdict, type Check } from "../check.ts";
import { pairwise } from "../generation/pairs.ts";
import { Random } from "../generation/random.ts";
import { everyOptionalHeader } from "../scrape/scrape-probe.ts";
import { isKeyTaken, unseenKey } from "./harmless-requests.ts";
import {
  automationOperation,
  sessionOperations,
  unauthorizedProbe,
  type ProtectedOperation,
} from "./protected-operations.ts";

/**
 * The rest of the request: a server may check credentials only when headers or a query are absent, or present, or only for sessions that
 * are open, or that have ended.
 */
const requestVariants = ["plain", "headers", "query", "other-session"] as const;
type RequestVariant = (typeof requestVariants)[number] | "harmless";

const operations = [...sessionOperations, automationOperation];

/** One combination of the grammar. */
interface Combination {
  readonly protectedOperation: ProtectedOperation;
  readonly credentials: ComposedCredentials;
  readonly variant: RequestVariant;
}

/** The whole key is there, by itself or with a word behind it: a server that takes it lets in nobody who has no key. */
const isWhole = ({ credentials }: Combination): boolean => holdsKeyElsewhere(credentials);

/** A place of credentials, and the scheme under which they stand there. */
interface Carrier {
  readonly place: Place;
  readonly scheme: Scheme;
}

/** Where servers look for a key besides `Authorization`. */
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

/** Forms of the key that are composed with every carrier. The key itself comes most often: it is what a server takes there. */
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

/** The rest of the request beside them: another session may have nothing to read, and what a query does is not shown. */
const tokenVariants = ["plain", "headers"] as const;

/** Every one of these forms for each operation; the rest of the request takes turns. */
const tokenCombinations: readonly Combination[] = tokenForms.flatMap((form, at) =>
  operations.map((protectedOperation, nth): Combination => {
    const variant = tokenVariants[(at + nth) % tokenVariants.length] ?? "plain";
    return { protectedOperation, credentials: `authorization:bearer:${form}`, variant };
  }),
);

/** Returns whether every operation gets the key itself by that carrier anyway: here, or under another scheme as `key-as-basic` does. */
const isSentPlainly = ({ place, scheme }: Carrier): boolean =>
  elsewhere.some((one) => one.place === place) || ["basic", "token", "alone"].includes(scheme);

/** A wrong key elsewhere, and nothing in `Authorization`: for the automation that has a status of its own. */
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

const wordsOf = ({ protectedOperation, credentials, variant }: Combination): string =>
  `${protectedOperation.word} ${credentials} ${variant}`;

/**
 * A wrong key elsewhere and nothing in `Authorization`, beside a query or for another session, where no pair is that already: a server may
 * check credentials only for addresses and sessions that it knows.
 */
const strangersBeside = (variant: RequestVariant, all: readonly ProtectedOperation[]): Combination[] =>
  all
    .filter((protectedOperation) =>
      carriedCombinations.every((one) => {
        const isStranger = !isWhole(one) && partsOf(one.credentials)?.place !== "authorization";
        return one.protectedOperation !== protectedOperation || one.variant !== variant || !isStranger;
      }),
    )
    .map((protectedOperation) => ({ protectedOperation, credentials: "x-api-key:alone:wrong", variant }));

/** Beside another scheme nothing is right: see `harmless-requests.ts`. */
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
      ...strangersBeside("query", operations),
      ...strangersBeside("other-session", sessionOperations),
      wrongKeyElsewhere,
      allWrong,
      ...carriedCombinations,
    ].map((one) => [wordsOf(one), one] as const),
  ).values(),
];

function nameOf({ credentials, variant }: Combination): string {
  const beside = variant === "harmless" ? "without-query" : variant;
  return `${credentials.replaceAll(":", "-")}${variant === "plain" ? "" : `-and-${beside}`}`;
}

function probeOf(combination: Combination): Probe {
  const { protectedOperation, credentials, variant } = combination;
  const probe = unauthorizedProbe(protectedOperation, `credentials-${nameOf(combination)}`, credentials, {
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

const probesBy = new Map(combinations.map((combination) => [probeOf(combination), combination]));

/** Requests with unauthorized credentials in many forms; those that could start a run are last. */
export const composedCredentialProbes: readonly Probe[] = [...probesBy.keys()].toSorted(
  (one, other) => Number(one.operation === "automation_start") - Number(other.operation === "automation_start"),
);

function idsOf({ word }: ProtectedOperation, takes: (combination: Combination) => boolean): string[] {
  return [...probesBy].flatMap(([{ id }, combination]) =>
    combination.protectedOperation.word === word && takes(combination) ? [id] : [],
  );
}

const letIn = nothingSeen("Another request without the right key is accepted; the check of that reports it.");
const nowhere = inTrouble("The target answered 404, and with the key as well. Is the automation URL right?");

/** Returns whether one of the requests was accepted: then another check reports it. */
function wasAccepted(ids: readonly string[], run?: ReadonlyMap<string, Exchange>): boolean {
  return ids.some((id) => {
    const exchange = run?.get(id);
    return exchange !== undefined && succeeded(exchange);
  });
}

/** Ids of the requests without a key or with an obviously wrong one. */
const invalidKeyProbes = ({ word }: ProtectedOperation): string[] =>
  ["without-key", "with-wrong-key"].flatMap((name) => [`${word}/${name}`, `${word}/${name}-and-headers`]);

function isNowhere(exchange: Exchange, run?: ReadonlyMap<string, Exchange>): boolean {
  return (
    exchange.operation === "automation_start" &&
    exchange.response?.status === 404 &&
    run?.get(`${automationOperation.word}/without-query`)?.response?.status === 404
  );
}

/**
 * Returns whether the header `Authorization` is missing, and a header or cookie has a wrong key. What a query does to such a request
 * is not shown.
 */
function lacksKey(combination: Combination): boolean {
  const place = partsOf(combination.credentials)?.place;
  return !isWhole(combination) && place !== "authorization" && place !== "query" && combination.variant !== "query";
}

/** Forms of a token that are spelled as tokens are: how a server answers to another spelling is not shown. */
const tokenLike: ReadonlySet<string> = new Set(["twice", "word-null", "word-undefined"]);

/** Returns whether the header `Authorization` has a wrong key in it, spelled as keys are. */
function hasWrongToken({ credentials }: Combination): boolean {
  const parts = partsOf(credentials);
  return parts?.place === "authorization" && parts.scheme === "bearer" && tokenLike.has(parts.form);
}

/** An automation answers requests without the right key with one status. */
function answers401(
  name: string,
  title: string,
  requirement: string,
  isSuch: (combination: Combination) => boolean,
): Check {
  return {
    id: `${automationOperation.word}/${name}`,
    title,
    requirements: [requirement],
    level: "stated",
    operation: "automation_start",
    needs: [],
    probes: idsOf(automationOperation, isSuch),
    judge: (exchange, _, run) => {
      if (wasAccepted(invalidKeyProbes(automationOperation), run)) return letIn;
      if (isNowhere(exchange, run)) return nowhere;
      const { response, failure } = exchange;
      if (!response) return inTrouble(failure?.message ?? "no response");
      const received = String(response.status);
      return verdict(response.status === 401, { requirement, where: "status", expected: "status 401", received });
    },
  };
}

const automationChecks: readonly Check[] = [
  answers401(
    "401-missing-key-in-any-company",
    "A request without `Authorization` is answered with 401, whatever other headers hold.",
    "automation.401-missing-key",
    lacksKey,
  ),
  answers401(
    "401-wrong-key-in-any-form",
    "A wrong key is answered with 401, also when it is a word for no value, or the key twice.",
    "automation.401-invalid-key",
    hasWrongToken,
  ),
];

/** Returns a judge of unauthorized requests. It judges nothing when a request without a key was accepted. */
const refuses =
  (why: string, about: string, others: readonly string[]): Check["judge"] =>
  (exchange, _, run) => {
    if (wasAccepted(others, run)) return letIn;
    return isNowhere(exchange, run) ? nowhere : judgeRefused(exchange, about, why);
  };

/** Returns a judge of automation requests with the key elsewhere. They have no `query`, so they never start a run. */
const refusesElsewhere =
  (about: string, others: readonly string[]): Check["judge"] =>
  (exchange, target, run) => {
    const why = "the key is not a Bearer token in the header Authorization";
    const judged = refuses(why, about, others)(exchange, target, run);
    if (exchange.operation !== "automation_start" || judged.seen === 0 || judged.findings.length > 0) return judged;
    const expected = "the refusal of a wrong key";
    const received = `${exchange.response?.status}, as with the key: its body was looked at`;
    return (
      unseenKey(exchange, run) ??
      verdict(!isKeyTaken(exchange, run), { requirement: about, where: "status", expected, received })
    );
  };

function checksOf(protectedOperation: ProtectedOperation): Check[] {
  const { word, operation, requirement } = protectedOperation;
  const bearerOnly = operation === "automation_start" ? "auth.automation.bearer-only" : "auth.session.bearer-only";
  const base = { operation, needs: [] } as const;
  const strangers = invalidKeyProbes(protectedOperation);
  const altered = idsOf(protectedOperation, (combination) => !isWhole(combination));
  return [
    {
      ...base,
      id: `${word}/refuses-altered-credentials`,
      title: "A missing, wrong or altered key does not succeed, in whatever scheme and place.",
      requirements: [requirement],
      level: "stated",
      probes: altered,
      judge: refuses("the key is missing, wrong or altered", requirement, strangers),
    },
    {
      ...base,
      id: `${word}/refuses-key-elsewhere`,
      title: "The key in another place or under another scheme does not succeed.",
      requirements: [bearerOnly],
      level: "assumed",
      probes: idsOf(protectedOperation, isWhole),
      judge: refusesElsewhere(bearerOnly, [...strangers, ...altered]),
    },
    {
      ...base,
      id: `${word}/answers-any-credentials`,
      title: "No credentials are answered with a failure of the server.",
      requirements: ["auth.no-server-error"],
      level: "assumed",
      probes: idsOf(protectedOperation, () => true),
      judge: ({ response, failure }) => {
        if (!response) return inTrouble(failure?.message ?? "no response");
        if (response.status === 503) return inTrouble("The target answered 503: it asks to retry later.");
        return verdict(response.status < 500, {
          requirement: "auth.no-server-error",
          where: "status",
          expected: "a status below 500",
          received: String(response.status),
        });
      },
    },
  ];
}

/** Checks of credentials by grammar. Source: interface § Authentication. */
export const composedCredentialChecks: readonly Check[] = [...operations.flatMap(checksOf), ...automationChecks];
