import type { ConnectOverCDPTransport } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { DriverMessages } from "../../src/devtools/driver-messages.ts";

let commands: { readonly id?: number; readonly method?: string }[];
let received: object[];
let browser: ConnectOverCDPTransport;
let messages: DriverMessages;

beforeEach(() => {
  commands = [];
  received = [];
  browser = { send: (command) => void commands.push(command), close: () => {} };
  messages = new DriverMessages(browser);
  Object.assign(messages.transport, { onmessage: (message: object) => received.push(message) });
});

describe("the messages of a driver", () => {
  it("pass to and fro as they are", () => {
    const command = { id: 1, method: "Page.enable", params: {}, sessionId: "one" };
    messages.transport.send(command);
    const response = { id: 1, result: {}, sessionId: "one" };
    const event = { method: "Page.loadEventFired", params: {}, sessionId: "one" };
    for (const message of [response, event]) browser.onmessage?.(message);
    expect(commands).toEqual([command]);
    expect(received).toEqual([response, event]);
  });

  it("are shown to listeners in order, until one keeps an event from the others and from the driver", () => {
    const heard: string[] = [];
    messages.onEvent("Runtime.bindingCalled", (params, sessionId) => {
      heard.push(`first ${String(sessionId)}`);
      return params["name"] === "own";
    });
    messages.onEvent("Runtime.bindingCalled", () => void heard.push("second"));
    const event = { method: "Runtime.bindingCalled", sessionId: "one" };
    const other = { ...event, params: { name: "other" } };
    browser.onmessage?.({ ...event, params: { name: "own" } });
    browser.onmessage?.(other);
    expect(heard).toEqual(["first one", "first one", "second"]);
    expect(received).toEqual([other]);
  });

  it("have no responses to commands of a watcher, which gets them", async () => {
    messages.send("WebAuthn.enable", {}, "one");
    const answer = messages.request("Emulation.setLocaleOverride", { locale: "de" }, "one");
    expect(new Set(commands.map(({ id }) => id)).size).toBe(2);
    for (const { id } of commands) browser.onmessage?.({ id, error: { message: "refused" }, sessionId: "one" });
    await expect(answer).resolves.toMatchObject({ error: { message: "refused" } });
    expect(received).toEqual([]);
  });

  it("settle a watcher's command when its session ends, and reject it when the connection is lost", async () => {
    const dropped = messages.request("Emulation.setLocaleOverride", {}, "one");
    const lost = messages.request("Emulation.setLocaleOverride", {}, "two");
    browser.onmessage?.({ method: "Target.detachedFromTarget", params: { sessionId: "one" } });
    await expect(dropped).resolves.toEqual({});
    browser.onclose?.();
    await expect(lost).rejects.toThrow("lost");
    await expect(messages.request("Emulation.setLocaleOverride", {}, "two")).rejects.toThrow("lost");
    expect(commands).toHaveLength(2);
  });

  it("let a follower of a session keep commands, those of watchers too, and send them later", () => {
    const responses: number[] = [];
    const queue: object[] = [];
    messages.follow("one", {
      onCommand: (command) => command["method"] === "Runtime.enable" && queue.push(command) > 0,
      onResponse: (id) => void responses.push(id),
    });
    messages.send("Runtime.enable", {}, "one");
    messages.send("Runtime.enable", {}, "two");
    browser.onmessage?.({ id: 7, result: {}, sessionId: "one" });
    messages.unfollow("one");
    browser.onmessage?.({ id: 8, result: {}, sessionId: "one" });
    expect(commands).toMatchObject([{ sessionId: "two" }]);
    for (const command of queue) messages.sendKept(command);
    expect(commands).toMatchObject([{ sessionId: "two" }, { sessionId: "one" }]);
    expect(responses).toEqual([7]);
  });
});
