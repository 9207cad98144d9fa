import { describe, expect, test } from "vitest";
import type { RunBudget } from "../../src/http/budget.ts";
import type { Probe } from "../../src/http/probe.ts";
import type { SendResult } from "../../src/http/sender.ts";
import { defaultLimits } from "../../src/http/limits.ts";
import { json, startServer, type Alter, type Answer } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";
import { makeSender } from "./bare-server.ts";

/** A run, whatever the probe says of itself. */
function run(at: number, body = '{"query":"Open about:blank."}'): Probe {
  return {
    id: `run/${at}`,
    operation: "automation_start",
    expects: "success",
    startsRun: at % 2 === 0,
    request: () => ({ method: "POST", path: "/api/automation/start", credentials: "key", body }),
  };
}

const wrongKey: Probe = { ...run(100), request: () => ({ ...run(100).request(nobody), credentials: "wrong" }) };
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the probe does not look at its target
const nobody = {} as Parameters<Probe["request"]>[0];

const stream = (...events: object[]): Answer => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
});

interface Outcome {
  readonly started: number;
  /** Begins and ends of requests, in their order. */
  readonly order: readonly ("start" | "end")[];
  readonly results: readonly SendResult[];
}

/** Sends all probes at once, through one sender; the server answers each run with the next answer, again and again. */
async function sendAll(
  budget: Partial<RunBudget>,
  answers: readonly (Answer | "hang")[],
  probes: readonly Probe[],
  concurrency = 8,
): Promise<Outcome> {
  let started = 0;
  const order: ("start" | "end")[] = [];
  const alter: Alter = (answer, { body }) => {
    if (!body.includes("query")) return answer;
    order.push("start");
    const next = answers[started % answers.length] ?? answer;
    started += 1;
    return next === "hang" ? { ...stream(), leaveOpen: true } : next;
  };
  await using server = await startServer(alter);
  const sender = makeSender(server.target, {
    budget: { maxRuns: 1, maxUnintendedRuns: 1, maxCostUsd: undefined, ...budget },
    // Only a stream that hangs has to be waited for, and only to its head it may take its time.
    limits: { ...defaultLimits, ...(answers.includes("hang") && { streamTimeoutMs: 300 }) },
    concurrency,
  });
  const send = async (probe: Probe): Promise<SendResult> => {
    const result = await sender.send(probe);
    order.push("end");
    return result;
  };
  const results = await Promise.all(probes.map(send));
  return { started, order, results };
}

const refusals = (results: readonly SendResult[]): string[] =>
  results.flatMap((one) => ("refusal" in one ? [one.refusal] : []));
const done = (cost: unknown): Answer => stream({ type: "done", total_cost_usd: cost, metadata: {} });
const many = Array.from({ length: 12 }, (_, at) => run(at));

