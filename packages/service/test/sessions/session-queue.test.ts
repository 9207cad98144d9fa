import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServiceError } from "../../src/service-error.ts";
import { SessionQueue, type QueueOutcome } from "../../src/sessions/queue/session-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Places of which there is a number, and who has got one, in that order. */
class Places {
  free: number;
  readonly got: string[] = [];
  readonly left: (readonly [QueueOutcome, number])[] = [];
  readonly queue: SessionQueue;

  constructor(free: number, most = 100) {
    this.free = free;
    this.queue = new SessionQueue({
      maxWaiting: most,
      onLeave: (outcome, ms) => this.left.push([outcome, Math.round(ms)]),
    });
  }

  release(): void {
    this.free += 1;
    this.queue.advance();
  }

  readonly claim = (): number => {
    if (this.free === 0) throw new ServiceError("busy", "all are taken");
    return (this.free -= 1);
  };

  ask(name: string, key: string | null = null, waitMs = 60_000, signal?: AbortSignal): Promise<string> {
    const use = async (): Promise<string> => {
      this.got.push(name);
      return name;
    };
    const admission = this.queue.admit({ key, waitMs, signal, claim: this.claim, use });
    admission.catch(() => undefined);
    return admission;
  }

  /** Frees a place again and again until nobody waits, each time when the one before is taken. */
  async serve(): Promise<void> {
    while (this.queue.length > 0) {
      this.release();
      await vi.advanceTimersByTimeAsync(0);
    }
  }
}

test("a request gets a place at once when there is one, and is refused at once when it does not wait", async () => {
  const places = new Places(1);
  expect(await places.ask("first", null, 0)).toBe("first");
  await expect(places.ask("second", null, 0)).rejects.toMatchObject({ code: "busy", message: "all are taken" });
  expect([places.queue.length, places.queue.oldestMs, places.left]).toEqual([0, 0, []]);
});

test("those of one key are served in the order in which they came, and keys take turns", async () => {
  const places = new Places(0);
  for (const name of ["a1", "a2", "a3", "a4"]) void places.ask(name, "a");
  for (const name of ["b1", "b2"]) void places.ask(name, "b");
  void places.ask("c1", null);
  await places.serve();
  expect(places.got).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("several places that are free at once go to several keys", async () => {
  const places = new Places(0);
  for (const name of ["a1", "a2", "a3"]) void places.ask(name, "a");
  void places.ask("b1", "b");
  await vi.advanceTimersByTimeAsync(0);
  places.free = 3;
  places.queue.advance();
  await vi.advanceTimersByTimeAsync(0);
  expect(places.got).toEqual(["a1", "b1", "a2"]);
});

test("a request that does not wait gets nothing before one of its key that does", async () => {
  const places = new Places(0);
  const waiting = places.ask("first", "a");
  places.free = 1; // and nobody is told
  await expect(places.ask("second", "a", 0)).rejects.toMatchObject({ code: "busy" });
  places.queue.advance();
  expect(await waiting).toBe("first");
});

test("a key that may have no more keeps none from the others", async () => {
  const places = new Places(0);
  const over = places.queue.admit({
    key: "over",
    waitMs: 60_000,
    claim: () => {
      throw new ServiceError("busy", "quota reached");
    },
    use: async () => "never",
  });
  over.catch(() => undefined);
  void places.ask("other", "a");
  places.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(places.got).toEqual(["other"]);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(over).rejects.toMatchObject({ message: "quota reached (waited for 60.0 s)" });
});

test("a request that times out gets the reason and its waiting time", async () => {
  const places = new Places(0);
  const admission = places.ask("late", null, 2_500);
  await vi.advanceTimersByTimeAsync(2_499);
  expect([places.queue.length, Math.round(places.queue.oldestMs)]).toEqual([1, 2_499]);
  await vi.advanceTimersByTimeAsync(1);
  await expect(admission).rejects.toMatchObject({ code: "busy", message: "all are taken (waited for 2.5 s)" });
  places.release();
  expect([places.queue.length, places.free, places.left]).toEqual([0, 1, [["expired", 2_500]]]);
});

test("a client that disconnects leaves the queue, and the slot goes to the next", async () => {
  const places = new Places(0);
  const caller = new AbortController();
  const gone = places.ask("gone", "a", 60_000, caller.signal);
  const next = places.ask("next", "a");
  caller.abort();
  await expect(gone).rejects.toMatchObject({ code: "session-ended" });
  places.release();
  expect(await next).toBe("next");
  expect(places.got).toEqual(["next"]);
  await expect(places.ask("late", "a", 60_000, caller.signal)).rejects.toMatchObject({ code: "session-ended" });
  expect(places.left.map(([outcome]) => outcome)).toEqual(["left", "served", "left"]);
});

test("the number of waiting requests is limited", async () => {
  const places = new Places(0, 2);
  void places.ask("one", "a");
  void places.ask("two", "b");
  await expect(places.ask("three", "c")).rejects.toMatchObject({
    code: "busy",
    message: "all are taken (2 requests wait already, which is the limit of the service)",
  });
});

test("a place that was taken already keeps the request before all others of its key", async () => {
  const places = new Places(0);
  let tries = 0;
  const admission = places.queue.admit({
    key: "a",
    waitMs: 60_000,
    claim: places.claim,
    use: async () => {
      tries += 1;
      return tries < 3 ? undefined : places.got.push("first");
    },
  });
  void places.ask("second", "a");
  await places.serve();
  await admission;
  expect([tries, places.got]).toEqual([3, ["first", "second"]]);
});

test("its time goes on when it had a place that was taken already", async () => {
  const places = new Places(0);
  const admission = places.queue.admit({ key: null, waitMs: 1_000, claim: places.claim, use: async () => undefined });
  admission.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(900);
  places.release();
  await vi.advanceTimersByTimeAsync(100);
  await expect(admission).rejects.toMatchObject({ message: "all are taken (waited for 1.0 s)" });
});

test("waiting requests are refused at once when no slot can get free any more", async () => {
  const places = new Places(0);
  const end = { error: undefined as ServiceError | undefined };
  const claim = (): number => {
    if (end.error) throw end.error;
    return places.claim();
  };
  const admission = ["a", "a", null].map((key) =>
    places.queue.admit({ key, waitMs: 60_000, claim, use: async () => "never" }),
  );
  for (const one of admission) one.catch(() => undefined);
  end.error = new ServiceError("stopping", "the service is stopping");
  places.queue.advance();
  for (const one of admission) await expect(one).rejects.toBe(end.error);
  expect(places.queue.length).toBe(0);
  expect(places.left.map(([outcome]) => outcome)).toEqual(["refused", "refused", "refused"]);
});
