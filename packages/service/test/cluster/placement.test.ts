import { beforeEach, describe, expect, test } from "vitest";
import { Peers, type Peer } from "../../src/cluster/peers.ts";
import { Placement } from "../../src/http/nodes/placement.ts";
import { ServiceError } from "../../src/service-error.ts";
import type { Permit } from "../../src/semaphore.ts";
import { SessionQueue } from "../../src/sessions/queue/session-queue.ts";
import { SessionSlots } from "../../src/sessions/queue/session-slots.ts";

/** What each node was asked, and what it answers: a status, or nothing when it is not there. */
let urls: string[] = [];
/** The path of each of these requests. */
let paths: string[] = [];
/** Those that are stopped: their connections are there, and nothing answers. */
let silent: ReadonlySet<string> = new Set();
let answers: Readonly<Record<string, number | undefined>> = {};
let slots: SessionSlots;
let peers: Peers;
let placement: Placement;
let renewals = 0;
let looks = 0;

function tell(rooms: Readonly<Record<string, number>>): void {
  renewals += 1;
  const held = Object.entries(rooms).map(([name, room]) => {
    return { name, epoch: 1, mark: String(renewals), isOver: false, about: { url: `http://${name}`, room, load: 0 } };
  });
  peers.update(held);
}

beforeEach(() => {
  urls = [];
  paths = [];
  answers = {};
  silent = new Set();
  looks = 0;
  peers = new Peers({
    ownName: "own",
    findHost: () => Promise.resolve(undefined),
    readLeases: async () => void (looks += 1),
  });
  const queue = new SessionQueue({ maxWaiting: 10 });
  slots = new SessionSlots(1, () => queue.advance());
  const sessions = {
    queue,
    leastWaitMs: 0,
    admit: queue.admit.bind(queue),
    requireQuota: (key: string | null, limit: number) => slots.requireQuota(key, limit),
    reserve: (key: string | null = null, limit = Infinity) => slots.take(key, limit),
  };
  const forwarding = {
    isRequestFromNode: (headers: unknown) => headers instanceof Headers && headers.has("from-node"),
    isAlive: async ({ url }: Peer) => !silent.has(new URL(url).hostname),
    ask: async ({ url, gone }: Peer, request: Request) => {
      const name = new URL(url).hostname;
      paths.push(new URL(request.url).pathname);
      urls.push(`${name} ${await request.text()}`);
      if (silent.has(name))
        return new Promise<undefined>((resolve) => gone.addEventListener("abort", () => resolve(undefined)));
      const status = answers[name];
      return status === undefined ? undefined : new Response(name, { status });
    },
  };
  const capacity = () => ({ room: 1 - slots.inUse, load: 0 });
  placement = new Placement({ sessions, cluster: { peers, forwarding, capacity } });
});

interface Asking {
  readonly headers?: Record<string, string>;
  readonly waitMs?: number;
  readonly keyLimit?: () => Promise<number>;
  readonly create?: () => Promise<Response>;
}

async function place({ headers = {}, waitMs = 0, keyLimit, create }: Asking = {}): Promise<string> {
  const request = new Request("http://own/control/sessions", { method: "POST", headers });
  const body = new TextEncoder().encode("{}");
  const answer = await placement.answer(
    { request, body, key: "team", keyLimit: keyLimit ?? (async () => 10), waitMs },
    async (permit) => {
      try {
        return await (create ?? (async () => new Response("own")))();
      } catch (error) {
        permit.release();
        throw error;
      }
    },
  );
  return `${answer.status} ${await answer.text()}`;
}