describe("a list of probes that all want a run", () => {
  type Answers = readonly (Answer | "hang")[];
  type Row = readonly [name: string, budget: Partial<RunBudget>, answers: Answers, started: number, says?: string];
  const costly = { maxRuns: 12, maxCostUsd: 5 };
  const refusing = [json(400, {}), json(429, {}), done(1)];
  const rows: readonly Row[] = [
    ["gets one, by default", {}, [done(1)], 1, "budget of 1 automation run is used up"],
    ["gets none when none is allowed", { maxRuns: 0 }, [done(1)], 0, "budget of 0 automation runs"],
    ["gets as many as are allowed", { maxRuns: 5 }, [done(1)], 5, "budget of 5"],
    ["gets all when all are allowed", { maxRuns: 12 }, [done(1)], 12],
    ["gets none beyond the cost", { ...costly, maxCostUsd: 1 }, [done(0.4)], 3, "reached the limit of 1 US dollars"],
    [
      "gets none at the cost itself",
      { ...costly, maxCostUsd: 1 },
      [done(0.5)],
      2,
      "have cost 1 US dollars, and reached",
    ],
    ["gets none for nothing", { ...costly, maxCostUsd: 0 }, [done(0)], 0, "limit of 0"],
    ["gets none after one without a cost", costly, [done(0.1), stream({ type: "error" })], 2, "reported no valid cost"],
    ["gets none after one whose cost is less than nothing", costly, [done(-100)], 1, "reported no valid cost"],
    ["gets none after one whose cost is a word", costly, [done("0.01")], 1, "reported no valid cost"],
    ["gets none after a stream that was not read to its end", costly, ["hang"], 1, "reported no valid cost"],
    ["gets none after a 502, which may have been billed", { maxRuns: 1 }, [json(502, {})], 1, "used up"],
    ["may go on after a 400, which starts nothing", { maxRuns: 1 }, refusing, 3, "used up"],
  ];

  test.for(rows)("%s", async ([, budget, answers, started, says]) => {
    const outcome = await sendAll(budget, answers, many);
    expect(outcome.started).toBe(started);
    expect(refusals(outcome.results)).toHaveLength(many.length - started);
    for (const reason of refusals(outcome.results)) expect(reason).toContain(says);
  });

  test("gets them one after the other, however many requests may be under way", async () => {
    const { order, results } = await sendAll({ maxRuns: 3 }, ["hang"], [run(0), run(2), run(4)], 8);
    expect(refusals(results)).toEqual([]);
    expect(order).toEqual(["start", "end", "start", "end", "start", "end"]);
  });

  test("gets no further one when the target starts a run for a wrong key", async () => {
    const { results } = await sendAll({ maxRuns: 1 }, [done(1)], [wrongKey, run(1)], 1);
    expect(refusals(results)).toEqual(["The budget of 1 automation run is used up (--max-runs)."]);
  });
});

describe("a list of requests that a target has to refuse", () => {
  const refused = Array.from({ length: 6 }, (_, at): Probe => ({
    ...run(at, at % 2 === 0 ? '{"data":{"query":"Open about:blank."}}' : '{"query_text":"Open about:blank."}'),
    id: `refused/${at}`,
    expects: "refusal",
  }));

  test.for([0, 1, 2])("stops after %i of them have started a run", async (most) => {
    const outcome = await sendAll({ maxRuns: 9, maxUnintendedRuns: most }, [done(0.1)], refused);
    expect(outcome.started).toBe(most);
    expect(refusals(outcome.results)).toHaveLength(refused.length - most);
    for (const reason of refusals(outcome.results)) expect(reason).toMatch(/has to refuse.*\(--max-unintended-runs\)/);
  });

  test("goes on while none of them does", async () => {
    const { results } = await sendAll({ maxUnintendedRuns: 1 }, [json(400, {})], refused);
    expect(refusals(results)).toEqual([]);
  });

  test("uses up the budget of runs", async () => {
    const { results } = await sendAll({ maxRuns: 1 }, [done(0.1)], [...refused.slice(0, 1), run(1)], 1);
    expect(refusals(results)).toEqual([
      "The budget of 1 automation run is used up (--max-runs); requests that should be refused account for 1, so allow 2 to have a run judged.",
    ]);
  });

  test("stops at the limit of cost", async () => {
    const { results } = await sendAll({ maxRuns: 9, maxUnintendedRuns: 9, maxCostUsd: 0.3 }, [done(0.2)], refused);
    expect(refusals(results)).toHaveLength(refused.length - 2);
  });
});

const costly: Alter = (answer, { url }) => (url.startsWith("/api") && answer.status === 200 ? done(0.25) : answer);

describe("a report", () => {
  test("tells the sum of what the runs cost", async () => {
    const report = await judgeWithoutSocket(costly, { maxRuns: 3 });
    expect(report.summary).toMatchObject({ automationRuns: 3, costUsd: 0.75 });
    expect(report.run.budget).toEqual({ maxRuns: 3, maxCostUsd: null });
  });

  test("tells why runs were not started", async () => {
    const report = await judgeWithoutSocket(undefined, { maxRuns: 0, only: ["stream/utf-8"], maxCostUsd: 2 });
    expect(report.checks[0]).toMatchObject({
      status: "skip",
      reason: "The budget of 0 automation runs is used up (--max-runs).",
    });
    expect(report.run).toMatchObject({ requests: 0, budget: { maxRuns: 0, maxCostUsd: 2 } });
    expect(report.verdict).toBe("nothing-checked");
  });
});
