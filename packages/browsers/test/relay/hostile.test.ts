import { once } from "node:events";
import { WebSocketServer } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChannelCommand, OpenChannel } from "../../src/devtools/devtools-channel.ts";
import { relaySession } from "../../src/relay/relay-session.ts";
import { RelayedSession } from "../../src/relay/session-view.ts";
import { patient, RawClient, startRelayed, type Message, type Relayed } from "./relayed-session.ts";

/** What no value can be made a text of. */
const noText = { toString: 1, valueOf: 1 };
const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
const getUrl = (server: WebSocketServer): string => `ws://127.0.0.1:${Object(server.address()).port}/`;
const hooks = {
  onAction: () => {},
  onUse: () => {},
  onActivate: async () => {},
  onClosePage: async () => {},
  onClose: () => {},
  setLocale: async () => undefined,
  onDetach: () => {},
};

let relayed: Relayed;
beforeAll(async () => {
  relayed = await startRelayed();
  await relayed.own.context.newPage();
});
afterAll(async () => relayed?.[Symbol.asyncDispose]());

describe("a malformed command", () => {
  const key = { type: "keyDown" };
  const values: [string, object][] = [
    ["Input.dispatchKeyEvent", { ...key, commands: [noText] }],
    ["Input.dispatchKeyEvent", { ...key, commands: noText }],
    ["Input.dispatchKeyEvent", { ...key, key: noText, code: noText, modifiers: noText, windowsVirtualKeyCode: noText }],
    ["Input.dispatchDragEvent", { type: "drop", x: 1, y: 1, data: { items: noText, files: noText } }],
    ["DOM.setFileInputFiles", { files: noText }],
    ["Page.navigate", { url: noText }],
    ["Fetch.continueRequest", { requestId: "1", url: noText }],
    ["Browser.setPermission", { permission: { name: noText }, setting: "granted" }],
    ["Browser.setPermission", { permission: noText, setting: noText }],
    ["Browser.grantPermissions", { permissions: [noText] }],
    ["Browser.grantPermissions", { permissions: noText }],
    ["Browser.getWindowForTarget", { targetId: noText }],
    ["Browser.setWindowBounds", { windowId: noText, bounds: noText }],
    ["Storage.setCookies", { cookies: noText, browserContextId: noText }],
    ["Target.createTarget", { url: noText }],
    ["Target.attachToTarget", { targetId: noText, flatten: noText }],
    ["Target.detachFromTarget", { sessionId: noText }],
  ];
  it.each(values)("is refused, and the next one is read: %s %j", async (method, params) => {
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach();
    for (const sessionId of [session, undefined]) {
      expect((await client.ask(method, params, sessionId)).error?.message).toMatch(/./u);
    }
    expect(await client.value("1 + 1", session)).toBe(2);
  });

  it("gets an error when it is nested too deeply, whatever its method", async () => {
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach();
    let id = 5_000;
    for (const [method, params] of [
      ["Runtime.evaluate", `{"expression":"1","x":${deep}}`],
      ["Target.setAutoAttach", `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":false,"filter":${deep}}`],
      ["Target.createTarget", `{"url":${deep}}`],
      ["Storage.setCookies", `{"cookies":${deep}}`],
      ["Browser.setPermission", `{"permission":{"name":${deep}},"setting":"granted"}`],
      ["Browser.setPermission", `{"permission":{"name":${deep}},"setting":"denied"}`],
      ["Browser.grantPermissions", `{"permissions":${deep}}`],
      ["Input.dispatchKeyEvent", `{"type":"keyDown","commands":[${deep}]}`],
    ]) {
      for (const sessionId of [`"${session}"`, "null"]) {
        id += 1;
        const sessionField = sessionId === "null" ? "" : `,"sessionId":${sessionId}`;
        client.socket.send(`{"id":${id},"method":"${method}","params":${params}${sessionField}}`);
        const answer = (): Message | undefined => client.strays.find((stray) => stray.id === id);
        await expect.poll(answer, patient).toBeDefined();
        // A filter for the connection itself never leaves the relay, and what is no filter there is none.
        const isPlain = method === "Target.setAutoAttach" && sessionField === "";
        expect(answer()).toHaveProperty(isPlain ? "result" : "error.message");
      }
    }
    expect(await client.value("1 + 1", session)).toBe(2);
  });

  it("does not end the others of its connection: each is answered under its own number", () => {
    const answers: Message[] = [];
    const commands: ChannelCommand[] = [];
    const view = new RelayedSession(
      "CONTEXT",
      {
        toClient: (text) => answers.push(JSON.parse(text.toString())),
        // What can't be written throws here, as it does where it goes to a browser.
        toBrowser: (command) => commands.push(JSON.parse(JSON.stringify(command))),
      },
      hooks,
    );
    view.onClientMessage(`{"id":1,"method":"Storage.setCookies","params":{"cookies":${deep}}}`);
    view.onClientMessage(`{"id":2,"method":"Storage.getCookies"}`);
    expect(answers).toStrictEqual([{ id: 1, error: { code: -32_602, message: expect.stringMatching(/nested/u) } }]);
    const { id = 0 } = commands[0] ?? {};
    view.onResponse(id, Buffer.from(JSON.stringify({ id, result: { cookies: [] } })));
    expect(answers[1]).toStrictEqual({ id: 2, result: { cookies: [] } });
  });
});

it("a message that can't be forwarded disconnects this client only", async () => {
  const service = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(service, "listening");
  let isClosed = false;
  const openChannel: OpenChannel = async (_, listener) => ({
    send: ({ id }) => listener.onResponse(id, Buffer.from(`{"id":${id},"result":{"x":${deep}}}`)),
    whenDrained: (due) => due(),
    close: () => void (isClosed = true),
  });
  service.on("connection", (end) => relaySession(end, { openChannel, contextId: "CONTEXT" }, hooks));
  await using client = await RawClient.open(getUrl(service));
  const closeEvent = once(client.socket, "close");
  client.socket.send(`{"id":1,"method":"Browser.getVersion"}`);
  expect((await closeEvent)[0]).toBe(1011);
  expect(isClosed).toBe(true);
  for (const end of service.clients) end.terminate();
  service.close();
});
