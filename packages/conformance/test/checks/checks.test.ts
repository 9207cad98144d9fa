import { beforeAll, describe, expect, test } from "vitest";
import { applicableExchanges } from "../../src/checks/check.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { pageChecks } from "../../src/checks/pages/page-checks.ts";
import { relationChecks } from "../../src/checks/relations/relation-checks.ts";
import { defaults } from "../../src/configuration/settings.ts";
import { checks as allChecks, probesOf } from "../../src/run/suite.ts";
import type { Target } from "../../src/target/target.ts";
import { defaultLimits } from "../../src/http/limits.ts";
import { outgoingOf, transmit } from "../../src/http/transport.ts";
import { applyFault, faults } from "../faults/faults.ts";
import { startServer } from "../server.ts";

/** Those about pages need a server that opens some: their faults are in pages/. */
const checks = allChecks.filter((check) => !pageChecks.includes(check) && !relationChecks.includes(check));

let conforming: ReadonlyMap<string, Exchange>;
let target: Target;

beforeAll(async () => {
  await using server = await startServer();
  const { target: seen } = server;
  target = seen;
  const made = await Promise.all(
    probesOf(defaults.seed).map((probe) => transmit(outgoingOf(seen, probe), defaultLimits)),
  );
  conforming = new Map(made.map(({ exchange }) => [exchange.id, exchange]));
});

/** Ids of the checks that have a finding. */
function failing(exchanges: ReadonlyMap<string, Exchange>): string[] {
  return checks
    .filter((check) =>
      applicableExchanges(check, exchanges.values()).some(
        (exchange) => check.judge(exchange, target, exchanges).findings.length > 0,
      ),
    )
    .map((check) => check.id);
}

describe("every check", () => {
  test.for(checks)("$id sees something on a conforming server, and finds nothing wrong", (check) => {
    const judged = applicableExchanges(check, conforming.values()).map((exchange) =>
      check.judge(exchange, target, conforming),
    );
    expect(judged.flatMap((judgement) => judgement.findings)).toEqual([]);
    expect(judged.flatMap((judgement) => judgement.error ?? [])).toEqual([]);
    expect(judged.some((judgement) => judgement.seen > 0)).toBe(true);
  });

  test.for(checks)("$id fails on its fault, and alone", ({ id, requirements }) => {
    const fault = faults.get(id);
    if (!fault) throw new Error(`there is no fault for ${id}`);
    const exchange = conforming.get(fault.probe);
    if (!exchange) throw new Error(`there is no exchange ${fault.probe}`);
    const broken = applyFault(exchange, fault);
    expect(failing(new Map([...conforming, [fault.probe, broken]]))).toEqual([id]);
    const findings = checks.find((check) => check.id === id)?.judge(broken, target, conforming).findings ?? [];
    expect(requirements).toContain(findings[0]?.requirement);
  });

  test("has a fault, and every fault has a check", () => {
    expect([...faults.keys()].sort()).toEqual(checks.map(({ id }) => id).sort());
  });
});
