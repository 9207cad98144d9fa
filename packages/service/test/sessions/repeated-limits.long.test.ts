import { expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

const limit = 3;

/** Statuses of answers, in order of their numbers. */
const sorted = (answers: readonly Response[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

const sessionsAt = async (running: TestService): Promise<number> => {
  const { sessions } = await readAnswer<{ sessions: number }>(await fetch(`${running.service.url}/health`));
  return sessions;
};

test("exactly as many sessions are created as there may be, again and again", async () => {
  await using running = await startTestService({ limits: { count: limit } });
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: limit + 4 }, async () => running.ask("POST", "/control/sessions", {})),
    );
    expect(sorted(answers)).toEqual([...Array<number>(limit).fill(201), ...Array<number>(4).fill(429)]);
    for (const answer of answers) {
      if (answer.status === 201) await running.end((await readAnswer<SessionView>(answer)).session_id);
      else await answer.body?.cancel();
    }
    expect(await sessionsAt(running)).toBe(0);
  }
});

test("exactly as many runs are started as there may be, again and again", async () => {
  await using running = await startTestService({ limits: { count: limit }, runLimits: { count: limit } });
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: limit + 2 }, async () =>
        running.ask("POST", "/api/automation/start", { query: "wait 1 second" }),
      ),
    );
    expect(sorted(answers)).toEqual([...Array<number>(limit).fill(200), 502, 502]);
    const texts = await Promise.all(answers.map(async (answer) => answer.text()));
    expect(texts.filter((text) => text.includes('"type":"done"'))).toHaveLength(limit);
  }
});

test("each of twelve waiting requests gets a session, and at no moment are there more than there may be", async () => {
  const queue = { count: 50, waitMs: 300_000 };
  await using running = await startTestService({ limits: { count: limit }, queue });
  const counts: number[] = [];
  const load = { isOver: false };
  const looking = (async () => {
    while (!load.isOver) counts.push(await sessionsAt(running));
  })();
  const ends = Array.from({ length: 12 }, async () => {
    const answer = await running.ask("POST", "/control/sessions", { wait_s: 300 });
    await running.end((await readAnswer<SessionView>(answer)).session_id);
    return answer.status;
  });
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 12 }, () => 201));
  load.isOver = true;
  await looking;
  expect(Math.max(...counts)).toBe(limit);
});
