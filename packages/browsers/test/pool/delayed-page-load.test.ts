import type { ConnectOverCDPTransport } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DriverMessages } from "../../src/devtools/driver-messages.ts";
import { delayPageLoads } from "../../src/pool/delayed-page-load.ts";

const resume = { id: 3, method: "Runtime.runIfWaitingForDebugger", sessionId: "one" };
const enable = { id: 1, method: "Page.enable", sessionId: "one" };
const window = { id: 2, method: "Browser.getWindowForTarget", sessionId: "one" };

let commands: object[];
let messages: object[];
let inner: ConnectOverCDPTransport;
let driver: ConnectOverCDPTransport;

beforeEach(() => {
  vi.useFakeTimers();
  commands = [];
  messages = [];
  inner = { send: (message) => void commands.push(message), close: () => {} };
  connect();
  Object.assign(driver, { onmessage: (message: object) => messages.push(message) });
});
const connect = (listHolds?: Parameters<typeof delayPageLoads>[1]): void => {
  const driverMessages = new DriverMessages(inner);
  delayPageLoads(driverMessages, listHolds);
  driver = driverMessages.transport;
};
afterEach(() => void vi.useRealTimers());

const attach = (targetInfo: object, waitingForDebugger = true): void =>
  inner.onmessage?.({
    method: "Target.attachedToTarget",
    params: { sessionId: "one", targetInfo, waitingForDebugger },
  });
const answer = (id: number): void => inner.onmessage?.({ id, result: {}, sessionId: "one" });

describe("a new page", () => {
  it("loads once it has responded to earlier commands, and not before", () => {
    attach({ type: "page", canAccessOpener: false });
    for (const message of [enable, window, resume]) driver.send(message);
    expect(commands).toEqual([enable, window]);
    answer(2);
    expect(commands).toEqual([enable, window]);
    answer(1);
    expect(commands).toEqual([enable, window, resume]);
    expect(messages).toHaveLength(3);
  });

  it("may load after 2 s when it does not answer", () => {
    attach({ type: "page", canAccessOpener: true, openerId: "two" });
    for (const message of [enable, resume]) driver.send(message);
    vi.advanceTimersByTime(1_999);
    expect(commands).toEqual([enable]);
    vi.advanceTimersByTime(1);
    expect(commands).toEqual([enable, resume]);
    answer(1);
    expect(commands).toEqual([enable, resume]);
  });

  it("that goes meanwhile is sent nothing more", () => {
    attach({ type: "page", canAccessOpener: false });
    for (const message of [enable, resume]) driver.send(message);
    inner.onmessage?.({ method: "Target.detachedFromTarget", params: { sessionId: "one" } });
    vi.advanceTimersByTime(10_000);
    expect(commands).toEqual([enable]);
  });

  it.each([
    ["that answers", { type: "page", targetId: "t", canAccessOpener: false }, true],
    ["that was opened with noopener", { type: "page", targetId: "t", canAccessOpener: false, openerId: "two" }, false],
  ])("%s waits for the clients of its session, too", async (_, targetInfo, canAnswer) => {
    const hold = Promise.withResolvers<void>();
    connect((targetId) => (targetId === "t" ? [hold.promise] : []));
    attach(targetInfo);
    for (const message of [enable, resume]) driver.send(message);
    if (canAnswer) answer(1);
    vi.advanceTimersByTime(4_999);
    expect(commands).toEqual([enable]);
    hold.resolve();
    await hold.promise;
    await vi.advanceTimersByTimeAsync(0);
    expect(commands).toEqual([enable, resume]);
  });

  it("loads after 5 s though a client never lets it", () => {
    connect(() => [new Promise(() => {})]);
    attach({ type: "page", targetId: "t", canAccessOpener: false, openerId: "two" });
    for (const message of [enable, resume]) driver.send(message);
    vi.advanceTimersByTime(4_999);
    expect(commands).toEqual([enable]);
    vi.advanceTimersByTime(1);
    expect(commands).toEqual([enable, resume]);
  });

  it.each([
    ["answers nothing before", { type: "page", canAccessOpener: false, openerId: "two" }, true],
    ["is a worker", { type: "worker" }, true],
    ["does not wait", { type: "page", canAccessOpener: false }, false],
  ])("is not kept waiting when it %s", (_, targetInfo, waits) => {
    attach(targetInfo, waits);
    for (const message of [enable, resume]) driver.send(message);
    expect(commands).toEqual([enable, resume]);
  });
});
