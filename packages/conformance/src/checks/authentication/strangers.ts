import type { RequestPlan } from "../../http/request-plan.ts";
import type { Target } from "../../target/target.ts";
import { operations } from "./credential-grammar.ts";
import { makeCheck } from "../make-check.ts";
import { strangerNames, wrongKey } from "../../http/credentials.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Probe } from "../../http/probe.ts";
import { completeWords } from "../../http/own-words.ts";
import { judgeRefused } from "../answers.ts";
import { judgeStatus, nothingSeen, type Check, type Judgement } from "../check.ts";
import { acceptedElsewhere, listConsulted, listInvalidKeyProbes, wasAccepted } from "./composed-credentials.ts";
import { reportMissingAutomation, isAutomationMissing } from "./harmless-requests.ts";
import { automationOperation, makeUnauthorizedProbe, type ProtectedOperation } from "./protected-operations.ts";

/** Id of a session that does not exist: it is made for this purpose. */
const unknownSession = "c0f0c0f0-1111-4111-8111-1111c0f0c0f0";

/** Headers in which gateways and SDKs of other services look for a key, each with a wrong one. */
const otherKeyHeaders: Readonly<Record<string, string>> = Object.fromEntries(
  ["x-auth-token", "x-access-token", "api-key", "x-authentication", "authentication", "x-token", "token"].map(
    (name) => [name, wrongKey],
  ),
);

/** Members of a body in which other services look for a key, each with a wrong one. */
const keyMembers: Readonly<Record<string, string>> = { api_key: wrongKey, access_token: wrongKey, token: wrongKey };

/**
 * Headers by which proxies report the origin of a request, its user, and its original address. Path and method are those of the request
 * itself: what a server does with others is not shown.
 */
function proxyHeaders(path: string, method: string): Readonly<Record<string, string>> {
  return {
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-proto": "https",
    "x-real-ip": "127.0.0.1",
    "x-client-ip": "127.0.0.1",
    "true-client-ip": "127.0.0.1",
    "cf-connecting-ip": "127.0.0.1",
    forwarded: "for=127.0.0.1;proto=https",
    via: "1.1 gateway",
    "x-original-url": path,
    "x-rewrite-url": path,
    "x-forwarded-uri": path,
    "x-http-method-override": method,
    "x-forwarded-user": "admin",
    "x-remote-user": "admin",
    "remote-user": "admin",
    "x-authenticated-user": "admin",
    "x-auth-request-user": "admin",
    "x-internal-request": "true",
  };
}

/** Changes the request of a probe. */
const changeRequest = (probe: Probe, change: (plan: RequestPlan, target: Target) => RequestPlan): Probe => ({
  ...probe,
  request: (target) => change(probe.request(target), target),
});

const withHeadersOfProxies = (probe: Probe): Probe =>
  changeRequest(probe, (plan, target) => {
    const path = plan.path.replace("/api/automation/", `/api/${completeWords(target).automationWord}/`);
    return { ...plan, headers: proxyHeaders(path, plan.method) };
  });

const withKeyInBody = (probe: Probe): Probe =>
  changeRequest(probe, ({ body = "{}", ...plan }) => {
    const members: object = JSON.parse(body);
    return { ...plan, body: JSON.stringify({ ...members, ...keyMembers }) };
  });

const forUnknownSession = (probe: Probe): Probe => ({
  ...probe,
  request: (target) => probe.request({ ...target, sessionId: unknownSession, endedSessionId: unknownSession }),
});

function listProbes(protectedOperation: ProtectedOperation): Probe[] {
  const make = (name: string, ...rest: [Parameters<typeof makeUnauthorizedProbe>[2], object?]): Probe =>
    makeUnauthorizedProbe(protectedOperation, `stranger-${name}`, ...rest);
  const hasSession = protectedOperation !== automationOperation;
  const takesBody = protectedOperation.richer !== undefined;
  return [
    ...strangerNames.map((name) => make(name, `stranger:${name}`)),
    make("with-other-headers", "none", { headers: otherKeyHeaders }),
    ...(takesBody ? [withKeyInBody(make("with-key-in-body", "none"))] : []),
    withHeadersOfProxies(make("behind-proxy", "none")),
    withHeadersOfProxies(make("behind-proxy-with-wrong-key", "wrong")),
    ...(hasSession
      ? [
          forUnknownSession(make("for-unknown-session", "none")),
          forUnknownSession(make("for-unknown-session-with-wrong-key", "wrong")),
        ]
      : []),
  ];
}

const probesByWord = new Map(operations.map((operation) => [operation.word, listProbes(operation)]));

/** Requests of strangers, in the ways in which servers let in too many. None of them contains any part of the key. */
export const strangerProbes: readonly Probe[] = [...probesByWord.values()].flat();

const isServerError = (status: number): boolean => status >= 500 && status !== 503;

/**
 * Judges a request of a stranger. A connection that is closed without a response refuses it, too. The interface names a status for the
 * refusal of the automation, so a 5xx does not count as one there.
 */
function judgeStranger(exchange: Exchange): Judgement {
  const { response, failure, operation } = exchange;
  if (operation === "automation_start" && response && isServerError(response.status))
    return judgeStatus(false, "401, or another refusal", response.status);
  if (failure?.code === "reset") return nothingSeen("The connection was closed, which refuses the request as well.");
  if (response?.status === 503) return nothingSeen("The target answered 503: it asks to retry later.");
  return judgeRefused(exchange, "the key is missing or not valid");
}

/** Judges that no stranger breaks the server. */
const judgeAnswered: Check["judge"] = ({ response }) =>
  !response || response.status === 503
    ? nothingSeen("No response came that could be judged.")
    : judgeStatus(!isServerError(response.status), "a status below 500", response.status);

function listChecks(protectedOperation: ProtectedOperation): Check[] {
  const { word, operation } = protectedOperation;
  const probes = probesByWord.get(word)?.map(({ id }) => id) ?? [];
  const refuses = makeCheck(
    `${word}/refuses-strangers`,
    probes,
    (exchange, _, run) => {
      if (wasAccepted(listInvalidKeyProbes(protectedOperation), run)) return acceptedElsewhere;
      return isAutomationMissing(exchange, run) ? reportMissingAutomation(exchange) : judgeStranger(exchange);
    },
    {
      title:
        "A missing or wrong key does not succeed, however its scheme and itself are spelled, in other headers, behind proxies and for any session.",
      operation,
      consults: listConsulted(protectedOperation),
    },
  );
  const title = "No missing or wrong key is answered with a failure of the server.";
  const answers = makeCheck(`${word}/answers-strangers`, probes, judgeAnswered, { title, operation });
  return protectedOperation === automationOperation ? [refuses] : [refuses, answers];
}

/** Checks of the requests of strangers. Source: interface § Authentication. */
export const strangerChecks: readonly Check[] = operations.flatMap(listChecks);
