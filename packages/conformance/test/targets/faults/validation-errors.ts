/** Targets whose answer to an invalid request is not of the form that it should have. */
import { isObject, findOperation, readValue, words, type Answer, type Fields, type Json } from "../messages.ts";
import { listBreaking, type FaultyTarget } from "../faulty-target.ts";
import { correctService, type Service } from "../service.ts";
import { other } from "../parts.ts";

const rejecting = (change: (answer: Answer) => Answer): Partial<Service> => ({
  rejects: (problems, request) => change(correctService.rejects(problems, request)),
});

/** Answers otherwise where HTML is preferred. */
const wherePreferred = (answer: Answer): Partial<Service> => ({
  rejects: (problems, request) =>
    request.headers.accept?.startsWith("text/html") ? answer : correctService.rejects(problems, request),
});

const body = (change: (value: Json) => Json): Partial<Service> =>
  rejecting((answer) => ({ ...answer, pieces: [JSON.stringify(change(readValue(answer)))] }));

const each = (change: (problem: Fields) => Json): Partial<Service> =>
  body((value) => {
    const detail = isObject(value) ? value["detail"] : null;
    return { detail: Array.isArray(detail) ? detail.filter(isObject).map(change) : [] };
  });

const field = (name: string, value?: Json): Partial<Service> => each((problem) => other(problem, { [name]: value }));
const inLoc = (value: Json): Partial<Service> =>
  each((problem) => other(problem, { loc: [...(Array.isArray(problem["loc"]) ? problem["loc"] : []), value] }));

export const validationErrorFaults: readonly FaultyTarget[] = [
  ...listBreaking("scrape.422-body", {
    "validation-error-without-a-body": rejecting(() => words(422, "")),
    "validation-error-in-words": rejecting(() => words(422, "the request is not valid")),
    "validation-error-cut-off": rejecting((answer) => ({ ...answer, pieces: ['{"detail": ['] })),
    "validation-error-is-a-list": body((value) => (isObject(value) ? (value["detail"] ?? []) : [])),
    "validation-error-is-a-string": body(() => "invalid"),
    "validation-error-is-null": body(() => null),
  }),
  ...listBreaking("validation-error.detail.required", {
    "validation-error-without-detail": body(() => ({ message: "invalid" })),
    "validation-error-has-errors-for-detail": body((value) => ({
      errors: isObject(value) ? (value["detail"] ?? []) : [],
    })),
  }),
  ...listBreaking("validation-error.detail", {
    "detail-is-a-string": body(() => ({ detail: "invalid" })),
    "detail-is-an-object": body(() => ({ detail: { loc: [], msg: "", type: "" } })),
    "detail-is-null": body(() => ({ detail: null })),
  }),
  ...listBreaking("validation-error.detail.items", {
    "problem-is-a-string": each(() => "invalid"),
    "problem-is-null": each(() => null),
    "problem-is-a-list": each((problem) => [problem]),
  }),
  ...listBreaking("validation-error.loc.required", { "problem-without-loc": field("loc") }),
  ...listBreaking("validation-error.loc", {
    "loc-is-a-path": field("loc", "body.selector"),
    "loc-is-null": field("loc", null),
    "loc-is-an-object": field("loc", { in: "body" }),
    "loc-has-null": inLoc(null),
    "loc-has-half-a-number": inLoc(0.5),
    "loc-has-a-list": inLoc(["selector"]),
    "loc-has-a-boolean": inLoc(false),
  }),
  ...listBreaking("validation-error.msg.required", { "problem-without-msg": field("msg") }),
  ...listBreaking("validation-error.msg", {
    "msg-is-null": field("msg", null),
    "msg-is-a-list": field("msg", ["invalid"]),
    "msg-is-a-number": field("msg", 422),
  }),
  ...listBreaking("validation-error.type.required", { "problem-without-type": field("type") }),
  ...listBreaking("validation-error.type", {
    "problem-type-is-null": field("type", null),
    "problem-type-is-a-number": field("type", 7),
  }),
  ...listBreaking("validation-error.ctx", {
    "ctx-is-a-string": field("ctx", "none"),
    "ctx-is-a-list": field("ctx", []),
  }),
  ...listBreaking("scrape.422-body", {
    "validation-error-is-a-page-for-browsers": wherePreferred(words(422, "<!DOCTYPE html><title>422</title>")),
  }),
  ...listBreaking("scrape.422", {
    "validation-error-is-400-for-browsers": wherePreferred(words(400, "<!DOCTYPE html><title>400</title>")),
  }),
  {
    id: "cookies-validation-error-in-words",
    requirement: "cookies.422-body",
    choosesAnswers: true,
    how: () => ({
      rejects: (problems, request) =>
        findOperation(request) === "cookies" ? words(422, "no session") : correctService.rejects(problems, request),
    }),
  },
];
