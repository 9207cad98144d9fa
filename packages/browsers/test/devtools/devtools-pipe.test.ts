import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChannelEvent, DevtoolsChannel } from "../../src/devtools/devtools-channel.ts";
import { readEnvelope, MessageReader } from "../../src/devtools/message-reader.ts";
import { DevtoolsPipe } from "../../src/devtools/devtools-pipe.ts";
import type { RateLimits } from "../../src/devtools/rate-limiter.ts";
import type { Message } from "../relay/relayed-session.ts";

const limits: RateLimits = {
  bytesPerSecond: 1_000,
  burstBytes: 100_000,
  messageOverheadBytes: 100,
  targetOverheadBytes: 1_000,
  lateMs: 0,
  lateBytes: 20_000,
  lateBurstBytes: 60_000,
  lateBytesPerSecond: 1_000,
  popupsPerSecond: 0.001,
  burstPopups: 3,
};

/** The browser's end of a pipe, by hand. */
class Browser {
  readonly commands = new PassThrough();
  readonly messages = new PassThrough();
  readonly received: Message[] = [];
  readonly pauses: string[] = [];
  /** Whether it answers what it is asked for a sign of life. */
  isQuick = true;
  #sessions = 0;

  constructor() {
    const reader = new MessageReader(2 ** 20, ({ bytes }) => this.#take(JSON.parse(bytes.toString())));
    this.commands.on("data", (chunk: Buffer) => reader.push(chunk));
  }

  pipe(): DevtoolsPipe {
    const pause = { begin: () => this.pauses.push("begin"), end: () => this.pauses.push("end") };
    return new DevtoolsPipe(this.commands, this.messages, pause, limits);
  }

  /** Writes a message as Chromium does: the session comes last. */
  say(message: Message): void {
    this.messages.write(`${JSON.stringify(message)}\0`);
  }

  attach(sessionId: string, browserContextId: string, parent?: string, opener = {}): void {
    const targetInfo = { targetId: `T-${sessionId}`, type: "page", url: "about:blank", browserContextId, ...opener };
    const params = { sessionId, targetInfo, waitingForDebugger: false };
    this.say({ method: "Target.attachedToTarget", params, ...(parent === undefined ? {} : { sessionId: parent }) });
  }

  log(text: string, sessionId: string): void {
    this.say({ method: "Runtime.consoleAPICalled", params: { args: [{ type: "string", value: text }] }, sessionId });
  }

  #take(command: Message): void {
    this.received.push(command);
    const { id = 0, method } = command;
    if (method === "Target.attachToBrowserTarget")
      this.say({ id, result: { sessionId: `B-${(this.#sessions += 1)}` } });
    else if (method === "Target.setDiscoverTargets") this.say({ id, result: {} });
    else if (method === "Browser.getVersion" && this.isQuick) this.say({ id, result: {} });
  }
}

const turn = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
};

let browser: Browser;
let pipe: DevtoolsPipe;
let driverMessages: Message[];
let events: ChannelEvent[];
let answers: Message[];
let lost: number;
beforeEach(() => {
  [driverMessages, events, answers, lost] = [[], [], [], 0];
  browser = new Browser();
  pipe = browser.pipe();
  Object.assign(pipe.driver, { onmessage: (message: Message) => driverMessages.push(message) });
});
afterEach(() => pipe.close());

const open = async (contextId: string): Promise<DevtoolsChannel> =>
  pipe.open(contextId, {
    onResponse: (_, bytes) => answers.push(JSON.parse(bytes.toString())),
    onEvent: (event) => events.push(event),
    onLost: () => void (lost += 1),
  });

/** Reads the messages in what came over a pipe. */
function readMessages(
  chunks: readonly string[],
  longest = 5_000,
): { readonly text: string; readonly length: number }[] {
  const frames: { text: string; length: number }[] = [];
  const reader = new MessageReader(longest, ({ bytes, length }) => frames.push({ text: bytes.toString(), length }));
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return frames;
}

