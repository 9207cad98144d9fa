import { makeCheck, coverValidAnswers } from "../make-check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { nothingSeen, verdict, type Check, type Judgement, type Run } from "../check.ts";
import { askedOperations, type AskedOperation } from "./asked-operations.ts";
import { plainRequests } from "../accepted-key.ts";
import { absenceShown } from "../shown-sessions.ts";
import { noBodyRequirement, servedRequirements, unservedAs } from "../unserved.ts";

function judge(exchange: Exchange, requirements: readonly string[], run: Run): Judgement {
  const unserved = unservedAs(exchange) ?? absentAs(exchange, run);
  if (unserved && requirements.includes(unserved.requirement))
    return verdict(false, { ...unserved, where: "status", expected: "200" });
  return exchange.response?.status === 200
    ? { seen: 1, findings: [] }
    : nothingSeen("No valid request was answered with 200.");
}

/** Returns the requirement that an operation violates when it is not found for a session that another operation finds. */
function absentAs(exchange: Exchange, run: Run): ReturnType<typeof unservedAs> {
  if (absenceShown(exchange, run) !== "each time") return undefined;
  const received = `${exchange.response?.status} each time, and 200 by another operation on the same session`;
  return { requirement: servedRequirements(exchange.operation)[0], received };
}

/** Makes a check of the answers to valid requests of an operation, where they may violate some requirements about its place. */
function makeServedCheck(
  { operation, word, probe }: AskedOperation,
  name: string,
  requirements: readonly string[],
): Check {
  return makeCheck(`${word}/${name}`, [probe], (exchange, _, run) => judge(exchange, requirements, run), {
    ...coverValidAnswers(operation),
    requirements,
    ...(operation === "automation_start" ? {} : { consults: plainRequests }),
  });
}

/** Checks that each operation is there, as the interface says. Source: interface § Endpoints. */
export const servedChecks: readonly Check[] = [
  ...askedOperations.map((row) => makeServedCheck(row, "is-served", servedRequirements(row.operation))),
  ...askedOperations.flatMap((row) => {
    const requirement = noBodyRequirement(row.operation);
    return requirement === undefined ? [] : makeServedCheck(row, "needs-no-body", [requirement]);
  }),
];
