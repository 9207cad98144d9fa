/**
 * Servers that read one kind of value, name or place otherwise than the contract says: each is found by the sentence that it
 * breaks. The answers of a conforming server are altered where the fault shows, whatever the request was sent for.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { applicableExchanges, listFindings } from "../../src/checks/check.ts";
import { makeIsolatingProbes } from "../../src/checks/scrape/combined.ts";
import { scrapeRequestChecks } from "../../src/checks/scrape/request.ts";
import { namedSchema, listProblems } from "../../src/contract/contract.ts";
import { scrapeFields, judgeValue } from "../../src/contract/request-fields.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { defaults } from "../../src/configuration/settings.ts";
import { listProbes } from "../../src/run/suite.ts";
import { isObject } from "../../src/http/json.ts";
import { exchangeAll, target } from "../without-socket.ts";

let exchanges: ReadonlyMap<string, Exchange>;

const probes = listProbes(defaults.seed).filter(
  ({ operation, needs }) => operation === "page_scrape" && !needs?.includes("opens-pages"),
);

beforeAll(async () => {
  const originals = await exchangeAll(probes);
  const refused = [...originals].map(([id, exchange]): [string, Exchange] => {
    const isCombined = exchange.response && id.startsWith("scrape/pair-");
    return [id, isCombined ? { ...exchange, response: { ...exchange.response, status: 500 } } : exchange];
  });
  exchanges = new Map([...originals, ...(await exchangeAll(makeIsolatingProbes(new Map(refused))))]);
});

interface ReceivedRequest {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the problems that a server finds which does everything right. */
  readonly problems: readonly string[];
}

/** Request of each exchange; it is read once. */
const cache = new Map<Exchange, ReceivedRequest | undefined>();

function askedBy(exchange: Exchange): ReceivedRequest | undefined {
  if (!cache.has(exchange)) cache.set(exchange, readAsked(exchange));
  return cache.get(exchange);
}

/** The names of problems are those of fields; `*` stands for properties that are none. */
function readAsked({ plan: { body = "", path }, requestHeaders: headers }: Exchange): ReceivedRequest | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (!isObject(value)) return undefined;
    const query = new URL(path, "http://a").searchParams;
    const problems = listProblems(value, namedSchema("ScrapeRequest")).map(({ instancePath }) => {
      return instancePath.split("/")[1] ?? "*";
    });
    const flag = /^(true|false)$/.test(query.get("update_metadata") ?? "true") ? [] : ["update_metadata"];
    return { fields: new Map(Object.entries(value)), query, headers, problems: [...problems, ...flag] };
  } catch {
    return undefined;
  }
}

/** The requirements that are blamed when answers to some valid requests, or to some invalid ones, have another status. */
function listBlamed(alter: (request: ReceivedRequest, status: number) => number): string[] {
  const answered = (id: string): Exchange[] => {
    const exchange = exchanges.get(id);
    const request = exchange?.plan.credentials === "key" ? askedBy(exchange) : undefined;
    if (!request || !exchange?.response || ![200, 422].includes(exchange.response.status))
      return exchange ? [exchange] : [];
    return [{ ...exchange, response: { ...exchange.response, status: alter(request, exchange.response.status) } }];
  };
  const altered = new Map(probes.flatMap(({ id }) => answered(id)).map((exchange) => [exchange.id, exchange]));
  for (const { id } of makeIsolatingProbes(altered)) for (const exchange of answered(id)) altered.set(id, exchange);
  const findings = scrapeRequestChecks.flatMap((check) =>
    applicableExchanges(check, altered.values()).flatMap((exchange) =>
      listFindings(check, check.judge(exchange, target, altered), exchange),
    ),
  );
  return [...new Set(findings.map(({ requirement }) => requirement))].sort();
}

const texts = (value: unknown): string => JSON.stringify(value) ?? "";
const has = (field: string, pattern: RegExp) => (request: ReceivedRequest) => {
  const value = request.fields.get(field);
  return pattern.test(typeof value === "string" ? value : texts(value));
};

const type = (field: string): string => `scrape.request.${field}.type`;

