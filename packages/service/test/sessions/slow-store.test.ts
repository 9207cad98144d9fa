import { expect, test, vi } from "vitest";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import { SqlSessionStore } from "../../src/storage/sql/sql-session-store.ts";
import { ServiceError } from "../../src/service-error.ts";
import { Sessions, type SessionsOptions } from "../../src/sessions/sessions.ts";

/** A store whose writes take effect when the test lets them, as those of a database elsewhere do. */
class SlowStore extends SqlSessionStore {
  readonly waiting: { readonly what: "create" | "end"; readonly go: (fault?: Error) => void }[] = [];

  override async create(...of: Parameters<SqlSessionStore["create"]>): Promise<void> {
    await this.#turn("create");
    await super.create(...of);
  }

  override async end(...of: Parameters<SqlSessionStore["end"]>): Promise<void> {
    await this.#turn("end");
    await super.end(...of);
  }

  /** Lets the next write go, once it is there. */
  async next(what: "create" | "end", fault?: Error): Promise<void> {
    await vi.waitUntil(() => this.waiting[0]?.what === what, { timeout: 60_000 });
    this.waiting.shift()?.go(fault);
  }

  #turn(what: "create" | "end"): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ what, go: (fault) => (fault ? reject(fault) : resolve()) });
    });
  }
}

