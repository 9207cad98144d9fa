import { describe, expect, test } from "vitest";
import { findAuthorization, swapCase, type Credentials } from "../../src/http/credentials.ts";
import { openRequestProbes, openRunProbes } from "../../src/checks/circumstances/open-requests.ts";
import {
  foreignNames,
  inheritedNames,
  listNearNames,
  makeRandomNames,
} from "../../src/checks/generation/hostile-names.ts";
import { objectText } from "../../src/checks/generation/json-object.ts";
import { pairwise } from "../../src/checks/generation/pairs.ts";
import { Random } from "../../src/checks/generation/random.ts";
import { scrapeFields } from "../../src/contract/request-fields.ts";
import { isOfType, namedSchema, listProblems, schemaAt, findTypes } from "../../src/contract/contract.ts";
import { couldStartRun } from "../../src/http/profile.ts";
import { findPage } from "../../src/checks/pages/page-probes.ts";
import { checks, listProbes } from "../../src/run/suite.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { type Target } from "../../src/target/target.ts";
import { makeOutgoing } from "../../src/http/transport.ts";
import { apiKey, endedSessionId, sessionId, type Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";

const target: Target = liveTarget({ baseUrl: "https://api.example", apiKey, sessionId, endedSessionId });
const collectRequests = (seed: number): string[] =>
  listProbes(seed).map((probe) => JSON.stringify(makeOutgoing(target, probe)));

/** Ids whose requests are the same kind whatever the seed is. */
const stable = (seed: number): string[] =>
  listProbes(seed)
    .map(({ id }) => id)
    .filter((id) => !id.startsWith("scrape/pair-"));

describe("the requests of a seed", () => {
  test("are the same each time, in the same order", () => {
    expect(collectRequests(7)).toEqual(collectRequests(7));
  });

  test("differ from those of another seed", () => {
    expect(collectRequests(7)).not.toEqual(collectRequests(8));
  });

  test.for([0, 1, 2, 3, 2 ** 31, 123_456_789])(
    "have ids that occur once, and are judged or observed: seed %i",
    (seed) => {
      const ids = listProbes(seed).map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)]);
      const judgedIds = new Set(checks.flatMap((check) => check.probes));
      const observed = new Set([...openRequestProbes, ...openRunProbes].map(({ id }) => id));
      const idle = ids.filter(
        (id) => !judgedIds.has(id) && !observed.has(id) && !id.endsWith("/unknown-session") && !findPage(id),
      );
      expect(idle).toEqual([]);
    },
  );

  test("have ids that tell what they try, whatever the seed", () => {
    expect(stable(1)).toEqual(stable(2));
    for (const id of ["scrape/unknown-__proto__", "scrape/wrong-selector-array", "scrape/with-ignored_tags-null"]) {
      expect(stable(1)).toContain(id);
    }
  });

  // Of 1,000 requests that a run may send by default, those to a target whose pages are its own leave a third.
  test.for([0, 1, 2, 3, 4, 5, 6, 7])("are at most 760 that start no run: seed %i", (seed) => {
    const free = listProbes(seed).filter(
      (probe) =>
        !findPage(probe.id) &&
        !probe.needs?.includes("chooses-answers") &&
        !couldStartRun(makeOutgoing(target, probe), target),
    );
    expect(free.filter((probe) => probe.startsRun)).toEqual([]);
    expect(free.length).toBeGreaterThan(240);
    expect(free.length).toBeLessThanOrEqual(760);
  });
});

describe("what is generated from the contract", () => {
  const fields = scrapeFields.map((field) => [field.name, field] as const);

  test("has every field of the request", () => {
    expect(scrapeFields.map(({ name }) => name)).toEqual(Object.keys(namedSchema("ScrapeRequest").properties ?? {}));
  });

  test.for(fields)("takes only valid values for valid: %s", ([name, { valid }]) => {
    expect(
      valid.filter(({ value }) => listProblems({ [name]: value }, namedSchema("ScrapeRequest")).length > 0),
    ).toEqual([]);
    expect(new Set(valid.map(({ word }) => word)).size).toBe(valid.length);
  });

  test.for(fields)("takes only invalid values for invalid: %s", ([name, { wrong, wrongItems }]) => {
    const valid = [...wrong, ...wrongItems].filter(
      ({ value }) => listProblems({ [name]: value }, namedSchema("ScrapeRequest")).length === 0,
    );
    expect(valid).toEqual([]);
  });

  test.for(fields)("never calls wrong what a lenient server may read: %s", ([name, { wrong }]) => {
    const lenient = wrong.filter(({ value }) => Number.isInteger(value) || typeof value === "boolean");
    expect(lenient).toEqual([]);
    expect(wrong.filter(({ value }) => Array.isArray(value) && value.length === 1)).toEqual([]);
    expect(wrong.map(({ value }) => value)).not.toContain("true");
    const types = findTypes(schemaAt("ScrapeRequest", [name]));
    expect(wrong.filter(({ value }) => types === undefined || isOfType(value, types))).toEqual([]);
  });

  test("knows for each field whether it may be null", () => {
    const nullable = scrapeFields.filter((field) => field.nullable).map(({ name }) => name);
    expect(nullable).toEqual(["selector", "ignored_tags", "response_format", "instructions"]);
    for (const field of scrapeFields) expect(field.valid.some(({ value }) => value === null)).toBe(field.nullable);
  });
});