/** Valid values that a faulty server refuses: the field, and its content. */
const refused: readonly (readonly [what: string, field: string, when: (request: ReceivedRequest) => boolean])[] = [
  ["letters with accents", "instructions", has("instructions", /ö/)],
  ["combining accents", "instructions", has("instructions", /\u0308/)],
  ["characters beyond the first plane", "instructions", has("instructions", /𠮷/u)],
  ["right-to-left text", "instructions", has("instructions", /ש/)],
  ["control characters", "instructions", ({ fields }) => texts(fields.get("instructions")).includes("\\u001b")],
  ["separators of lines", "instructions", has("instructions", /\u2028/)],
  ["markup", "instructions", has("instructions", /<script|<\/script/)],
  ["templates", "instructions", has("instructions", /\{\{/)],
  ["text that is JSON", "instructions", has("instructions", /^\{"/)],
  ["the word null", "instructions", has("instructions", /^null$/)],
  ["a thousand characters", "instructions", ({ fields }) => texts(fields.get("instructions")).length > 1000],
  ["selectors of children", "selector", has("selector", /^html > body/)],
  ["selectors in lists", "selector", has("selector", /body, conf/)],
  ["attributes", "selector", has("selector", /\[/)],
  ["positions", "selector", has("selector", /nth/)],
  ["pseudo-classes with selectors", "selector", has("selector", /:(is|where|has)\(/)],
  ["selectors that begin with a space", "selector", has("selector", /^\s/)],
  ["escapes in selectors", "selector", has("selector", /\\3/)],
  ["capitals in selectors", "selector", has("selector", /BODY/)],
  ["tags with digits", "ignored_tags", has("ignored_tags", /"h1","h6"/)],
  ["one tag alone", "ignored_tags", ({ fields }) => texts(fields.get("ignored_tags")) === '["nav"]'],
  ["a tag that comes twice", "ignored_tags", has("ignored_tags", /"nav","nav"/)],
  ["more than two hundred tags", "ignored_tags", has("ignored_tags", /x-250/)],
  ["tags with letters of other scripts", "ignored_tags", has("ignored_tags", /第/)],
  ["schemas with a property `constructor`", "response_format", has("response_format", /"constructor":/)],
  ["schemas with a property `__proto__`", "response_format", has("response_format", /"__proto__":/)],
  ["schemas with alternatives", "response_format", has("response_format", /"(any|one|all)Of"/)],
  ["schemas with conditions", "response_format", has("response_format", /"if"/)],
  ["schemas with patterns of properties", "response_format", has("response_format", /patternProperties/)],
  ["schemas that are booleans", "response_format", has("response_format", /"a":true/)],
  ["schemas with `const`", "response_format", has("response_format", /"version":\{"const"/)],
  ["schemas of a list", "response_format", has("response_format", /^\{"type":"array"/)],
  ["schemas that lie deep", "response_format", has("response_format", /("inner".*){12}/)],
];

describe("valid values", () => {
  test("get no finding as they are", () => expect(listBlamed((_, status) => status)).toEqual([]));

  test.for(refused)("a server that fails on %s (%s) is found", ([, field, when]) => {
    expect(listBlamed((request, status) => (status === 200 && when(request) ? 500 : status))).toEqual([type(field)]);
  });

  test("a server that fails on the body with all defaults written out is found", () => {
    const blame = listBlamed(({ fields }, status) =>
      status === 200 && fields.size === 9 && isDefault(fields) ? 422 : status,
    );
    expect(blame).toEqual(["scrape.request.schema"]);
  });
});

function isDefault(fields: ReadonlyMap<string, unknown>): boolean {
  return scrapeFields.every((field) => texts(fields.get(field.name)) === texts(field.default));
}

/** Invalid requests that a faulty server accepts: the name of the problem, its condition, and the requirement. */
const leniencies: readonly (readonly [
  what: string,
  problem: string,
  requirement: string,
  when: (request: ReceivedRequest) => boolean,
])[] = [
  ...scrapeFields.flatMap(({ name, wrong }) =>
    wrong.map(
      ({ word, value }) =>
        [
          `${name}: ${word}`,
          name,
          type(name),
          (request: ReceivedRequest) => texts(request.fields.get(name)) === texts(value),
        ] as const,
    ),
  ),
  [
    "an element that is null behind a hundred",
    "ignored_tags",
    "scrape.request.ignored_tags.items",
    has("ignored_tags", /x-tag-99".*null/),
  ],
  ["an object amid a list", "ignored_tags", "scrape.request.ignored_tags.items", has("ignored_tags", /",\{.*\},"/)],
  [
    "a list at the beginning of a list",
    "ignored_tags",
    "scrape.request.ignored_tags.items",
    has("ignored_tags", /^\[\[.*\],"/),
  ],
  [
    "a word that begins like true",
    "update_metadata",
    "scrape.update_metadata.type",
    ({ query }) => query.get("update_metadata") === "tru",
  ],
  [
    "a fraction in the query",
    "update_metadata",
    "scrape.update_metadata.type",
    ({ query }) => query.get("update_metadata") === "0.5",
  ],
];

describe("values that do not fit", () => {
  test.for(leniencies)("a server that takes %s is found", ([, problem, requirement, when]) => {
    const blame = listBlamed((request, status) =>
      request.problems.length === 1 && request.problems[0] === problem && when(request) ? 200 : status,
    );
    expect(blame).toEqual([requirement]);
  });
});

const names = scrapeFields.map(({ name }) => name);
const unknownIn = ({ fields }: ReceivedRequest): string[] => [...fields.keys()].filter((name) => !names.includes(name));
const readValue = (request: ReceivedRequest): unknown => request.fields.get(unknownIn(request)[0] ?? "");

/** The unknown properties that a server lets pass. */
const overlooked: readonly (readonly [what: string, when: (request: ReceivedRequest) => boolean])[] = [
  [
    "in camel case",
    (request) =>
      names.some((name) => unknownIn(request).includes(name.replace(/_(.)/g, (_, c: string) => c.toUpperCase()))),
  ],
  ["in capitals", (request) => names.some((name) => unknownIn(request).includes(name.toUpperCase()))],
  ["with a line before them", (request) => unknownIn(request).some((name) => /^_[a-z]/.test(name))],
  ["with brackets behind them", (request) => unknownIn(request).some((name) => name.endsWith("[]"))],
  ["with letters outside of ASCII", (request) => unknownIn(request).some((name) => /[^\0-\x7F]/.test(name))],
  ["that begin with $", (request) => unknownIn(request).some((name) => name.startsWith("$"))],
  ["of two hundred letters", (request) => unknownIn(request).some((name) => name.length > 200)],
  ["that are numbers", (request) => unknownIn(request).some((name) => /^\d+$/.test(name))],
  ["that objects inherit", (request) => unknownIn(request).some((name) => name in {})],
  ["that hold an empty list", (request) => texts(readValue(request)) === "[]"],
  ["that hold an empty text", (request) => readValue(request) === ""],
  ["that hold 0", (request) => readValue(request) === 0],
  ["that hold false", (request) => readValue(request) === false],
  ["that hold null", (request) => readValue(request) === null],
  ["behind all known ones", ({ fields }) => fields.size > 9 && !names.includes([...fields.keys()].at(-1) ?? "")],
];

describe("unknown properties", () => {
  test.for(overlooked)("a server that overlooks those %s is found", ([, when]) => {
    const blame = listBlamed((request, status) => (request.problems.join() === "*" && when(request) ? 200 : status));
    expect(blame).toEqual(["scrape.unknown-property-rejected"]);
  });
});

describe("two faults", () => {
  test("a server that takes requests with several faults, and none with one, is found", () => {
    const blame = listBlamed(({ problems }, status) => (problems.length > 1 ? 200 : status));
    expect(blame.length).toBeGreaterThan(0);
  });

  test("a server that answers them with 400 is found", () => {
    expect(listBlamed(({ problems }, status) => (problems.length > 1 ? 400 : status))).toEqual(["scrape.422"]);
  });
});

describe("what the document says of a value", () => {
  const rows: readonly (readonly [field: string, value: unknown, outcome: ReturnType<typeof judgeValue>])[] = [
    ["scrape_links", true, "taken"],
    ["scrape_links", "true", "open"],
    ["scrape_links", 1, "open"],
    ["scrape_links", 0.5, "refused"],
    ["scrape_links", "maybe", "refused"],
    ["scrape_links", null, "refused"],
    ["scrape_links", [true, true], "refused"],
    ["selector", null, "taken"],
    ["selector", 7, "open"],
    ["selector", {}, "refused"],
    ["selector", [], "refused"],
    ["ignored_tags", "nav", "open"],
    ["ignored_tags", ["nav", 7], "open"],
    ["ignored_tags", ["nav", null], "refused"],
    ["ignored_tags", [["nav"]], "refused"],
    ["response_format", 7, "taken"],
  ];
  test.for(rows)("`%s`: %j is %s", ([field, value, outcome]) => {
    expect(judgeValue(value, namedSchema("ScrapeRequest").properties?.[field] ?? {})).toBe(outcome);
  });
});

test.for([0, 1, 2, 3, 4, 5, 6, 7])("every kind of value has its turn in a combination: seed %i", (seed) => {
  const bodies = listProbes(seed).flatMap((probe) =>
    probe.id.startsWith("scrape/pair-") ? (probe.request(target).body ?? "") : [],
  );
  const missed = scrapeFields.flatMap(({ name, kinds }) =>
    kinds.filter(({ value }) => !bodies.some((body) => body.includes(`"${name}":${texts(value)}`))),
  );
  expect(missed).toEqual([]);
});