describe("a request for a session", () => {
  test("is given to another node when the first one falls silent, which is then left out for a while", async () => {
    tell({ stopped: 9, b: 6 });
    answers = { stopped: 201, b: 201 };
    silent = new Set(["stopped"]);
    expect([await place(), await place()]).toEqual(["201 b", "201 b"]);
    // It renews its lease, as one does that others can't reach.
    tell({ stopped: 9, b: 6 });
    expect(await place()).toBe("201 b");
    expect(urls).toEqual(["stopped {}", "b {}", "b {}", "b {}"]);
  });

  test("is forwarded unchanged to the node with more room, and so is its answer to the client", async () => {
    tell({ a: 5, b: 2 });
    answers = { a: 422 };
    expect(await place()).toBe("422 a");
    expect(urls).toEqual(["a {}"]);
  });

  test("skips nodes that are full, draining or gone, and asks each once", async () => {
    tell({ full: 9, drains: 8, gone: 7, last: 6 });
    answers = { full: 429, drains: 503, last: 201 };
    expect(await place()).toBe("201 last");
    expect(urls).toEqual(["full {}", "drains {}", "gone {}", "last {}"]);
    answers = {};
    expect(await place()).toBe("200 own");
    expect(urls.slice(4)).toEqual(["last {}"]);
    await expect(place()).rejects.toMatchObject({ code: "busy" });
  });

  test("that another node has forwarded is handled here, and does not wait", async () => {
    tell({ a: 5 });
    const headers = { "from-node": "yes" };
    expect(await place({ headers })).toBe("200 own");
    await expect(place({ headers, waitMs: 60_000 })).rejects.toMatchObject({ code: "busy" });
    expect(urls).toEqual([]);
  });

  test("that waits is forwarded when another node reports room", async () => {
    tell({ a: 0 });
    slots.take(null, 10);
    const waiting = place({ waitMs: 60_000 });
    answers = { a: 201 };
    await new Promise<void>((resolve) => void setImmediate(resolve));
    tell({ a: 1 });
    expect(await waiting).toBe("201 a");
  });

  test("is refused when no node reports room, after the reports were read once more", async () => {
    slots.take(null, 10);
    tell({ a: 0 });
    await expect(place()).rejects.toMatchObject({ code: "busy" });
    expect([looks, urls]).toEqual([1, []]);
    tell({ a: 1 });
    answers = { a: 201 };
    expect(await place()).toBe("201 a");
    expect(looks).toBe(1);
  });

  test("of a key that has used up its quota is not forwarded", async () => {
    tell({ a: 5 });
    await expect(place({ keyLimit: async () => 0 })).rejects.toMatchObject({
      message: expect.stringContaining("quota"),
    });
    expect(urls).toEqual([]);
  });
});

/** Answers a request for a run; this node takes it if it has a slot. */
async function answerRun({
  headers = {},
  waitMs = 0,
  reserve = (limit) => slots.take("team", limit),
  url,
}: Asking & { readonly reserve?: (limit: number) => Permit; readonly url?: string } = {}): Promise<string> {
  const request = new Request("http://own/api/acme/start", { method: "POST", headers });
  const body = new TextEncoder().encode("{}");
  const answer = await placement.answerRun(
    { request, ...(url !== undefined && { url }), body, key: "team", keyLimit: async () => 10, waitMs },
    reserve,
    async () => new Response("own"),
  );
  return `${answer.status} ${await answer.text()}`;
}

