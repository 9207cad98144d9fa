import { beforeAll, describe, expect, test } from "vitest";
import { applicableExchanges, type Check, type Judgement } from "../../src/checks/check.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { pageChecks } from "../../src/checks/pages/page-checks.ts";
import { relationChecks } from "../../src/checks/relations/relation-checks.ts";
import { defaults } from "../../src/configuration/settings.ts";
import { checks as allChecks, listProbes } from "../../src/run/suite.ts";
import { Consulted } from "./consulted.ts";
import { listBroken, ownFaults } from "../broken-exchanges/broken-exchanges.ts";
import type { Alter } from "../server.ts";
import { exchangeAll, target } from "../without-socket.ts";

/** Those about pages need a server that opens some: their faults are in pages/. */
const ofPages = new Set([...pageChecks, ...relationChecks].map(({ id }) => id));
const checks = allChecks.filter(({ id }) => !ofPages.has(id));

const consulted = new Consulted();

let conforming: ReadonlyMap<string, Exchange>;

/** Judgements of a check on the exchanges of the conforming server. */
interface JudgedExchange {
  readonly check: Check;
  readonly judgements: readonly Judgement[];
  /** The exchanges whose judgement depends on others of the run: these are judged again when one has changed. */
  readonly comparing: readonly Exchange[];
}
let results: readonly JudgedExchange[];

/** The run, and a call of `onLook` whenever a judge looks at it. */
function watched(run: ReadonlyMap<string, Exchange>, onLook: () => void): ReadonlyMap<string, Exchange> {
  return new Proxy(run, {
    get(map, name) {
      onLook();
      const member: unknown = Reflect.get(map, name, map);
      return typeof member === "function" ? member.bind(map) : member;
    },
  });
}

function judgeConforming(check: Check): JudgedExchange {
  const comparing = new Set<Exchange>();
  const judgements = applicableExchanges(check, conforming.values()).map((exchange) =>
    check.judge(
      exchange,
      target,
      watched(consulted.watch(check, exchange, conforming), () => comparing.add(exchange)),
    ),
  );
  return { check, judgements, comparing: [...comparing] };
}

/** Has in one of its streams the thread in each event, and the cost in the metadata as well: checks compare them. */
const tellingTwice: Alter = (answer, { prefer }) => {
  const [, thread = "", cost = ""] = /"thread_id":"([^"]+)".*"total_cost_usd":([\d.]+)/.exec(answer.body) ?? [];
  if (!prefer.includes("done-without-function")) return answer;
  const body = answer.body
    .replace('"type":"status"', `$&,"thread_id":"${thread}"`)
    .replace(`"thread_id":"${thread}"}`, `"thread_id":"${thread}","total_cost_usd":${cost}}`);
  return { ...answer, body };
};

beforeAll(async () => {
  conforming = await exchangeAll(listProbes(defaults.seed), tellingTwice);
  results = checks.map(judgeConforming);
});

/** Ids of the checks that have a finding once one exchange has another answer: nobody had one before. */
function failingWith(broken: Exchange): string[] {
  const run = new Map([...conforming, [broken.id, broken]]);
  return results.flatMap(({ check, comparing }) => {
    const others = comparing.filter(({ id }) => id !== broken.id);
    const findings = [...applicableExchanges(check, [broken]), ...others].flatMap(
      (exchange) => check.judge(exchange, target, consulted.watch(check, exchange, run)).findings,
    );
    return findings.length > 0 ? [check.id] : [];
  });
}

/** An exchange that breaks a sentence of a check, and of no other check. */
function findBrokenAlone(check: Check): Exchange | undefined {
  for (const broken of listBroken(check, conforming)) if (failingWith(broken).join() === check.id) return broken;
  return undefined;
}

describe("every check", () => {
  test.for(checks)("$id sees something on a conforming server, and finds nothing wrong", (check) => {
    const { judgements = [] } = results.find((one) => one.check === check) ?? {};
    expect(judgements.flatMap((judgement) => judgement.findings)).toEqual([]);
    expect(judgements.flatMap((judgement) => judgement.error ?? [])).toEqual([]);
    expect(judgements.some((judgement) => judgement.assertions > 0)).toBe(true);
  });

  test.for(checks)("$id fails on a fault of its sentence, and alone", (check) => {
    const alone = findBrokenAlone(check);
    const [first] = alone ? check.judge(alone, target, conforming).findings : [];
    expect(alone, "an exchange that breaks a sentence of the check alone").toBeDefined();
    expect(check.requirements).toContain(first?.requirement ?? check.requirements[0]);
  });

  test("names all that it consults, so that it judges alone as in a whole run", () => {
    expect(consulted.unnamed).toEqual([]);
  });

  test("has a fault of its own only where there is the check", () => {
    const ids = new Set(checks.map(({ id }) => id));
    expect([...ownFaults.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });
});
