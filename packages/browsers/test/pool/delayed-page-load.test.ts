import type { ConnectOverCDPTransport } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withDelayedPageLoad } from "../../src/pool/delayed-page-load.ts";

const resume = { id: 3, method: "Runtime.runIfWaitingForDebugger", sessionId: "one" };
const enable = { id: 1, method: "Page.enable", sessionId: "one" };
const window = { id: 2, method: "Browser.getWindowForTarget", sessionId: "one" };

let sent: object[];
let told: object[];
let inner: ConnectOverCDPTransport;
let driver: ConnectOverCDPTransport;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  told = [];
  inner = { send: (message) => void sent.push(message), close: () => {} };
  driver = withDelayedPageLoad(inner);
  Object.assign(driver, { onmessage: (message: object) => told.push(message) });
});
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
    expect(sent).toEqual([enable, window]);
    answer(2);
    expect(sent).toEqual([enable, window]);
    answer(1);
    expect(sent).toEqual([enable, window, resume]);
    expect(told).toHaveLength(3);
  });

  it("may load after 2 s when it does not answer", () => {
    attach({ type: "page", canAccessOpener: true, openerId: "two" });
    for (const message of [enable, resume]) driver.send(message);
    vi.advanceTimersByTime(1_999);
    expect(sent).toEqual([enable]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([enable, resume]);
    answer(1);
    expect(sent).toEqual([enable, resume]);
  });

  it("that goes meanwhile is sent nothing more", () => {
    attach({ type: "page", canAccessOpener: false });
    for (const message of [enable, resume]) driver.send(message);
    inner.onmessage?.({ method: "Target.detachedFromTarget", params: { sessionId: "one" } });
    vi.advanceTimersByTime(10_000);
    expect(sent).toEqual([enable]);
  });

  it.each([
    ["that answers", { type: "page", targetId: "t", canAccessOpener: false }, true],
    ["that was opened with noopener", { type: "page", targetId: "t", canAccessOpener: false, openerId: "two" }, false],
  ])("%s waits for the clients of its session, too", async (_, targetInfo, canAnswer) => {
    const hold = Promise.withResolvers<void>();
    driver = withDelayedPageLoad(inner, (targetId) => (targetId === "t" ? [hold.promise] : []));
    attach(targetInfo);
    for (const message of [enable, resume]) driver.send(message);
    if (canAnswer) answer(1);
    vi.advanceTimersByTime(4_999);
    expect(sent).toEqual([enable]);
    hold.resolve();
    await hold.promise;
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([enable, resume]);
  });

  it("loads after 5 s though a client never lets it", () => {
    driver = withDelayedPageLoad(inner, () => [new Promise(() => {})]);
    attach({ type: "page", targetId: "t", canAccessOpener: false, openerId: "two" });
    for (const message of [enable, resume]) driver.send(message);
    vi.advanceTimersByTime(4_999);
    expect(sent).toEqual([enable]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([enable, resume]);
  });

  it.each([
    ["answers nothing before", { type: "page", canAccessOpener: false, openerId: "two" }, true],
    ["is a worker", { type: "worker" }, true],
    ["does not wait", { type: "page", canAccessOpener: false }, false],
  ])("is not kept waiting when it %s", (_, targetInfo, waits) => {
    attach(targetInfo, waits);
    for (const message of [enable, resume]) driver.send(message);
    expect(sent).toEqual([enable, resume]);
  });
});
