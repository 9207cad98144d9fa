import { judgeAccepted, judgeJson } from "../answers.ts";
import type { Check, Probe } from "../check.ts";
import type { Operation } from "../request-plan.ts";
import { bodyCheck, fieldRules, type FieldRow } from "../fields.ts";

const operation: Operation = "session_cookies";

function probe(name: string, prefer?: string): Probe {
  return {
    id: `cookies/${name}`,
    operation,
    needs: prefer === undefined ? ["open-session"] : ["chooses-answers"],
    startsRun: false,
    request: (target) => ({
      method: "GET",
      path: `/sessions/${encodeURIComponent(target.sessionId)}/cookies`,
      credentials: "key",
      ...(prefer === undefined ? {} : { headers: { prefer } }),
    }),
  };
}

/** Reads of the cookies. Source: ours. */
export const cookiesProbes: readonly Probe[] = [
  probe("read"),
  ...["typical", "complete", "none"].map((name) => probe(`example-${name}`, `example=${name}`)),
];

const probes = cookiesProbes.map(({ id }) => id);

const cookieFields: Readonly<Record<string, string>> = {
  name: "a string",
  value: "a string",
  domain: "a string",
  path: "a string",
  httpOnly: "a boolean",
  expirationDate: "a number",
  hostOnly: "a boolean",
  sameSite: "a string",
  secure: "a boolean",
  session: "a boolean",
  storeId: "a string",
  expires: "a number",
  partitionKey: "a string",
};

const rules = fieldRules("CookiesResponse", [
  ["body-type", "", "cookies.body", "Cookies are answered with an object."],
  ["cookies-present", "cookies", "cookies.body", "`cookies` is there."],
  ["cookies-type", "cookies", "cookies.body", "`cookies` is an array."],
  ["cookie-type", "cookies/*", "cookies.items", "Each cookie is an object."],
  ...Object.entries(cookieFields).map(([field, type]): FieldRow => [
    `cookie-${field}-type`,
    `cookies/*/${field}`,
    `cookies.cookie.${field}.type`,
    `\`${field}\` of a cookie is ${type}.`,
  ]),
]);

/** Checks of the cookies read. Source: interface § Endpoints, § Resources and their fields. */
export const cookiesChecks: readonly Check[] = [
  {
    id: "cookies/status-200",
    title: "Reading cookies is answered with 200.",
    requirements: ["cookies.status-200", "cookies.method-and-path", "cookies.no-body", "service.offers-cookies"],
    level: "stated",
    operation,
    probes,
    needs: [],
    judge: (exchange) => judgeAccepted(exchange, "cookies.status-200"),
  },
  {
    id: "cookies/json",
    title: "Cookies are answered as JSON.",
    requirements: ["cookies.body-is-json", "stream.events-only-here"],
    level: "stated",
    operation,
    probes,
    needs: [],
    judge: (exchange) => judgeJson(exchange, 200, "cookies.body-is-json"),
  },
  ...rules.map((rule) => bodyCheck(rule, { operation, word: "cookies", status: 200, probes })),
];
