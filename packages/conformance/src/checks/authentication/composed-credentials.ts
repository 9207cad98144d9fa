import { keyForms, partsOf, places, schemes, type ComposedCredentials } from "../../http/credentials.ts";
import { succeeded, type Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { judgeRefused } from "../answers.ts";
import { inTrouble, nothingSeen, verdict, type Check } from "../check.ts";
import { pairwise } from "../generation/pairs.ts";
import { Random } from "../generation/random.ts";
import { everyOptionalHeader } from "../scrape/scrape-probe.ts";
import {
  automationOperation,
  sessionOperations,
  unauthorizedProbe,
  type ProtectedOperation,
} from "./protected-operations.ts";

/** The rest of the request: a server may check credentials only when headers or a query are absent, or present. */
const requestVariants = ["plain", "headers", "query"] as const;
type RequestVariant = (typeof requestVariants)[number];

const operations = [...sessionOperations, automationOperation];

/** One combination of the grammar. */
interface Combination {
  readonly protectedOperation: ProtectedOperation;
  readonly credentials: ComposedCredentials;
  readonly variant: RequestVariant;
}

/**
 * Pairwise combinations of operation, place, scheme, form of the key and the rest of the request, without the one that
 * authorizes: the key as Bearer token in `Authorization`.
 */
const combinations: readonly Combination[] = pairwise(
  [operations.length, places.length, schemes.length, keyForms.length, requestVariants.length],
  new Random(17),
).flatMap(([operation = 0, place = 0, scheme = 0, form = 0, variant = 0]) => {
  const parts = [
    operations[operation],
    places[place],
    schemes[scheme],
    keyForms[form],
    requestVariants[variant],
  ] as const;
  const [protectedOperation, at, under, as, beside] = parts;
  if (!protectedOperation || !at || !under || !as || !beside) return [];
  const authorizes = at === "authorization" && under === "bearer" && as === "key";
  return authorizes ? [] : [{ protectedOperation, credentials: `${at}:${under}:${as}` as const, variant: beside }];
});

function nameOf({ credentials, variant }: Combination): string {
  return `${credentials.replaceAll(":", "-")}${variant === "plain" ? "" : `-and-${variant}`}`;
}

function probeOf(combination: Combination): Probe {
  const { protectedOperation, credentials, variant } = combination;
  const headers = variant === "headers" ? { headers: everyOptionalHeader } : {};
  const probe = unauthorizedProbe(protectedOperation, `credentials-${nameOf(combination)}`, credentials, headers);
  if (variant !== "query") return probe;
  return {
    ...probe,
    request: (target) => {
      const plan = probe.request(target);
      return { ...plan, path: `${plan.path}?conformance=1` };
    },
  };
}

const isWhole = ({ credentials }: Combination): boolean => partsOf(credentials)?.form === "key";
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

/** An automation answers every request without the key with one status, whatever other headers hold. */
const missingKeyCheck: Check = {
  id: `${automationOperation.word}/401-missing-key-in-any-company`,
  title: "A request without `Authorization` is answered with 401, whatever other headers hold.",
  requirements: ["automation.401-missing-key"],
  level: "stated",
  operation: "automation_start",
  needs: [],
  probes: idsOf(automationOperation, lacksKey),
  judge: (exchange, _, run) => {
    if (wasAccepted(invalidKeyProbes(automationOperation), run)) return letIn;
    if (isNowhere(exchange, run)) return nowhere;
    const { response, failure } = exchange;
    if (!response) return inTrouble(failure?.message ?? "no response");
    return verdict(response.status === 401, {
      requirement: "automation.401-missing-key",
      where: "status",
      expected: "status 401",
      received: String(response.status),
    });
  },
};

/** Returns a judge of unauthorized requests. It judges nothing when a request without a key was accepted. */
const refuses =
  (why: string, about: string, others: readonly string[]): Check["judge"] =>
  (exchange, _, run) => {
    if (wasAccepted(others, run)) return letIn;
    return isNowhere(exchange, run) ? nowhere : judgeRefused(exchange, about, why);
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
      judge: refuses("the key is not a Bearer token in the header Authorization", bearerOnly, [
        ...strangers,
        ...altered,
      ]),
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
export const composedCredentialChecks: readonly Check[] = [...operations.flatMap(checksOf), missingKeyCheck];
