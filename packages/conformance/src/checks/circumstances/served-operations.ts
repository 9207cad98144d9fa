import { isAnswerOf, type Exchange } from "../../http/exchange.ts";
import { nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { askedOperations, type AskedOperation } from "./asked-operations.ts";
import { plainRequests } from "../accepted-key.ts";
import { absenceShown } from "../shown-sessions.ts";
import { noBodyRequirement, servedRequirements, unservedAs } from "../unserved.ts";

function judge(
  exchange: Exchange,
  requirements: readonly string[],
  run: ReadonlyMap<string, Exchange> | undefined,
): Judgement {
  const unserved = unservedAs(exchange) ?? absentAs(exchange, run);
  if (unserved && requirements.includes(unserved.requirement))
    return verdict(false, { ...unserved, where: "status", expected: "200" });
  return exchange.response?.status === 200
    ? { seen: 1, findings: [] }
    : nothingSeen("No valid request was answered with 200.");
}

/** Returns the requirement that an operation violates when it is not found for a session that another operation finds. */
function absentAs(exchange: Exchange, run: ReadonlyMap<string, Exchange> | undefined): ReturnType<typeof unservedAs> {
  if (absenceShown(exchange, run) !== "each time") return undefined;
  const received = `${exchange.response?.status} each time, and 200 by another operation on the same session`;
  return { requirement: servedRequirements(exchange.operation)[0], received };
}

function servedCheck(
  { operation, word, probe }: AskedOperation,
  name: string,
  title: string,
  requirements: readonly string[],
): Check {
  return {
    id: `${word}/${name}`,
    title,
    requirements,
    operation,
    probes: [probe],
    ...(operation === "automation_start" ? {} : { consults: plainRequests }),
    appliesTo: (exchange) => exchange.expects === "success" && isAnswerOf(operation, exchange),
    judge: (exchange, _, run) => judge(exchange, requirements, run),
  };
}

const title = "The operation is there: for its method, at its path, below its address.";
const bodyTitle = "A read is answered without a body of its request.";

const withoutBody = askedOperations.flatMap((row) => {
  const requirement = noBodyRequirement(row.operation);
  return requirement === undefined ? [] : servedCheck(row, "needs-no-body", bodyTitle, [requirement]);
});

/** Checks that each operation is there, as the interface says. Source: interface § Endpoints. */
export const servedChecks: readonly Check[] = [
  ...askedOperations.map((row) => servedCheck(row, "is-served", title, servedRequirements(row.operation))),
  ...withoutBody,
];
