import { judgeMediaType, redirectsOpen, unserved } from "../answers.ts";
import { rejectedFields } from "../blamed-fields.ts";
import { findSetupHint } from "../setup-statuses.ts";
import { explainNoAutomation, findUnserved } from "../unserved.ts";
import { type Probe } from "../../http/probe.ts";
import { inError, judgeStatus, nothingSeen, type Check, type Judgement, type Exchanges } from "../check.ts";
import { planStart } from "../../http/request-plan.ts";
import type { Operation } from "../../contract/contract.ts";
import { bodyJson, findRedirect, type Exchange } from "../../http/exchange.ts";
import { refusedAutomationChecks } from "./automation-refusals.ts";
import { refusedAutomationProbes } from "./automation-request.ts";
import { makeCheck, coverAnswers } from "../make-check.ts";

const operation: Operation = "automation_start";

function makeRunProbe(name: string, needs: NonNullable<Probe["needs"]>, prefer?: string): Probe {
  return {
    id: `automation/${name}`,
    operation,
    needs,
    expects: "success",
    startsRun: true,
    request: ({ query }) =>
      planStart({ body: JSON.stringify({ query }), ...(prefer === undefined ? {} : { headers: { prefer } }) }),
  };
}

const endings = ["done", "done-without-function", "error", "timeout", "cancelled"];

/** The billed run of a live target, the runs that a mock plays from examples, and a second billed run, where the budget allows it. */
const runProbes: readonly Probe[] = [
  makeRunProbe("run", ["automation-runs"]),
  ...endings.map((name) => makeRunProbe(`example-${name}`, ["chooses-answers"], `example=${name}`)),
  makeRunProbe("run-again", ["automation-runs"]),
];

/** Requests that start no run, and those that do. */
export const automationProbes: readonly Probe[] = [...refusedAutomationProbes, ...runProbes];

/** Ids of the probes that a conforming target answers with an event stream. */
export const runProbeIds: readonly string[] = runProbes.map(({ id }) => id);

const statusRequirement = "automation.status-200";
const keyRequirement = "auth.automation.bearer-header";

/** Returns the requirement that the refusal of a valid run violates. Source: interface § Automation request, § Errors. */
function findBroken(exchange: Exchange): string {
  const status = exchange.response?.status;
  if (status === 400) return "automation.request.body";
  if (status === 415) return "automation.request.content-type";
  return rejectedFields(exchange).includes("query") ? "automation.request.query.type" : statusRequirement;
}

/** Returns whether the key was accepted for another run. */
const wasKeyTaken = (run: Exchanges): boolean =>
  [...(run?.values() ?? [])].some(
    (other) => other.operation === operation && other.plan.credentials === "key" && other.response?.status === 200,
  );

/** Returns whether requests that must be refused are refused: then the address is that of the automation, and the key is valid. */
function isThere(run: Exchanges): boolean {
  const findStatus = (word: string): number | undefined => run?.get(`automation/${word}`)?.response?.status;
  return findStatus("without-query") === 400 && findStatus("without-key") === 401;
}

/** Hints for statuses whose cause may be the setup of runs. 502 is described by the interface, and not a matter of conformance. */
const runHints: Readonly<Record<number, string>> = {
  403: "May this API key start a run?",
  409: "Is another run under way with this key?",
  423: "Is the agent locked, as by another run?",
  424: "Did something fail that the agent depends on?",
  425: "Is the agent ready?",
  502: "The agent failed to start, or the stream is unavailable.",
};

function judgeRunStatus(exchange: Exchange, run?: Exchanges): Judgement {
  const { response, failure } = exchange;
  if (!response) return inError(failure?.message ?? "no response");
  if (findUnserved(exchange) !== undefined) return nothingSeen(unserved);
  if (findRedirect(exchange) !== undefined) return nothingSeen(redirectsOpen);
  const { status } = response;
  if (status === 401 && wasKeyTaken(run))
    return judgeStatus(false, "200, as for another run with the same key", "401", keyRequirement);
  if (status === 404) {
    if (!isThere(run))
      return inError(`The target answered 404 to a valid automation request. ${explainNoAutomation(exchange)}`);
    const expected = "200, as the automation is there: it refuses a request without query, and a wrong key";
    return judgeStatus(false, expected, "404");
  }
  const hint = runHints[status] ?? (status === 410 ? undefined : findSetupHint(status));
  if (hint) return inError(`The target answered ${status} to a valid automation request. ${hint}`);
  return judgeStatus(status === 200, "200", status, findBroken(exchange));
}

/** Judges the media type of a run. One whose body is a JSON document is not in server-sent events at all. */
function judgeMedia(exchange: Exchange): Judgement {
  const isDocument = exchange.response !== undefined && "value" in bodyJson(exchange.response);
  return judgeMediaType(exchange, "text/event-stream", isDocument ? "stream.server-sent-events" : undefined);
}

/** Checks of the request that starts a run. Source: interface § Endpoints, § Errors. */
export const automationChecks: readonly Check[] = [
  makeCheck("automation/status-200", runProbeIds, (exchange, _, run) => judgeRunStatus(exchange, run), {
    requirements: [
      statusRequirement,
      keyRequirement,
      "automation.request.body",
      "automation.request.content-type",
      "automation.request.query.type",
    ],
    coversUnplanned: true,
  }),
  makeCheck("automation/content-type", runProbeIds, judgeMedia, {
    ...coverAnswers(operation),
    requirements: ["stream.content-type", "stream.server-sent-events"],
  }),
  ...refusedAutomationChecks,
];
