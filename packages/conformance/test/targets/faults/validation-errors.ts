/** Servers whose answer to an invalid request is not of the form that it should have. */
import { give, inJson, instead, send, set } from "../changes.ts";
import { inHeader } from "../conditions.ts";
import { breakAnswers, breakService, type Fault } from "../fault.ts";
import { findOperation, isObject, words, type Json } from "../messages.ts";
import { correctService } from "../service.ts";

const readDetail = (body: Json): Json => (isObject(body) ? (body["detail"] ?? []) : []);
const preferHtml = inHeader("accept", /^text\/html/);

export const validationErrorFaults: readonly Fault[] = [
  ...breakAnswers("scrape-invalid", {
    "scrape.422-body": {
      "validation-error-without-a-body": instead(words(422, "")),
      "validation-error-in-words": instead(words(422, "the request is not valid")),
      "validation-error-cut-off": send('{"detail": ['),
      "validation-error-is-a-list": inJson(readDetail),
      "validation-error-is-a-string": give("invalid"),
      "validation-error-is-null": give(null),
      "validation-error-is-a-page-for-browsers": [instead(words(422, "<!DOCTYPE html><title>422</title>")), preferHtml],
    },
    "validation-error.detail.required": {
      "validation-error-without-detail": give({ message: "invalid" }),
      "validation-error-has-errors-for-detail": inJson((body) => ({ errors: readDetail(body) })),
    },
    "validation-error.detail": {
      "detail-is-a-string": set("detail", "invalid"),
      "detail-is-an-object": set("detail", { loc: [], msg: "", type: "" }),
      "detail-is-null": set("detail", null),
    },
    "validation-error.detail.items": {
      "problem-is-a-string": set("detail/*", "invalid"),
      "problem-is-null": set("detail/*", null),
      "problem-is-a-list": set("detail/*", (problem) => [problem]),
    },
    "validation-error.loc.required problem-without-loc": set("detail/*/loc"),
    "validation-error.loc": {
      "loc-is-a-path": set("detail/*/loc", "body.selector"),
      "loc-is-null": set("detail/*/loc", null),
      "loc-is-an-object": set("detail/*/loc", { in: "body" }),
      "loc-has-null": set("detail/*/loc/+", null),
      "loc-has-half-a-number": set("detail/*/loc/+", 0.5),
      "loc-has-a-list": set("detail/*/loc/+", ["selector"]),
      "loc-has-a-boolean": set("detail/*/loc/+", false),
    },
    "validation-error.msg.required problem-without-msg": set("detail/*/msg"),
    "validation-error.msg": {
      "msg-is-null": set("detail/*/msg", null),
      "msg-is-a-list": set("detail/*/msg", ["invalid"]),
      "msg-is-a-number": set("detail/*/msg", 422),
    },
    "validation-error.type.required problem-without-type": set("detail/*/type"),
    "validation-error.type": {
      "problem-type-is-null": set("detail/*/type", null),
      "problem-type-is-a-number": set("detail/*/type", 7),
    },
    "validation-error.ctx": {
      "ctx-is-a-string": set("detail/*/ctx", "none"),
      "ctx-is-a-list": set("detail/*/ctx", []),
    },
    "scrape.422": {
      "validation-error-is-400-for-browsers": [instead(words(400, "<!DOCTYPE html><title>400</title>")), preferHtml],
    },
  }),
  ...breakService(
    {
      "cookies.422-body cookies-validation-error-in-words": {
        rejects: (problems, request) =>
          findOperation(request) === "cookies" ? words(422, "no session") : correctService.rejects(problems, request),
      },
    },
    { choosesAnswers: true },
  ),
];