function sessionsOn(
  records: SqlSessionStore,
  count: number,
  parts: Pick<SessionsOptions, "secure" | "overload"> & {
    readonly clock?: { readonly now: () => number };
    readonly close?: () => Promise<void>;
  } = {},
): { readonly sessions: Sessions; readonly contexts: Set<object> } {
  const contexts = new Set<object>();
  const page = { on: () => page, url: () => "about:blank", once: () => page, isClosed: () => false };
  const newPage = (prepare: () => Promise<unknown>): Promise<object> => prepare().then(() => page);
  const context = {
    on: () => context,
    pages: () => [],
    route: () => undefined,
    setDefaultTimeout: () => undefined,
    addCookies: async () => undefined,
  };
  const { clock = { now: () => 1 }, close = async () => undefined, ...others } = parts;
  const never = new Promise<never>(() => undefined);
  const options = {
    openContext: async () => {
      const gone = (): Promise<unknown> => close().then(() => contexts.delete(pooled));
      const pooled = { context, newPage, lost: never, flooded: never, watchPages: () => undefined, close: gone };
      contexts.add(pooled);
      return pooled;
    },
    record: async () => ({ end: async () => undefined, onActivity: () => undefined, note: () => undefined }),
    checkUrl: async () => undefined,
    records,
    clock: { ...clock, at: () => () => undefined },
    monotonic: { ...clock, callAfter: () => () => undefined },
    limits: { count, idleMs: 1_000, totalMs: 1_000, memoryBytes: 1 },
    ...others,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the parts as a life without a page needs
  return { sessions: new Sessions(options as unknown as SessionsOptions), contexts };
}

async function readCode(refused: Promise<unknown>): Promise<unknown> {
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  return error instanceof ServiceError ? error.code : error;
}

const newStore = (): SlowStore => new SlowStore(new SqliteDatabase(openDatabase(":memory:")));

test("as many sessions are created as there may be, while their records are being written and while their ends are", async () => {
  const records = newStore();
  const { sessions } = sessionsOn(records, 3);
  const creations = Array.from({ length: 10 }, () => sessions.create());
  const refused = creations.slice(3).map((one) => expect(one).rejects.toMatchObject({ code: "busy" }));
  await Promise.all(refused);
  for (let left = 3; left > 0; left -= 1) await records.next("create");
  const [first] = await Promise.all(creations.slice(0, 3));
  const ending = sessions.end(first?.id ?? "");
  await expect.poll(() => records.waiting.length).toBe(1);
  await expect(sessions.create()).rejects.toMatchObject({ code: "busy" });
  await records.next("end");
  await ending;
  const next = sessions.create();
  await records.next("create");
  await next;
  expect(sessions.count).toBe(3);
});

test("a session is there as long as its record says so", async () => {
  const records = newStore();
  const { sessions } = sessionsOn(records, 1);
  const creating = sessions.create();
  await expect.poll(() => records.waiting.length).toBe(1);
  expect(await sessions.list(10)).toEqual([]);
  await records.next("create");
  const { id } = await creating;
  const ending = sessions.end(id);
  const again = sessions.end(id);
  await expect.poll(() => records.waiting.length).toBe(1);
  expect(await sessions.getRecord(id)).toMatchObject({ ended_ms: null });
  expect(sessions.open).toHaveLength(1);
  await expect(sessions.get(id)).rejects.toMatchObject({ code: "session-ended" });
  await records.next("end");
  await Promise.all([ending, again]);
  expect(await sessions.getRecord(id)).toMatchObject({ ended_ms: 1, end_reason: "requested" });
  expect(sessions.open).toHaveLength(0);
});

test("a session that ends while its record is being written has ended in it", async () => {
  const records = newStore();
  const { sessions, contexts } = sessionsOn(records, 1);
  const refusal = readCode(sessions.create());
  await expect.poll(() => records.waiting.length).toBe(1);
  const closing = sessions.close();
  await records.next("create");
  await records.next("end");
  await closing;
  expect(await refusal).toBe("stopping");
  expect(await sessions.list(10)).toMatchObject([{ end_reason: "shutdown" }]);
  expect([sessions.count, contexts.size]).toEqual([0, 0]);
});

test("a client that disconnects while the record is written leaves no open session", async () => {
  const records = newStore();
  const { sessions } = sessionsOn(records, 1);
  const caller = new AbortController();
  const refusal = readCode(sessions.create({}, { signal: caller.signal }));
  await expect.poll(() => records.waiting.length).toBe(1);
  caller.abort();
  await records.next("create");
  await records.next("end");
  expect(await refusal).toBe("session-ended");
  expect(sessions.count).toBe(0);
});

test("a session that can't be stored is refused, and leaves its slot and its browser", async () => {
  const records = newStore();
  const { sessions, contexts } = sessionsOn(records, 1);
  const refusal = readCode(sessions.create());
  await records.next("create", new Error("disk full"));
  expect(await refusal).toBe("storage-failed");
  expect([sessions.count, sessions.open.length, contexts.size]).toEqual([0, 0, 0]);
});

test("the end of a session is answered when it is stored, and can be asked for again until it is", async () => {
  const records = new SqlSessionStore(new SqliteDatabase(openDatabase(":memory:")));
  const { sessions, contexts } = sessionsOn(records, 1);
  const { id } = await sessions.create();
  const settled = vi.spyOn(records, "settle").mockRejectedValue(new Error("no connection"));
  for (let times = 0; times < 2; times += 1) expect(await readCode(sessions.end(id))).toBe("storage-failed");
  expect([sessions.count, sessions.open.length, contexts.size]).toEqual([0, 0, 0]);
  settled.mockRestore();
  expect(await sessions.end(id)).toMatchObject({ ended_ms: 1, end_reason: "requested" });
});

test("the end of a session is answered once its recording is safe, and its slot is free before", async () => {
  const called = Promise.withResolvers<string>();
  const safe = Promise.withResolvers<void>();
  const secure = (session: string): Promise<void> => {
    called.resolve(session);
    return safe.promise;
  };
  const { sessions } = sessionsOn(new SqlSessionStore(new SqliteDatabase(openDatabase(":memory:"))), 1, { secure });
  const { id } = await sessions.create();
  const answers: unknown[] = [];
  const answering = sessions.end(id).then((record) => answers.push(record.end_reason));
  expect(await called.promise).toBe(id);
  const next = await sessions.create();
  expect([answers, next.hasEnded]).toEqual([[], false]);
  safe.resolve();
  await answering;
  expect(answers).toEqual(["requested"]);
});

test("each of fifty waiting requests gets a session, and the limit is always used and never exceeded", async () => {
  const { sessions, contexts } = sessionsOn(new SqlSessionStore(new SqliteDatabase(openDatabase(":memory:"))), 7);
  const counts: number[] = [];
  let left = 50;
  const lives = Array.from({ length: 50 }, async (_, index) => {
    const session = await sessions.create({}, { key: `key-${index % 3}`, waitMs: 60_000 });
    counts.push(sessions.count - Math.min(7, left), contexts.size > 7 ? 1 : 0);
    // Ends come at different times, and several at once.
    for (let turn = 0; turn < index % 5; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
    await session.end("requested");
    left -= 1;
  });
  expect([sessions.count, sessions.queue.length]).toEqual([7, 43]);
  await expect(sessions.create()).rejects.toMatchObject({ code: "busy" });
  await Promise.all(lives);
  expect(Math.max(...counts)).toBe(0);
  expect([left, sessions.count, contexts.size, sessions.queue.length]).toEqual([0, 0, 0, 0]);
});

test("a session that fails to be created gives its slot to the next that waits", async () => {
  const records = newStore();
  const { sessions } = sessionsOn(records, 1);
  const failing = readCode(sessions.create());
  const waiting = sessions.create({}, { waitMs: 60_000 });
  await records.next("create", new Error("disk full"));
  expect(await failing).toBe("storage-failed");
  await records.next("create");
  expect((await waiting).hasEnded).toBe(false);
});

test("a session has ended when its clients are gone, however long its browser takes to close", async () => {
  const records = newStore();
  let nowMs = 1_000;
  const closing = Promise.withResolvers<void>();
  const { sessions } = sessionsOn(records, 1, {
    clock: { now: () => nowMs },
    close: async () => {
      nowMs = 9_000;
      await closing.promise;
    },
  });
  const created = sessions.create();
  await records.next("create");
  const { id } = await created;
  nowMs = 2_000;
  const ended = sessions.end(id);
  closing.resolve();
  await records.next("end");
  expect(await ended).toMatchObject({ created_ms: 1_000, ended_ms: 2_000 });
});

test("a session whose recording can't be secured ends all the same, and its end is no error", async () => {
  const records = newStore();
  const { sessions } = sessionsOn(records, 1, { secure: () => Promise.reject(new Error("the bucket is gone")) });
  const created = sessions.create();
  await records.next("create");
  const { id } = await created;
  const ended = sessions.end(id);
  await records.next("end");
  expect(await ended).toMatchObject({ end_reason: "requested" });
  expect(sessions.count).toBe(0);
});

test("an overloaded process takes no new sessions, lets requests wait, and takes them when it keeps up", async () => {
  const records = newStore();
  let overload: string | undefined = "this process is 1.0 s late with all that it does";
  const { sessions } = sessionsOn(records, 2, { overload: () => overload });
  await expect(sessions.create()).rejects.toMatchObject({ code: "busy", message: expect.stringContaining(overload) });
  expect(sessions.count).toBe(0);
  const waiting = sessions.create({}, { waitMs: sessions.leastWaitMs });
  await vi.waitUntil(() => sessions.queue.length === 1, { timeout: 4_000 });
  overload = undefined;
  expect(sessions.leastWaitMs).toBe(0);
  sessions.queue.advance();
  await records.next("create");
  await waiting;
  expect(sessions.count).toBe(1);
});
