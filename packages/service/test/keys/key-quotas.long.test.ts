import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noQuota, type KeyHolder } from "../../src/keys/keys.ts";
import { Quotas, type QuotaOptions } from "../../src/keys/quotas.ts";
import type { KeyQuota } from "../../src/storage/key-store.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: Site;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({ "/": "<title>Teas</title>" });
});
afterAll(async () => {
  await Promise.all([running[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
});

type Ask = (method: string, path: string, body?: unknown, prefer?: string) => Promise<Response>;

async function keyWith(name: string, quota: Partial<KeyQuota>): Promise<Ask> {
  const { key } = await readAnswer<{ key: string }>(await running.ask("POST", "/control/keys", { name, quota }));
  const headers = { authorization: `Bearer ${key}` };
  return (method, path, body = {}, prefer = "") =>
    fetch(`${running.service.url}${path}`, {
      method,
      headers: { ...headers, prefer },
      ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    });
}

describe("a key with a quota", () => {
  test("has up to its quota of sessions, also with concurrent requests, and other keys have theirs", async () => {
    const ask = await keyWith("two-sessions", { sessions: 2 });
    const create = (): Promise<Response> => ask("POST", "/control/sessions");
    const answers = await Promise.all([create(), create(), create(), create()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429]);
    const refusal = answers.find(({ status }) => status === 429);
    expect(await refusal?.json()).toEqual({
      detail: "session quota of the key reached; end a session of it, or wait",
    });
    const bodies = answers.filter(({ status }) => status === 201).map((one) => readAnswer<{ session_id: string }>(one));
    const [first, second] = await Promise.all(bodies);
    const other = await running.open();
    await running.end(other.session_id);
    await ask("DELETE", `/control/sessions/${first?.session_id}`);
    const next = await readAnswer<{ session_id: string }>(await create());
    for (const id of [second?.session_id, next.session_id]) await ask("DELETE", `/control/sessions/${id}`);
  });

  test("gives back the place of a session that could not be created", async () => {
    const ask = await keyWith("one-session", { sessions: 1 });
    const refused = await ask("POST", "/control/sessions", { url: "http://169.254.169.254/" });
    expect(refused.status).toBe(422);
    const created = await ask("POST", "/control/sessions");
    expect(created.status).toBe(201);
    const { session_id: id } = await readAnswer<{ session_id: string }>(created);
    await ask("DELETE", `/control/sessions/${id}`);
  });

  test("has as many runs as it may, and its runs count among its sessions", async () => {
    const ask = await keyWith("one-run", { runs: 1, sessions: 2 });
    const query = `Open ${site.url}/ and wait 60 seconds`;
    const starts = await Promise.all([1, 2].map(() => ask("POST", "/api/automation/start", { query })));
    expect(starts.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 502]);
    const refused = starts.find(({ status }) => status === 502);
    expect(await refused?.json()).toEqual({
      error: "the agent failed to start: run quota (1) of the key reached; wait for one to end",
    });
    // What was refused has left its slot.
    expect((await ask("POST", "/control/sessions")).status).toBe(201);
    expect((await ask("POST", "/control/sessions")).status).toBe(429);
    const findRun = async (): Promise<{ thread_id: string; session_id: string | null } | undefined> => {
      const { runs } = await readAnswer<{ runs: { thread_id: string; session_id: string | null }[] }>(
        await ask("GET", "/control/runs"),
      );
      return runs[0];
    };
    // A session that is still being created is ended once it is there.
    await expect.poll(async () => (await findRun())?.session_id, { timeout: 30_000 }).toBeTruthy();
    await ask("POST", `/control/runs/${(await findRun())?.thread_id}/cancel`);
    await starts.find(({ status }) => status === 200)?.text();
    const next = await ask("POST", "/api/automation/start", { query: `Open ${site.url}/` });
    expect(await next.text()).toContain('"done"');
  });

  test("is refused a run beyond its quota before that takes a slot, or waits for one", async () => {
    const ask = await keyWith("one-of-each", { runs: 1, sessions: 1 });
    const begun = await ask("POST", "/api/automation/start", { query: "wait 60 seconds" });
    for (const prefer of ["", "wait=100"]) {
      const answer = await ask("POST", "/api/automation/start", { query: "wait 60 seconds" }, prefer);
      expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("run quota (1) of the key")]);
    }
    await begun.body?.cancel();
  });
});

const holder = (cost_usd_per_day: string): KeyHolder => {
  return { name: "team", roles: ["use"], quota: { ...noQuota, cost_usd_per_day } };
};

describe("a cost quota", () => {
  const day = 86_400_000;
  const keys: QuotaOptions["keys"] = { withLock: (_, work) => work() };
  const nobody = { countOpenElsewhere: () => Promise.resolve(0) };
  /** The most that a run may cost that is started now. */
  const budget = (
    quota: string,
    open: number,
    costsUsd: readonly string[],
    options: Partial<QuotaOptions> = {},
  ): Promise<string | undefined> => {
    const runs = { readUsage: () => Promise.resolve({ open, costsUsd }) };
    const quotas = new Quotas({ keys, sessions: nobody, runs, budgetUsd: "1", now: () => 0, ...options });
    return quotas.run(holder(quota), (budgetUsd) => Promise.resolve(budgetUsd));
  };

  test.each([
    ["5", 0, [], "1"],
    ["5", 4, [], "1"],
    ["1", 0, ["0.1", "0.2"], "0.7"],
    ["2.5", 1, ["0.7"], "0.8"],
    ["0.3", 0, ["0.1", "0.1", "0.0999999999999999999"], "0.0000000000000000001"],
  ] as const)("of %s with %d runs and costs of %j leaves a run %s", async (quota, open, costs, left) => {
    expect(await budget(quota, open, costs)).toBe(left);
  });

  test.each([
    ["1", 0, ["0.5", "0.5"], "cost quota (1 USD a day) of the key reached: 1 USD spent"],
    ["0", 0, [], "cost quota (0 USD a day) of the key reached: 0 USD spent"],
    [
      "2",
      1,
      ["1.25"],
      "cost quota (2 USD a day) of the key reached: 1.25 USD spent, and 1 active runs may cost 1 each",
    ],
  ] as const)("of %s with %d runs and costs of %j refuses a run", async (quota, open, costs, message) => {
    await expect(budget(quota, open, costs)).rejects.toMatchObject({ code: "busy", message });
  });

  test("counts from midnight in UTC", async () => {
    const times: number[] = [];
    const usage = async (_: string, sinceMs: number): Promise<{ open: number; costsUsd: string[] }> => {
      times.push(sinceMs);
      return { open: 0, costsUsd: [] };
    };
    for (const now of [3 * day - 1, 3 * day]) await budget("1", 0, [], { runs: { readUsage: usage }, now: () => now });
    expect(times).toEqual([2 * day, 3 * day]);
  });

  test("bounds nothing where runs cost nothing", async () => {
    expect(await budget("0", 0, [], { budgetUsd: undefined })).toBeUndefined();
  });

  test("is held against runs one after the other, and a start that fails keeps none from the next", async () => {
    let open = 0;
    const runs = { readUsage: () => Promise.resolve({ open, costsUsd: [] }) };
    const quotas = new Quotas({ keys, sessions: nobody, runs, budgetUsd: "1", now: () => 0 });
    const failed = quotas.run(holder("2"), () => Promise.reject(new Error("no slot")));
    const starts = [1, 2, 3, 4].map(() => quotas.run(holder("2"), async () => void (open += 1)));
    await expect(failed).rejects.toThrow("no slot");
    const ends = await Promise.allSettled(starts);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  });
});