describe("hostile names", () => {
  const fields = scrapeFields.map(({ name }) => name);
  const all = [...inheritedNames, ...listNearNames(fields), ...foreignNames, ...makeRandomNames(3, new Random(1))];

  test("are none of the known ones, and none occurs twice", () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name) => fields.includes(name))).toEqual([]);
    expect(names).toEqual([...new Set(names)]);
    expect(new Set(all.map(({ word }) => word)).size).toBe(all.length);
  });

  test("are made of whatever names there are, without taking one of them", () => {
    const other = listNearNames(["a", "as", "AS"]).map(({ name }) => name);
    expect(other.filter((name) => ["a", "as", "AS"].includes(name))).toEqual([]);
  });

  test("reach the wire as they are: `__proto__` is a property of the text", () => {
    expect(objectText([["__proto__", true]])).toBe('{"__proto__":true}');
    expect(
      objectText([
        ["a", 1],
        ["a", null],
      ]),
    ).toBe('{"a":1,"a":null}');
  });
});

describe("pairwise combinations", () => {
  const cases: readonly { readonly sizes: readonly number[]; readonly atMost: number }[] = [
    { sizes: [2, 2], atMost: 4 },
    { sizes: [2, 2, 2], atMost: 5 },
    { sizes: [3, 3, 3, 3], atMost: 12 },
    { sizes: [4, 3, 2, 2, 2, 2], atMost: 15 },
    { sizes: [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2], atMost: 24 },
  ];

  test.for(cases)("$sizes cover every pair, with at most $atMost rows", ({ sizes, atMost }) => {
    for (let seed = 0; seed < 10; seed += 1) {
      const rows = pairwise(sizes, new Random(seed));
      expect(rows.length).toBeLessThanOrEqual(atMost);
      const coverage = new Set(
        rows.flatMap((row) => row.flatMap((value, at) => row.map((other, next) => `${at}:${value} ${next}:${other}`))),
      );
      const missed = sizes.flatMap((size, at) =>
        sizes.flatMap((otherSize, next) => {
          const pairs = at === next ? [] : Array.from({ length: size * otherSize }, (_, n) => n);
          return pairs
            .map((n) => `${at}:${n % size} ${next}:${Math.floor(n / size)}`)
            .filter((pair) => !coverage.has(pair));
        }),
      );
      expect(missed).toEqual([]);
    }
  });

  test("of nothing, or of one factor, are no rows", () => {
    expect(pairwise([], new Random(1))).toEqual([]);
    expect(pairwise([3], new Random(1))).toEqual([]);
  });
});

/** Repeats in every answer what was sent. */
const repeating: Alter = (answer, { headers }) => ({
  ...answer,
  headers: { ...answer.headers, "x-echo": headers.authorization?.trim() || "none" },
  body: answer.body.replace(/^\{/, `{"echo":${JSON.stringify(headers.authorization ?? null)},`),
});

describe("credentials", () => {
  const rows: readonly (readonly [Credentials, string | undefined])[] = [
    ["key", "Bearer abcDEF-1"],
    ["none", undefined],
    ["empty", "Bearer "],
    ["key-first-half", "Bearer abcD"],
    ["key-but-last", "Bearer abcDEF-"],
    ["key-extended", "Bearer abcDEF-1x"],
    ["key-other-letter", "Bearer abcDFF-1"],
    ["key-other-case", "Bearer ABCdef-1"],
    ["key-as-basic", "Basic YWJjREVGLTE6"],
    ["key-as-token", "Token abcDEF-1"],
    ["key-alone", "abcDEF-1"],
    ["key-lower-scheme", "bearer abcDEF-1"],
  ];
  test.for(rows)("%s stand in the header as %s", ([kind, want]) => {
    expect(findAuthorization(kind, "abcDEF-1")).toBe(want);
  });

  test("that are wrong have nothing of the key", () => {
    expect(findAuthorization("wrong", "abcDEF-1")).not.toContain("abc");
  });

  test("reach the wire", () => {
    const credentials = new Map(
      listProbes(1).map((probe) => [probe.id, makeOutgoing(target, probe).headers["authorization"]]),
    );
    expect(credentials.get("cookies/with-key-but-last")).toBe(`Bearer ${apiKey.slice(0, -1)}`);
    expect(credentials.get("replay/with-key-alone")).toBe(apiKey);
    expect(credentials.get("scrape/without-key")).toBeUndefined();
  });

  test("leave no piece of the key in the report, even when every answer repeats what was sent", async () => {
    const key = "Canary-7f3A9c51-Zebra-0042";
    const text = JSON.stringify(await judgeWithoutSocket(repeating, { profile: "free", key }));
    const base64 = Buffer.from(`${key}:`).toString("base64");
    for (const piece of [key, key.slice(0, -1), key.slice(0, 13), swapCase(key), base64])
      expect(text).not.toContain(piece);
  });
});
