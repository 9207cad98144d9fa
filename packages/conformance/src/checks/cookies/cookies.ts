import type { CheckGroup } from "../check-group.ts";
import { judgeKey, plainRequests } from "../shown-sessions.ts";
import { judgeAccepted, judgeSessionJson } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import { combine, notAbout, type Check, type Judgement } from "../check.ts";
import { jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { planRead } from "../../http/request-plan.ts";
import type { Operation } from "../../contract/contract.ts";
import {
  atTheEnd,
  inBurst,
  onKeptConnection,
  listNames,
  type Repetition,
  listRepeatedReadChecks,
  repetitionNumbers,
} from "../repetitions.ts";
import { listFieldChecks, judgeField, type FieldRule } from "../fields/field-rules.ts";
import { fieldTable } from "../fields/field-table.ts";
import { makeCheck, coverAnswers } from "../make-check.ts";

const operation: Operation = "session_cookies";

function makeProbe(name: string, prefer?: string, sending: Repetition["sending"] = {}): Probe {
  return {
    id: `cookies/${name}`,
    operation,
    needs: prefer === undefined ? ["open-session"] : ["chooses-answers"],
    expects: "success",
    ...sending,
    request: ({ sessionId }) => planRead("cookies", sessionId, prefer === undefined ? {} : { headers: { prefer } }),
  };
}

/** Repeated reads. */
const again: readonly Probe[] = repetitionNumbers.map((time) => makeProbe(`read-again-${time}`));

/** Repeated reads. */
export const listCookiesProbes = (repetition: Repetition): Probe[] =>
  listNames(repetition, repetition.reads).map((name) => makeProbe(`read-${name}`, undefined, repetition.sending));

/** Reads of the cookies. */
const cookiesProbes: readonly Probe[] = [
  makeProbe("read"),
  ...again,
  ...["typical", "complete", "none"].map((name) => makeProbe(`example-${name}`, `example=${name}`)),
];

const burst = listCookiesProbes(inBurst).map(({ id }) => id);
const repetitions = [...again, ...listCookiesProbes(onKeptConnection), ...listCookiesProbes(atTheEnd)].map(
  ({ id }) => id,
);
const probes = [...cookiesProbes.map(({ id }) => id), ...repetitions, ...burst];

/** Rules against null for each field of a cookie, whose rows in the table are only about types. */
const nullRules: readonly FieldRule[] = fieldTable.cookies
  .filter(([, place]) => place.startsWith("cookies/*/"))
  .map(([, place]) => ({ holds: "not-null", schema: "CookiesResponse", path: place.split("/") }));

function judgeNulls(exchange: Exchange): Judgement {
  const body = jsonAnswer(exchange, 200);
  if ("reason" in body) return notAbout(body.reason);
  return combine(
    nullRules.map((rule) => judgeField(rule, body.value, "body")),
    "No answer carried a field of a cookie.",
  );
}

/** Checks of the cookies read. Source: interface § Endpoints, § Resources and their fields. */
const cookiesChecks: readonly Check[] = [
  makeCheck(
    "cookies/status-200",
    cookiesProbes.filter((one) => !again.includes(one)).map(({ id }) => id),
    (exchange, _, run) => judgeKey(exchange, run) ?? judgeAccepted(exchange, run),
    { consults: plainRequests },
  ),
  ...listRepeatedReadChecks("cookies", repetitions, burst),
  makeCheck("cookies/json", probes, judgeSessionJson, coverAnswers(operation)),
  ...listFieldChecks("cookies", probes),
  makeCheck("cookies/fields-not-null", probes, judgeNulls, coverAnswers(operation)),
];

/** Checks of the cookies. */
export const cookiesGroup: CheckGroup = { checks: cookiesChecks, probes: () => ({ plain: cookiesProbes }) };
