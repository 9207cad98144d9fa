/** Targets that treat the request of a run otherwise than the interface says. */
import { isJson, isObject, json, listMembers, findOperation, type Answer, type ReceivedRequest } from "../messages.ts";
import { listBreaking, type FaultyTarget } from "../faulty-target.ts";
import { correctService, type Service } from "../service.ts";
import { revise, status } from "../parts.ts";

/** Starts runs for more bodies. */
const starting = (when: (request: ReceivedRequest) => boolean): Partial<Service> => ({
  startsNoRun: (request) => (when(request) ? undefined : correctService.startsNoRun(request)),
});

/** Answers with another status where a body starts no run. */
const answering = (to: number, when: (request: ReceivedRequest) => boolean): Partial<Service> => ({
  revises: (answer, request) =>
    findOperation(request) === "automation" && answer.status === 400 && when(request)
      ? json(to, { detail: "no" })
      : answer,
});

const streamedError: Answer = {
  status: 200,
  headers: { "content-type": "text/event-stream" },
  pieces: ['data: {"type":"error","error":"invalid","detail":"query is missing"}\n\n'],
};

const lacksQuery = (request: ReceivedRequest): boolean =>
  isJson(request) && listMembers(request).get("query") === undefined;
const isBroken = (request: ReceivedRequest): boolean => !isJson(request) && request.body !== "";
const names = (request: ReceivedRequest): string[] => [...listMembers(request).keys()];
const inherits = ({ body }: ReceivedRequest): boolean => {
  const merged: { query?: unknown } = {};
  const value: unknown = isJson({ body }) ? JSON.parse(body) : undefined;
  if (isObject(value)) Object.setPrototypeOf(merged, isObject(value["__proto__"]) ? value["__proto__"] : null);
  return merged.query !== undefined;
};

export const automationFaults: readonly FaultyTarget[] = [
  ...listBreaking("automation.request.query.required", {
    "starts-runs-without-a-query": starting(lacksQuery),
    "starts-runs-without-a-query-but-with-fields": starting(
      (request) => lacksQuery(request) && names(request).length > 0,
    ),
    "reads-query-in-any-case": starting((request) => names(request).some((name) => name.toLowerCase() === "query")),
    "reads-what-begins-with-query": starting((request) => names(request).some((name) => name.startsWith("quer"))),
    "reads-query-inside-data": starting((request) => isObject(listMembers(request).get("data"))),
    "reads-an-inherited-query": starting(inherits),
    "starts-runs-for-lists": starting(({ body }) => body.startsWith("[")),
    "starts-runs-for-texts": starting(({ body }) => /^"\w/.test(body)),
    "starts-runs-for-null": starting(({ body }) => body === "null"),
    "starts-runs-for-numbers": starting(({ body }) => /^\d+$/.test(body)),
    "starts-runs-for-the-first-of-a-list": starting(({ body }) => body.startsWith('[{"query"')),
    "starts-runs-for-nothing": starting(({ body }) => body === ""),
    "takes-task-for-query": starting((request) => names(request).includes("task")),
    "missing-query-streams-an-error": {
      revises: (answer, request) =>
        findOperation(request) === "automation" && answer.status === 400 && lacksQuery(request)
          ? streamedError
          : answer,
    },
  }),
  ...listBreaking("automation.400-query-missing", {
    "missing-query-answers-422": answering(422, lacksQuery),
    "missing-query-answers-500": answering(500, lacksQuery),
    "missing-query-answers-404": answering(404, lacksQuery),
    "missing-query-answers-401": answering(401, lacksQuery),
    "missing-query-answers-502": answering(502, lacksQuery),
    "missing-query-of-an-empty-object-answers-422": answering(422, (request) => request.body === "{}"),
  }),
  ...listBreaking("automation.400-invalid-json", {
    "broken-json-answers-422": answering(422, isBroken),
    "broken-json-answers-500": answering(500, isBroken),
    "broken-json-answers-415": answering(415, isBroken),
    "broken-json-starts-a-run": starting(isBroken),
    "reads-json-with-trailing-commas": answering(500, ({ body }) => body.includes(",}")),
    "reads-the-first-of-two-values": answering(502, ({ body }) => body === "{} {}"),
    "takes-words-for-the-query": starting(({ body }) => /^[a-z]/.test(body)),
  }),
  ...listBreaking("automation.status-200", {
    "run-answers-303": revise("automation", 200, status(303)),
  }),
  ...listBreaking("error.in-stream-after-connect", {
    "failed-run-answers-500": {
      revises: (answer, request) =>
        findOperation(request) === "automation" && answer.status === 200
          ? json(500, { error: "agent_failed" })
          : answer,
    },
  }),
];