describe("the messages of a pipe", () => {
  test("are read wherever they are split", () => {
    const messages = [
      { text: '{"a":1}', length: 7 },
      { text: "ü", length: 2 },
    ];
    const whole = Buffer.from('{"a":1}\0\0ü\0{"rest"');
    expect(readMessages([whole.toString()])).toEqual(messages);
    const cut: string[] = [];
    const reader = new MessageReader(5_000, ({ bytes }) => cut.push(bytes.toString()));
    for (const byte of whole) reader.push(Buffer.from([byte]));
    expect(cut).toEqual(messages.map(({ text }) => text));
  });

  test("are kept whole up to a length, and of longer ones both ends", () => {
    const long = `{"id":7,"result":"${"x".repeat(9_000)}","sessionId":"S"}`;
    for (const size of [10_000, 3_000, 1_000, 7]) {
      const chunks = long.match(new RegExp(`.{1,${size}}`, "gu")) ?? [];
      const [frame] = readMessages([...chunks, "\0"]);
      expect(frame?.length).toBe(long.length);
      expect(frame?.text.length).toBeLessThan(5_001);
      expect(readEnvelope({ bytes: Buffer.from(frame?.text ?? ""), length: 0 })).toEqual({
        id: 7,
        method: undefined,
        sessionId: "S",
      });
    }
  });

  test.each<[text: string, sessionId: string | undefined]>([
    [JSON.stringify({ method: "A.b", params: {}, sessionId: "S" }), "S"],
    [JSON.stringify({ method: "A.b", params: { sessionId: "T" } }), undefined],
    [JSON.stringify({ method: "A.b", params: { text: ',"sessionId":"T"}' } }), undefined],
    [JSON.stringify({ method: "A.b", params: { text: '"},"sessionId":"T"}' }, sessionId: "S" }), "S"],
    [JSON.stringify({ method: "A.b", params: {}, sessionId: '","sessionId":"T' }), undefined],
  ])("are not routed by a session id that a page wrote: %s", (text, sessionId) =>
    expect(readEnvelope({ bytes: Buffer.from(text), length: text.length }).sessionId).toBe(sessionId),
  );
});

describe("a channel", () => {
  test("has its own ids and sessions, and receives the targets of its context", async () => {
    browser.attach("PAGE", "OTHER");
    const channel = await open("OWN");
    channel.send({ id: 5, method: "Target.attachToTarget", params: { targetId: "T" } });
    await turn();
    const { id = 0, sessionId } = browser.received.at(-1) ?? {};
    expect([id === 5, sessionId]).toEqual([false, "B-1"]);
    browser.attach("S", "OWN", "B-1");
    browser.say({ id, result: { sessionId: "S" }, sessionId: "B-1" });
    browser.log("hello", "S");
    browser.log("to the driver", "PAGE");
    for (const browserContextId of ["OWN", "OTHER"]) {
      const targetInfo = { targetId: browserContextId, type: "page", url: "", browserContextId };
      browser.say({ method: "Target.targetCreated", params: { targetInfo } });
    }
    await turn();
    expect(answers).toEqual([{ id: 5, result: { sessionId: "S" }, sessionId: "B-1" }]);
    expect(events.map(({ method, sessionId: to }) => [method, to])).toEqual([
      ["Target.attachedToTarget", undefined],
      ["Runtime.consoleAPICalled", "S"],
      ["Target.targetCreated", undefined],
    ]);
    expect(driverMessages.map(({ sessionId: to }) => to)).toEqual([undefined, "PAGE"]);
  });

  test("can't use the sessions of others, nor its own when those have ended", async () => {
    browser.attach("DRIVERS", "OWN");
    const [channel, other] = [await open("OWN"), await open("OWN")];
    browser.attach("S", "OWN", "B-1");
    await turn();
    other.send({ id: 1, method: "Runtime.evaluate", params: {}, sessionId: "S" });
    other.send({ id: 2, method: "Runtime.evaluate", params: {}, sessionId: "DRIVERS" });
    channel.send({ id: 3, method: "Runtime.evaluate", params: {}, sessionId: "S" });
    browser.say({ method: "Target.detachedFromTarget", params: { sessionId: "S" }, sessionId: "B-1" });
    await turn();
    channel.send({ id: 4, method: "Runtime.evaluate", params: {}, sessionId: "S" });
    channel.close();
    channel.send({ id: 5, method: "Browser.getVersion", params: {} });
    await turn();
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([1, 2, 4, 5].map((id) => [id, -32_001]));
    expect(browser.received.at(-1)).toMatchObject({ method: "Target.detachFromTarget", params: { sessionId: "B-1" } });
  });

  test("is lost with the browser", async () => {
    await open("OWN");
    browser.messages.destroy();
    await turn();
    expect(lost).toBe(1);
    await expect(open("OWN")).rejects.toThrow(/lost/u);
  });
});