describe("a request for a run", () => {
  test("is handled here while this node has room", async () => {
    tell({ a: 5 });
    answers = { a: 200 };
    expect(await answerRun()).toBe("200 own");
    expect(await answerRun()).toBe("200 a");
    expect(urls).toEqual(["a {}"]);
  });

  test("is forwarded to the path that every node knows, whatever this one's own", async () => {
    slots.take(null, 10);
    tell({ a: 5 });
    answers = { a: 200 };
    await answerRun({ url: "http://own/api/automation/start" });
    expect(paths).toEqual(["/api/automation/start"]);
    await answerRun();
    expect(paths).toEqual(["/api/automation/start", "/api/acme/start"]);
  });

  test("skips nodes that refuse it, and is refused with the reason of this node", async () => {
    slots.take(null, 10);
    tell({ full: 9, drains: 8, last: 7 });
    answers = { full: 429, drains: 503, last: 502 };
    expect(await answerRun()).toBe("502 last");
    answers = { last: 429 };
    await expect(answerRun()).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining("session limit"),
    });
    expect(urls).toEqual(["full {}", "drains {}", "last {}", "last {}"]);
  });

  test("that a node refuses leaves its room for sessions as it is, and stops requests for runs until its next renewal", async () => {
    slots.take(null, 10);
    tell({ a: 9 });
    answers = { a: 429 };
    await expect(answerRun()).rejects.toMatchObject({ code: "busy" });
    await expect(answerRun()).rejects.toMatchObject({ code: "busy" });
    answers = { a: 201 };
    expect(await place()).toBe("201 a");
    expect(urls).toEqual(["a {}", "a {}"]);
    tell({ a: 9 });
    expect(await answerRun()).toBe("201 a");
  });

  test("is not forwarded to another node when the first one may have begun it", async () => {
    slots.take(null, 10);
    tell({ gone: 9, a: 5 });
    answers = { a: 200 };
    await expect(answerRun()).rejects.toMatchObject({ code: "session-unreachable" });
    expect(urls).toEqual(["gone {}"]);
  });

  test("that another node has forwarded is refused without room, whatever its `wait`", async () => {
    slots.take(null, 10);
    tell({ a: 5 });
    const headers = { "from-node": "yes" };
    await expect(answerRun({ headers, waitMs: 60_000 })).rejects.toMatchObject({ code: "busy" });
    expect(urls).toEqual([]);
  });

  test("waits in the queue of its key, and takes turns with requests for sessions", async () => {
    const held = slots.take(null, 10);
    const order: string[] = [];
    const waiting = place({ waitMs: 60_000, create: async () => new Response("session") }).then(
      (answer) => void order.push(answer),
    );
    const first = answerRun({ waitMs: 60_000 }).then((answer) => void order.push(answer));
    await expect(answerRun()).rejects.toMatchObject({ message: expect.stringContaining("earlier runs of this key") });
    await expect(place()).rejects.toMatchObject({ message: expect.stringContaining("earlier requests of this key") });
    const second = answerRun({ waitMs: 60_000 }).then((answer) => void order.push(`${answer}, second`));
    tell({ a: 0 });
    answers = { a: 200 };
    held.release();
    await waiting;
    tell({ a: 1 });
    await first;
    tell({ a: 1 });
    await second;
    expect(order).toEqual(["200 session", "200 a", "200 a, second"]);
  });

  test("that waits for a slot of a run does not block sessions of the same key", async () => {
    const runSlots: Permit[] = [];
    const reserve = (): Permit => {
      const slot = runSlots.pop();
      if (!slot) throw new ServiceError("busy", "run limit (1) reached");
      return slot;
    };
    const next = answerRun({ waitMs: 60_000, reserve });
    await new Promise<void>((resolve) => void setImmediate(resolve));
    expect(await place()).toBe("200 own");
    runSlots.push({ release: () => undefined });
    tell({});
    expect(await next).toBe("200 own");
  });
});

test("the quota of a key is read again when another node took its last session", async () => {
  const limits = [1, 0];
  const keyLimit = async (): Promise<number> => limits.shift() ?? 1;
  let tries = 0;
  const create = async (): Promise<Response> => {
    tries += 1;
    if (tries === 1) throw new ServiceError("busy", "session quota of the key reached");
    return new Response("own");
  };
  // It waits until the quota, which is read each second, leaves room.
  expect(await place({ waitMs: 60_000, keyLimit, create })).toBe("200 own");
  expect([tries, slots.inUse]).toEqual([2, 1]);
});

test("a refusal for another reason is answered at once", async () => {
  const refused = place({ waitMs: 60_000, create: () => Promise.reject(new ServiceError("busy", "too much else")) });
  await expect(refused).rejects.toMatchObject({ message: "too much else" });
  expect(slots.inUse).toBe(0);
});
