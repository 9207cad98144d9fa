import { judgeRejected } from "../answers.ts";
import type { Probe } from "../../http/probe.ts";
import type { Check } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { everyOptionalHeader } from "../scrape/scrape-probe.ts";

const operation: Operation = "automation_start";
const path = "/api/automation/start";

/** One request with the key that starts no run on a target that conforms. */
interface Refused {
  readonly word: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bodies without `query`. Some have it in disguise: the profile `free` does not send those. */
const withoutQuery: readonly Refused[] = [
  { word: "with-other-fields", body: '{"task":"Open about:blank","url":"about:blank","session_id":null}' },
  { word: "with-near-names", body: '{"queries":"Open about:blank","quer":"Open about:blank","query_text":"x"}' },
  { word: "with-inherited-names", body: '{"__proto__":{},"constructor":"Open about:blank","toString":"x"}' },
  { word: "without-query", body: "{}" },
];
const disguised: readonly Refused[] = [
  { word: "with-capital-query", body: '{"Query":"Open about:blank and finish."}' },
  { word: "with-nested-query", body: '{"data":{"query":"Open about:blank and finish."}}' },
  { word: "with-inherited-query", body: '{"__proto__":{"query":"Open about:blank and finish."}}' },
];

const withHeaders: Refused = { word: "without-query-and-headers", body: "{}", headers: everyOptionalHeader };

const times = [2, 3];
const again: readonly Refused[] = times.map((time) => ({ word: `without-query-again-${time}`, body: "{}" }));

/** Not JSON, and without a `query` for those who read them all the same: both ask for 400. */
const brokenJson: readonly Refused[] = [
  { word: "with-words", body: "open about:blank, please" },
  { word: "with-single-quotes", body: "{'task': 'Open about:blank'}" },
  { word: "with-trailing-comma", body: '{"task": "Open about:blank",}' },
  { word: "with-two-values", body: "{} {}" },
  { word: "with-broken-json", body: '{"query": "Open about:blank"' },
];
const brokenAgain: readonly Refused[] = times.map((time) => ({
  word: `with-broken-json-again-${time}`,
  body: '{"query": "Open about:blank"',
}));

function probe(needs: Probe["needs"]): (refused: Refused) => Probe {
  return ({ word, body, headers }) => ({
    id: `automation/${word}`,
    operation,
    needs,
    expects: "refusal",
    startsRun: false,
    request: () => ({
      method: "POST",
      path,
      credentials: "key",
      body,
      ...(headers === undefined ? {} : { headers }),
    }),
  });
}

/** Requests that start no run. Source: ours. */
export const refusedAutomationProbes: readonly Probe[] = [
  ...[...withoutQuery, ...again, withHeaders].map(probe([])),
  ...[...brokenJson, ...brokenAgain].map(probe(["reads-any-body"])),
  ...disguised.map(probe([])),
];

function check(
  name: string,
  title: string,
  requirements: readonly [string, ...string[]],
  refused: readonly Refused[],
): Check {
  const [requirement] = requirements;
  const what = requirement === "automation.400-invalid-json" ? "a body that is not valid JSON" : "a missing `query`";
  return {
    id: `automation/${name}`,
    title,
    requirements,
    level: "stated",
    operation,
    probes: refused.map(({ word }) => `automation/${word}`),
    needs: [],
    judge: (exchange) => judgeRejected(exchange, 400, requirement, what),
  };
}

const missing = ["automation.400-query-missing", "automation.request.query.required"] as const;

/** Checks of requests that start no run. Source: interface § Errors. */
export const refusedAutomationChecks: readonly Check[] = [
  check("400-query-missing", "A request without `query` is answered with 400.", missing, withoutQuery),
  check("400-query-elsewhere", "A `query` of another spelling, or inside another field, does not count.", missing, [
    ...disguised,
  ]),
  check(
    "400-query-missing-every-time",
    "A request without `query` is answered with 400 each time, whatever its headers.",
    missing,
    [withHeaders, ...again],
  ),
  check(
    "400-invalid-json",
    "A body that is not valid JSON is answered with 400.",
    ["automation.400-invalid-json"],
    brokenJson,
  ),
  check(
    "400-invalid-json-every-time",
    "A body that is not valid JSON is answered with 400 each time.",
    ["automation.400-invalid-json"],
    brokenAgain,
  ),
];
