import { makeCheck } from "../make-check.ts";
import { splitCredentials } from "../../http/credentials.ts";
import { succeeded } from "../../http/exchange.ts";
import { judge401, judgeRefused } from "../answers.ts";
import { inError, judgeStatus, nothingSeen, type Check, type Exchanges } from "../check.ts";
import { listIds, isWhole, operations, type Combination } from "./credential-grammar.ts";
import { isKeyTaken, explainUntestedKey, isAutomationMissing, reportMissingAutomation } from "./harmless-requests.ts";
import { automationOperation, keyEvidence, type ProtectedOperation } from "./protected-operations.ts";

/** Judgement where another request without the valid key is accepted. */
export const acceptedElsewhere = nothingSeen(
  "Another request without the valid key is accepted; the check of that reports it.",
);

/** Returns whether one of the requests was accepted: then another check reports it. */
export function wasAccepted(ids: readonly string[], run?: Exchanges): boolean {
  return ids.some((id) => {
    const exchange = run?.get(id);
    return exchange !== undefined && succeeded(exchange);
  });
}

/** Ids of the requests without a key or with an obviously wrong one. */
export const listInvalidKeyProbes = ({ word }: ProtectedOperation): string[] =>
  ["without-key", "with-wrong-key"].flatMap((name) => [`${word}/${name}`, `${word}/${name}-and-headers`]);

/** Returns the ids of the requests that show what an answer to others without the valid key is worth. */
export const listConsulted = (protectedOperation: ProtectedOperation): string[] => [
  ...listInvalidKeyProbes(protectedOperation),
  ...(protectedOperation === automationOperation ? keyEvidence : []),
];

/** Returns whether `Authorization` is missing, and a header or cookie has a wrong key. The effect of a query is not shown. */
function lacksKey(combination: Combination): boolean {
  const place = splitCredentials(combination.credentials)?.place;
  return !isWhole(combination) && place !== "authorization" && place !== "query" && combination.variant !== "query";
}

/** Forms of a token with the usual spelling of tokens: how a server answers another spelling is not shown. */
const tokenLike: ReadonlySet<string> = new Set(["twice", "word-null", "word-undefined"]);

/** Returns whether the header `Authorization` contains a wrong key, spelled as keys are. */
function hasWrongToken({ credentials }: Combination): boolean {
  const parts = splitCredentials(credentials);
  return parts?.place === "authorization" && parts.scheme === "bearer" && tokenLike.has(parts.form);
}

/** Makes a check that the automation answers some requests without the valid key with 401. */
const make401Check = (name: string, isSuch: (combination: Combination) => boolean): Check =>
  makeCheck(
    `automation/401-${name}`,
    listIds(automationOperation, isSuch),
    (exchange, _, run) => {
      if (wasAccepted(listInvalidKeyProbes(automationOperation), run)) return acceptedElsewhere;
      if (isAutomationMissing(exchange, run)) return reportMissingAutomation(exchange);
      return judge401(exchange, "the key is missing or not valid");
    },
    { consults: listConsulted(automationOperation) },
  );

/** Returns a judge of unauthorized requests. It judges nothing when a request without a key was accepted. */
const refuses =
  (why: string, others: readonly string[]): Check["judge"] =>
  (exchange, _, run) => {
    if (wasAccepted(others, run)) return acceptedElsewhere;
    return isAutomationMissing(exchange, run) ? reportMissingAutomation(exchange) : judgeRefused(exchange, why);
  };

/** Returns a judge of automation requests with the key elsewhere. They have no `query`, so they never start a run. */
const refusesElsewhere =
  (others: readonly string[]): Check["judge"] =>
  (exchange, target, run) => {
    const judgement = refuses("the key is not a Bearer token in the header Authorization", others)(
      exchange,
      target,
      run,
    );
    if (exchange.operation !== "automation_start" || judgement.assertions === 0 || judgement.findings.length > 0)
      return judgement;
    const received = `${exchange.response?.status}, as with the key: its body was looked at`;
    return (
      explainUntestedKey(exchange, run) ??
      judgeStatus(!isKeyTaken(exchange, run), "the refusal of a wrong key", received)
    );
  };

/** Judges that no credentials break the server. */
const judgeAnswered: Check["judge"] = ({ response, failure }) => {
  if (!response) return inError(failure?.message ?? "no response");
  if (response.status === 503) return inError("The target answered 503: it asks to retry later.");
  return judgeStatus(response.status < 500, "a status below 500", response.status);
};

function listChecks(protectedOperation: ProtectedOperation): Check[] {
  const { word, operation } = protectedOperation;
  const invalidKeyIds = listInvalidKeyProbes(protectedOperation);
  const ids = listIds(protectedOperation, (combination) => !isWhole(combination));
  const wholeIds = listIds(protectedOperation, isWhole);
  const consults = listConsulted(protectedOperation);
  return [
    makeCheck(
      `${word}/refuses-altered-credentials`,
      ids,
      refuses("the key is missing, wrong or altered", invalidKeyIds),
      { title: "A missing, wrong or altered key does not succeed, in whatever scheme and place.", operation, consults },
    ),
    makeCheck(`${word}/refuses-key-elsewhere`, wholeIds, refusesElsewhere([...invalidKeyIds, ...ids]), {
      title: "The key in another place or under another scheme does not succeed.",
      operation,
      consults: [...consults, ...ids],
    }),
    makeCheck(
      `${word}/answers-any-credentials`,
      listIds(protectedOperation, () => true),
      judgeAnswered,
      { title: "No credentials are answered with a failure of the server.", operation },
    ),
  ];
}

/** Checks of credentials by grammar. Source: interface § Authentication. */
export const composedCredentialChecks: readonly Check[] = [
  ...operations.flatMap(listChecks),
  make401Check("missing-key-in-any-company", lacksKey),
  make401Check("wrong-key-in-any-form", hasWrongToken),
];
