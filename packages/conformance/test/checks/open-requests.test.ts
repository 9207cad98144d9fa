import { beforeAll, describe, expect, test } from "vitest";
import { openRequestObservers, openRequestProbes } from "../../src/checks/circumstances/open-requests.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { loadRequirements } from "../../src/contract/requirements.ts";
import { checks, listProbes } from "../../src/run/suite.ts";
import { exchangeAll } from "../without-socket.ts";

let exchanges: ReadonlyMap<string, Exchange>;

beforeAll(async () => {
  exchanges = await exchangeAll(openRequestProbes);
});

/** Returns the recorded values of one row. */
function listValues(row: string): readonly string[] {
  return openRequestObservers
    .filter(({ id }) => id === row)
    .flatMap(({ see }) => see([...exchanges.values()]).map(({ value }) => value));
}

/** Returns the recorded values of one request. */
function listValuesAt(id: string): readonly string[] {
  const exchange = exchanges.get(id);
  return exchange ? openRequestObservers.flatMap(({ see }) => see([exchange]).map(({ value }) => value)) : [];
}

/** Checks that are about any answer to a request of an operation, about values that are open to a reading, or about a run in place of a refusal. */
const isOfAny = (id: string): boolean =>
  id.endsWith("/no-server-error") || ["scrape/converts-nothing", "automation/starts-no-run-without-query"].includes(id);

describe("what the interface leaves open", () => {
  test("is a row of the requirements", () => {
    const rows = openRequestObservers.map(({ id }) => id);
    const known = new Set(loadRequirements().unspecified.map(({ id }) => id));
    expect(rows.filter((id) => !known.has(id))).toEqual([]);
  });

  test("is asked by requests that are sent, each for what it shows, and for no check but those of what any answer tells", () => {
    const probeIds = new Set(listProbes(1).map(({ id }) => id));
    const checkedIds = new Set(checks.flatMap(({ id, probes }) => (isOfAny(id) ? [] : probes)));
    const ids = openRequestProbes.map(({ id }) => id);
    expect(ids.filter((id) => !probeIds.has(id) || checkedIds.has(id))).toEqual([]);
    const silent = ids.filter((id) => listValuesAt(id).length === 0);
    expect(silent).toEqual([]);
  });

  const cases: readonly (readonly [row: string, want: readonly string[]])[] = [
    [
      "open.scrape.boolean-coercion",
      [
        "scrape_links of 7: 422",
        "scrape_links of [true]: 422",
        "scrape_images of 7: 422",
        "scrape_images of [true]: 422",
        'scrape_images of "TRUE": 422',
        "only_main_content of 7: 422",
        "only_main_content of [true]: 422",
        'only_main_content of "true": 422',
        "only_images of 7: 422",
        "only_images of [true]: 422",
        'only_images of "true": 422',
        "use_link_placeholders of 7: 422",
        "use_link_placeholders of [true]: 422",
        "use_link_placeholders of 1: 422",
      ],
    ],
    [
      "open.scrape.string-coercion",
      ["selector of 7: 422", "selector of 0.5: 422", "instructions of 7: 422", "instructions of true: 422"],
    ],
    [
      "open.scrape.array-coercion",
      ['ignored_tags of "nav": 422', "ignored_tags of 0.5: 422", "ignored_tags of [7]: 422"],
    ],
    ["open.scrape.duplicate-members", ["scrape_links of {}, then of true: 200"]],
    [
      "open.scrape.validation-order",
      [
        "no key, and an unknown property: 403",
        "no key, and an unknown session: 403",
        "an unknown session, and an unknown property: 404",
      ],
    ],
    ["open.automation.missing-content-type", ["{} as text/plain: 400", "{} without Content-Type: 400"]],
    ["open.automation.error-order", ["no key, and no query: 401"]],
    ["open.automation.empty-body", ["no body: 400", "an empty body: 400", "[]: 400", "a JSON text: 400"]],
    ["open.http.trailing-slash", ["a slash at the end: 404"]],
  ];
  test.for(cases)("is told with what was sent, and what came: %s", ([row, want]) => {
    expect(listValues(row)).toEqual(want);
  });
});
