/** Servers that treat the request of a run otherwise than the interface says. */
import { listStatuses, refuse, startRun, status, streamError } from "../changes.ts";
import { inBody, isBroken, lacksQuery } from "../conditions.ts";
import { breakAnswers, type Fault } from "../fault.ts";
import { isJson, isObject, listMembers, type ReceivedRequest } from "../messages.ts";

/** The body has a member of such a name. */
const names =
  (isSuch: (name: string) => boolean) =>
  (request: ReceivedRequest): boolean =>
    [...listMembers(request).keys()].some(isSuch);

/** The query is where objects inherit from. */
const inherits = ({ body }: ReceivedRequest): boolean => {
  const merged: { query?: unknown } = {};
  const value: unknown = isJson({ body }) ? JSON.parse(body) : undefined;
  if (isObject(value)) Object.setPrototypeOf(merged, isObject(value["__proto__"]) ? value["__proto__"] : null);
  return merged.query !== undefined;
};

export const automationFaults: readonly Fault[] = [
  ...breakAnswers("run-refused", {
    "automation.request.query.required": {
      "starts-runs-without-a-query": [startRun, lacksQuery],
      "starts-runs-without-a-query-but-with-fields": [startRun, lacksQuery, names(() => true)],
      "reads-query-in-any-case": [startRun, names((name) => name.toLowerCase() === "query")],
      "reads-what-begins-with-query": [startRun, names((name) => name.startsWith("quer"))],
      "reads-query-inside-data": [startRun, (request) => isObject(listMembers(request).get("data"))],
      "reads-an-inherited-query": [startRun, inherits],
      "starts-runs-for-lists": [startRun, inBody(/^\[/)],
      "starts-runs-for-texts": [startRun, inBody(/^"\w/)],
      "starts-runs-for-null": [startRun, inBody(/^null$/)],
      "starts-runs-for-numbers": [startRun, inBody(/^\d+$/)],
      "starts-runs-for-the-first-of-a-list": [startRun, inBody(/^\[\{"query"/)],
      "starts-runs-for-nothing": [startRun, inBody(/^$/)],
      "takes-task-for-query": [startRun, names((name) => name === "task")],
      "missing-query-streams-an-error": [streamError("invalid", "query is missing"), lacksQuery],
    },
    "automation.400-query-missing missing-query-of-an-empty-object-answers-422": [refuse(422), inBody(/^\{\}$/)],
    "automation.400-invalid-json": {
      "broken-json-starts-a-run": [startRun, isBroken],
      "reads-json-with-trailing-commas": [refuse(500), inBody(/,\}/)],
      "reads-the-first-of-two-values": [refuse(502), inBody(/^\{\} \{\}$/)],
      "takes-words-for-the-query": [startRun, inBody(/^[a-z]/)],
    },
  }),
  ...breakAnswers(
    "run-refused",
    { "automation.400-query-missing": listStatuses("missing-query", [422, 500, 404, 401, 502], refuse) },
    { fits: lacksQuery },
  ),
  ...breakAnswers(
    "run-refused",
    { "automation.400-invalid-json": listStatuses("broken-json", [422, 500, 415], refuse) },
    { fits: isBroken },
  ),
  ...breakAnswers("run", {
    "automation.status-200 run-answers-303": status(303),
    "error.in-stream-after-connect failed-run-answers-500": refuse(500, "agent_failed"),
  }),
];