describe("a session that sends more than it may", () => {
  const flooded: string[] = [];
  beforeEach(() => {
    flooded.length = 0;
    for (const name of ["LOUD", "QUIET"]) {
      browser.attach(name, name);
      pipe.meter(name, () => flooded.push(name));
    }
  });

  test.each<[what: string, send: () => void]>([
    ["in long messages", () => browser.log("x".repeat(110_000), "LOUD")],
    [
      "in many short ones",
      () => {
        for (let count = 0; count < 900; count += 1) browser.log("x", "LOUD");
      },
    ],
    [
      "to its client, not to the driver",
      () => {
        browser.attach("CLIENTS", "LOUD", "B-1");
        browser.log("x".repeat(110_000), "CLIENTS");
      },
    ],
    [
      "by targets that come and go",
      () => {
        for (let count = 0; count < 110; count += 1) browser.attach(`W${count}`, "LOUD", "LOUD");
      },
    ],
    [
      "by popups, each of which may have a process of its own",
      () => {
        for (let count = 0; count < 4; count += 1)
          browser.attach(`P${count}`, "LOUD", undefined, { openerId: "T-LOUD" });
      },
    ],
    [
      "by its address, of which the browser itself tells",
      () => {
        const targetInfo = {
          targetId: "T",
          type: "page",
          url: `data:,${"x".repeat(110_000)}`,
          browserContextId: "LOUD",
        };
        browser.say({ method: "Target.targetInfoChanged", params: { targetInfo } });
      },
    ],
  ])("%s, is reported once, and nothing after it; others are", async (_, send) => {
    await open("LOUD");
    send();
    await expect.poll(() => flooded).toEqual(["LOUD"]);
    await turn();
    const before = driverMessages.length;
    for (let count = 0; count < 50; count += 1) browser.log("x", "LOUD");
    browser.log("hello", "QUIET");
    browser.say({ method: "Target.detachedFromTarget", params: { sessionId: "LOUD" } });
    await turn();
    expect(driverMessages.slice(before).filter(({ sessionId }) => sessionId === "LOUD")).toEqual([]);
    expect(driverMessages.slice(-2).map(({ method, sessionId }) => [method, sessionId])).toEqual([
      ["Runtime.consoleAPICalled", "QUIET"],
      ["Target.detachedFromTarget", undefined],
    ]);
    expect(flooded).toEqual(["LOUD"]);
  });

  test("is not one whose client requested the data", async () => {
    const channel = await open("LOUD");
    browser.attach("S", "LOUD", "B-1");
    await turn();
    channel.send({ id: 1, method: "Page.captureScreenshot", params: {}, sessionId: "S" });
    await turn();
    browser.say({
      method: "HeapProfiler.addHeapSnapshotChunk",
      params: { chunk: "x".repeat(200_000) },
      sessionId: "S",
    });
    browser.say({ id: browser.received.at(-1)?.id ?? 0, result: { data: "x".repeat(200_000) }, sessionId: "S" });
    await turn();
    expect(answers.length).toBe(1);
    expect(flooded).toEqual([]);
  });

  test("while answers come late is ended earlier, and all pages are paused until what they sent is read", async () => {
    browser.isQuick = false;
    for (let count = 0; count < 25; count += 1) browser.log("x".repeat(1_000), "LOUD");
    await turn();
    expect([browser.pauses, flooded]).toEqual([["begin"], []]);
    browser.log("x".repeat(50_000), "LOUD");
    await turn();
    expect(flooded).toEqual(["LOUD"]);
    browser.say({ id: browser.received.at(-1)?.id ?? 0, result: {} });
    await turn();
    // What floods goes first.
    expect(browser.pauses).not.toContain("end");
  });
});
