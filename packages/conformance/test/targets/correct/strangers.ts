/** Correct targets that turn strangers, and requests that fail validation, away in ways of their own. */
import { findOperation, findSession, json, words } from "../messages.ts";
import { turnAway } from "../parts.ts";
import { apiKey, correctService } from "../service.ts";
import { correct, type CorrectTarget } from "./correct-target.ts";

export const correctAtTheDoor: readonly CorrectTarget[] = correct({
  "answers 406 where another media type than JSON is preferred": {
    rejects: (problems, request) =>
      request.headers.accept?.startsWith("text/html")
        ? words(406, "no HTML")
        : correctService.rejects(problems, request),
  },
  "reads the scheme in any case and after any white space, as RFC 9110 does": {
    admits: ({ headers }) => /^bearer[ \t]+(.*)$/i.exec(headers.authorization ?? "")?.[1] === apiKey,
  },
  "answers 431 to large headers, and 400 to keys with letters that no key has": {
    turnsAway: (request) => {
      const { authorization = "" } = request.headers;
      if (authorization.length > 8_192) return words(431, "too large");
      const isOdd = /['"{}$\\]/.test(authorization);
      return isOdd ? json(400, { detail: "malformed" }) : correctService.turnsAway(request);
    },
  },
  "looks for the session before it looks for the key": turnAway(
    json(404, { detail: "no such session" }),
    (request) =>
      findOperation(request) !== "automation" && !Object.values(correctService.sessions).includes(findSession(request)),
  ),
});
