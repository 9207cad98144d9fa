/** A check that takes longer than this hangs. */
const limitMilliseconds = 10_000;

/**
 * Checks one build of the package in the runtime at hand: the case file at every chunking, and the ways in which a
 * stream ends.
 *
 * Web standards only, because every runtime runs this same file.
 *
 * @param {object} given
 * @param {typeof import("@cloud-browser/stream")} given.stream The package under test.
 * @param {{ name: string, chunks_base64: string[], want: { event?: string }[] }[]} given.cases The case file.
 * @param {string} [given.origin] The server of ./loopback.ts; without it nothing is fetched.
 * @returns {Promise<{ passed: number, failed: { name: string, why: string }[] }>} Never rejects.
 */
export async function runCases({ stream, cases, origin }) {
  const checks = [
    ...cases.map((one) => ({ name: one.name, act: async () => checkReadings(stream, one) })),
    ...endings.map(({ name, act }) => ({ name, act: () => act(stream) })),
    ...(origin ? connections : []).map(({ name, act }) => ({ name, act: () => act(stream, origin) })),
  ];
  const failed = [];
  const onUnhandled = ({ reason }) => failed.push({ name: "leaves no rejection unhandled", why: String(reason) });
  globalThis.addEventListener?.("unhandledrejection", onUnhandled);
  let passed = 0;
  for (const { name, act } of checks) {
    try {
      await limitTime(act());
      passed++;
    } catch (error) {
      failed.push({ name, why: String(error) });
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 0)); // unhandled rejections are reported a moment later
  globalThis.removeEventListener?.("unhandledrejection", onUnhandled);
  return { passed, failed };
}

