import { expect, test } from "vitest";
import type { NewHandover } from "../../src/storage/handover-store.ts";
import type { Backend } from "./backend.ts";

const makeRequest = (
  id: string,
  session_id: string,
  asked_ms = 1,
  idempotency_key: string | null = null,
): NewHandover => ({
  handover_id: id,
  session_id,
  message: "log in 言葉 😀",
  asked_by: "program",
  asked_ms,
  expires_ms: 9,
  idempotency_key,
});

/** What every store of requests for a person does. */
export function testHandoverStore(start: () => Promise<Backend>): void {
  test("a request has one answer, the first, which outlives the process", async () => {
    await using backend = await start();
    const { sessions, handovers } = await backend.open();
    await sessions.create("s", 1, "team");
    expect(await handovers.ask(makeRequest("a", "s"))).toMatchObject({ key: "team", answer: null, answered_ms: null });
    const answers = await Promise.all([
      handovers.answer("a", "done", "it \0 worked", 5),
      handovers.answer("a", "declined", null, 6),
      handovers.answer("a", "expired", null, 7),
    ]);
    expect(new Set(answers.map((record) => record?.answer)).size).toBe(1);
    const { handovers: again } = await backend.open();
    expect(await again.get("a")).toEqual(answers[0]);
    expect(await again.answer("b", "done", null, 5)).toBeUndefined();
    expect(await again.get("b")).toBeUndefined();
  });

  test("the end of a session answers what is open, for good, and changes no other answer", async () => {
    await using backend = await start();
    const { sessions, handovers } = await backend.open();
    await sessions.create("s", 1);
    await sessions.create("t", 1);
    await handovers.ask(makeRequest("a", "s"));
    await handovers.answer("a", "declined", null, 3);
    await handovers.ask(makeRequest("b", "s", 2));
    await handovers.ask(makeRequest("c", "t", 3));
    await sessions.end("s", 7, "requested");
    expect(await handovers.get("a")).toMatchObject({ answer: "declined", answered_ms: 3 });
    expect(await handovers.answer("b", "done", null, 8)).toMatchObject({ answer: "ended", answered_ms: 7, note: null });
    expect((await handovers.list(9, { state: "open" })).map(({ handover_id }) => handover_id)).toEqual(["c"]);
    expect(await handovers.countOpen()).toBe(1);
  });

  test("the same request, by its key, is one; other sessions have keys of their own", async () => {
    await using backend = await start();
    const { sessions, handovers } = await backend.open();
    await sessions.create("s", 1);
    await sessions.create("t", 1);
    await handovers.ask(makeRequest("a", "s", 1, "k"));
    expect(await handovers.ask(makeRequest("b", "s", 2, "k"))).toMatchObject({ handover_id: "a" });
    expect(await handovers.ask(makeRequest("c", "s", 3, "other"))).toMatchObject({ handover_id: "c" });
    expect(await handovers.ask(makeRequest("d", "t", 4, "k"))).toMatchObject({ handover_id: "d" });
    await expect(handovers.ask(makeRequest("e", "nowhere"))).rejects.toThrow();
  });

  test("lists are of one key, one session, one state, the newest first", async () => {
    await using backend = await start();
    const { sessions, handovers } = await backend.open();
    await sessions.create("s", 1, "team");
    await sessions.create("t", 1);
    await handovers.ask(makeRequest("a", "s", 1));
    await handovers.ask(makeRequest("b", "t", 2));
    await handovers.ask(makeRequest("c", "s", 3));
    await handovers.answer("c", "done", null, 4);
    const ids = async (...filter: Parameters<typeof handovers.list>): Promise<string> =>
      (await handovers.list(...filter)).map(({ handover_id }) => handover_id).join("");
    expect(await ids(9)).toBe("cba");
    expect(await ids(2)).toBe("cb");
    expect(await ids(9, { key: "team" })).toBe("ca");
    expect(await ids(9, { key: null })).toBe("b");
    expect(await ids(9, { key: "team", state: "open" })).toBe("a");
    expect(await ids(9, { sessionId: "s", state: "answered" })).toBe("c");
    expect([await handovers.countOpen("team"), await handovers.countOpen(null)]).toEqual([1, 1]);
  });
}