/** Reads one case as it was recorded, whole, at one byte per chunk and at every two-way split. */
function checkReadings({ createAutomationDecoder }, { chunks_base64, want }) {
  const chunks = chunks_base64.map((text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  const bytes = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
  const events = want.filter((item) => item.event).map((item) => JSON.parse(item.event));
  const reports = want.length - events.length;
  const checkReading = (name, pieces) => {
    const reading = { events: [], reports: 0 };
    const decoder = createAutomationDecoder({
      onEvent: (event) => reading.events.push(event.type === "unknown" ? event.event : event),
      onReport: () => reading.reports++,
    });
    for (const piece of pieces) decoder.feed(piece);
    decoder.end();
    expectSame(name, reading, { events, reports });
  };
  checkReading("as recorded", chunks);
  checkReading("whole", [bytes]);
  checkReading(
    "one byte per chunk",
    Array.from(bytes, (byte) => Uint8Array.of(byte)),
  );
  for (let at = 1; at < bytes.length; at++)
    checkReading(`cut after byte ${at}`, [bytes.subarray(0, at), bytes.subarray(at)]);
}

const status = 'data: {"type":"status","status":"running"}\n\n';
const done = 'data: {"type":"done","total_cost_usd":0.5,"metadata":{"thread_id":"t"}}\n\n';
const toTheEnd = { events: ["status", "done"], outcome: "done" };

/** The ways in which a stream ends, from sources made here. */
const endings = [
  {
    name: "a Response is read to its terminal event",
    act: async ({ readAutomationStream }) => {
      const headers = { "content-type": "text/event-stream; charset=utf-8" };
      const response = new Response(createSource([status, done]).stream, { headers });
      await expectEnding(readAutomationStream(response), toTheEnd);
    },
  },
  {
    name: "a ReadableStream is read to its terminal event",
    act: async ({ readAutomationStream }) => {
      const chunks = Array.from(getBytes(status + done), (byte) => Uint8Array.of(byte));
      await expectEnding(readAutomationStream(createSource(chunks).stream), toTheEnd);
    },
  },
  {
    name: "a ReadableStream of type bytes is read to its terminal event",
    act: async ({ readAutomationStream }) => {
      await expectEnding(readAutomationStream(createSource([status, done], "end", "bytes").stream), toTheEnd);
    },
  },
  {
    name: "an async iterable is read to its terminal event, and let go",
    act: async ({ readAutomationStream }) => {
      let letGo = false;
      async function* generate() {
        try {
          yield getBytes(status);
          yield getBytes(done);
          yield getBytes(status);
        } finally {
          letGo = true;
        }
      }
      await expectEnding(readAutomationStream(generate()), toTheEnd);
      await waitUntil("the source is let go", () => letGo);
    },
  },
  {
    name: "a source that stays open after the terminal event is let go",
    act: async ({ readAutomationStream }) => {
      const { stream, state } = createSource([status, done], "stay open");
      await expectEnding(readAutomationStream(stream), toTheEnd);
      await waitUntil("the source is let go", () => state.cancelled);
    },
  },
  {
    name: "the outcome comes without an iteration",
    act: async ({ readAutomationStream }) => {
      const outcome = await readAutomationStream(createSource([status, done]).stream).outcome();
      expectSame("cost", outcome.event?.total_cost_usd, 0.5);
    },
  },
  {
    name: "a break leaves quietly",
    act: async ({ readAutomationStream }) => {
      const { stream, state } = createSource([status, status], "stay open");
      const reading = readAutomationStream(stream);
      for await (const event of reading) if (event.type === "status") break;
      expectSame("outcome", await readOutcome(reading), "left");
      await waitUntil("the source is let go", () => state.cancelled);
    },
  },
  {
    name: "an abort settles when the source never answers",
    act: async ({ readAutomationStream }) => {
      const { signal, abort } = abortLater();
      const reading = readAutomationStream(createSource([], "stay open").stream, { signal });
      abort();
      await expectEnding(reading, { events: ["throws aborted"], outcome: "broken: aborted" });
    },
  },
  {
    name: "an abort settles when the source is an iterator that can't be let go",
    act: async ({ readAutomationStream }) => {
      const forever = new Promise(() => {});
      const source = { [Symbol.asyncIterator]: () => ({ next: () => forever, return: () => forever }) };
      const { signal, abort } = abortLater();
      const reading = readAutomationStream(source, { signal });
      abort();
      await expectEnding(reading, { events: ["throws aborted"], outcome: "broken: aborted" });
    },
  },
  {
    name: "an end without a terminal event is an error after the events",
    act: async ({ readAutomationStream }) => {
      const want = { events: ["status", "throws ended-early"], outcome: "broken: ended-early" };
      await expectEnding(readAutomationStream(createSource([status]).stream), want);
    },
  },
  {
    name: "a source that fails is an error after the events",
    act: async ({ readAutomationStream }) => {
      const want = { events: ["status", "throws connection-lost"], outcome: "broken: connection-lost" };
      await expectEnding(readAutomationStream(createSource([status], "fail").stream), want);
    },
  },
];

/** The same over the runtime's own `fetch`, whose bodies are not streams made in JavaScript. */
const connections = [
  {
    name: "fetch: a connection that stays open after the terminal event is closed",
    act: async ({ readAutomationStream }, origin) => {
      const { response, closed } = await connect(origin, "done");
      await expectEnding(readAutomationStream(response), toTheEnd);
      await closed();
    },
  },
  {
    name: "fetch: a break closes the connection",
    act: async ({ readAutomationStream }, origin) => {
      const { response, closed } = await connect(origin, "silence");
      const reading = readAutomationStream(response);
      for await (const event of reading) if (event.type === "status") break;
      expectSame("outcome", await readOutcome(reading), "left");
      await closed();
    },
  },
  {
    name: "fetch: an abort closes a silent connection",
    act: async ({ readAutomationStream }, origin) => {
      const { response, closed } = await connect(origin, "silence");
      const { signal, abort } = abortLater();
      const reading = readAutomationStream(response, { signal });
      abort();
      await expectEnding(reading, { events: ["status", "throws aborted"], outcome: "broken: aborted" });
      await closed();
    },
  },
  {
    name: "fetch: a connection that breaks is an error after the events",
    act: async ({ readAutomationStream }, origin) => {
      const { response } = await connect(origin, "loss");
      const want = { events: ["status", "throws connection-lost"], outcome: "broken: connection-lost" };
      await expectEnding(readAutomationStream(response), want);
    },
  },
];

/** A stream of the loopback server, and a wait until the server has seen its connection close. */
async function connect(origin, ending) {
  const id = String(Math.random());
  const response = await fetch(`${origin}/stream?id=${id}&ending=${ending}`);
  const closed = async () => {
    const answer = await fetch(`${origin}/closed?id=${id}`);
    expectSame("the connection is closed", await answer.text(), "true");
  };
  return { response, closed };
}

/** A source that gives the chunks and then ends, fails or stays open, and remembers whether it was let go. */
function createSource(chunks, then = "end", type) {
  const state = { cancelled: false };
  const waiting = [...chunks];
  const pull = (controller) => {
    const chunk = waiting.shift();
    if (chunk !== undefined) return controller.enqueue(typeof chunk === "string" ? getBytes(chunk) : chunk);
    if (then === "end") return controller.close();
    if (then === "fail") return controller.error(new Error("lost"));
    return new Promise(() => {});
  };
  const cancel = () => {
    state.cancelled = true;
    return then === "stay open" ? new Promise(() => {}) : undefined;
  };
  return { stream: new ReadableStream({ type, pull, cancel }, { highWaterMark: 0 }), state };
}

/** A signal, and what aborts it when the reading has begun. */
function abortLater() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => setTimeout(() => controller.abort(), 100) };
}

/** Compares the types of all events, the error that ended them, and the outcome. */
async function expectEnding(reading, want) {
  const events = [];
  try {
    for await (const event of reading) events.push(event.type);
  } catch (error) {
    events.push(`throws ${error?.code ?? error}`);
  }
  expectSame("ending", { events, outcome: await readOutcome(reading) }, want);
}

async function readOutcome(reading) {
  const outcome = await reading.outcome();
  return outcome.type === "broken" ? `broken: ${outcome.error.code}` : outcome.type;
}

function expectSame(what, got, want) {
  if (sortKeys(got) !== sortKeys(want)) throw new Error(`${what}: got ${sortKeys(got)}, want ${sortKeys(want)}`);
}

/** JSON with its keys in one order. */
function sortKeys(value) {
  return JSON.stringify(value, (_, part) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

async function waitUntil(what, holds) {
  for (let turn = 0; turn < 100 && !holds(); turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  expectSame(what, holds(), true);
}

/** Rejects when the work takes too long. */
async function limitTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not settled after ${limitMilliseconds} ms`)), limitMilliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function getBytes(text) {
  return new TextEncoder().encode(text);
}
