import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChannelCommand, type Fields, RelayedSession as CdpView } from "@cloud-browser/browsers";
import type { SessionView } from "../../src/control/session-view.ts";
import { patient, RawClient, type Message } from "../../../browsers/test/relay/relayed-session.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;
beforeAll(async () => {
  const page = "<title>Page</title><p>text</p>";
  [running, site] = await Promise.all([startTestService(), startSite({ "/red": page, "/blue": page, "/new": page })]);
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** A page of a session, as a client has it. */
interface Opened {
  readonly targetId: string;
  readonly sessionId: string;
}

/** A session on a red page, a client of it, and a blue page that this one opened. */
async function startClient() {
  const { session_id, cdp_url } = await running.open({ url: `${site.url}/red` });
  const client = await RawClient.open(cdp_url ?? "");
  const { result } = await client.ask("Target.getTargets");
  const { targetId } = result.targetInfos.find((info: { type: string }) => info.type === "page");
  const open = async (path: string): Promise<Opened> => {
    const { result: target } = await client.ask("Target.createTarget", { url: `${site.url}${path}` });
    const opened: Opened = { targetId: target.targetId, sessionId: await client.attach(target.targetId) };
    await expect.poll(() => client.value("document.title", opened.sessionId), patient).toBe("Page");
    return opened;
  };
  const red: Opened = { targetId, sessionId: await client.attach(targetId) };
  const activePath = async (): Promise<string> => {
    const { url } = await readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${session_id}`));
    return url?.replace(site.url, "") ?? "";
  };
  return {
    client,
    red,
    open,
    activePath,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await running.end(session_id);
    },
  };
}

/** Waits at most twenty seconds: what a page holds up that hangs never comes. */
const soon = async (answer: Promise<Message>): Promise<Message | "late"> =>
  Promise.race([answer, new Promise<"late">((resolve) => setTimeout(resolve, 20_000, "late"))]);

describe("a page that a client brings to the front", () => {
  it("is the session's when the answer comes, each time", async () => {
    await using session = await startClient();
    const { client, red, activePath } = session;
    const blue = await session.open("/blue");
    const addresses: string[] = [];
    for (let times = 0; times < 6; times += 1) {
      await client.ask("Page.bringToFront", {}, red.sessionId);
      addresses.push(await activePath());
      await client.ask("Target.activateTarget", { targetId: blue.targetId });
      addresses.push(await activePath());
    }
    expect(addresses.join()).toBe(Array.from({ length: 6 }, () => "/red,/blue").join());
  });

  it("is the last one of concurrent requests", async () => {
    await using session = await startClient();
    const { client, red, activePath } = session;
    const blue = await session.open("/blue");
    const order = [red, blue, red, blue, blue, red];
    await Promise.all(order.map(async ({ sessionId }) => client.ask("Page.bringToFront", {}, sessionId)));
    expect(await activePath()).toBe("/red");
  });

  it("is the one that was just opened, when that is answered", async () => {
    await using session = await startClient();
    for (let times = 0; times < 5; times += 1) {
      const { result } = await session.client.ask("Target.createTarget", { url: "about:blank" });
      expect(await session.activePath()).toBe("about:blank");
      await session.client.ask("Page.bringToFront", {}, session.red.sessionId);
      expect(await session.activePath()).toBe("/red");
      await session.client.ask("Target.closeTarget", { targetId: result.targetId });
    }
  });

  it("is the one before it, when the closing of one is answered", async () => {
    await using session = await startClient();
    for (let times = 0; times < 5; times += 1) {
      const { result } = await session.client.ask("Target.createTarget", { url: "about:blank" });
      await session.client.ask("Target.closeTarget", { targetId: result.targetId });
      expect(await session.activePath()).toBe("/red");
    }
  });

  it.each([
    ["never comes to an end", "setTimeout(() => { for (;;); }, 10)"],
    ["has an alert open", "setTimeout(() => alert('Hello'), 10)"],
  ])("comes there while another page %s, and so does that one", async (_name, script) => {
    await using session = await startClient();
    const { client, red, activePath } = session;
    const [blue, stuck] = [await session.open("/blue"), await session.open("/new")];
    await client.ask("Page.enable", {}, stuck.sessionId);
    await client.value(script, stuck.sessionId);
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const [page, path] of [
      [red, "/red"],
      [stuck, "/new"],
      [blue, "/blue"],
    ] as const) {
      expect(await soon(client.ask("Target.activateTarget", { targetId: page.targetId }))).toMatchObject({
        result: {},
      });
      expect(await activePath()).toBe(path);
    }
  });

  it("comes there while a page hangs that did so before there was a client", async () => {
    const { session_id, cdp_url } = await running.open({ url: `${site.url}/red` });
    {
      await using first = await RawClient.open(cdp_url ?? "");
      await first.value("setTimeout(() => { for (;;); }, 300)", await first.attach());
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    await using client = await RawClient.open(cdp_url ?? "");
    const { result: target } = await client.ask("Target.createTarget", { url: `${site.url}/blue` });
    expect(await soon(client.ask("Target.activateTarget", { targetId: target.targetId }))).toMatchObject({
      result: {},
    });
    const { url } = await readAnswer<SessionView>(await running.ask("GET", `/control/sessions/${session_id}`));
    expect(url).toBe(`${site.url}/blue`);
    await running.end(session_id);
  });
});

describe("the answer to a command that changes the page of a session", () => {
  it("waits for the service, which need not succeed", async () => {
    const messages: Message[] = [];
    const sent: ChannelCommand[] = [];
    const order: string[] = [];
    let due: PromiseWithResolvers<void> = Promise.withResolvers();
    const onActivate = async (targetId: string): Promise<void> => {
      order.push(targetId);
      return due.promise;
    };
    const view = new CdpView(
      "CONTEXT",
      { toClient: (text) => messages.push(JSON.parse(text.toString())), toBrowser: (command) => sent.push(command) },
      {
        onAction: () => {},
        onUse: () => {},
        onActivate,
        onClosePage: onActivate,
        onClose: () => {},
        setLocale: async () => undefined,
        onDetach: () => {},
      },
    );
    const targetInfo = { targetId: "PAGE", type: "page", url: "about:blank", browserContextId: "CONTEXT" };
    const event = (method: string, params: Fields) =>
      view.onEvent({ method, params, sessionId: undefined, bytes: Buffer.from(JSON.stringify({ method, params })) });
    const answerLast = (result: object) => {
      const { id: last = 0 } = sent.at(-1) ?? {};
      view.onResponse(last, Buffer.from(JSON.stringify({ id: last, result })));
    };
    event("Target.targetCreated", { targetInfo });
    view.onClientMessage(`{"id":1,"method":"Target.attachToTarget","params":{"targetId":"PAGE","flatten":true}}`);
    event("Target.attachedToTarget", { sessionId: "S", targetInfo, waitingForDebugger: false });
    answerLast({ sessionId: "S" });
    let id = 1;
    for (const [command, fails] of [
      [{ method: "Page.bringToFront", sessionId: "S" }, false],
      [{ method: "Target.activateTarget", params: { targetId: "PAGE" } }, true],
      [{ method: "Target.createTarget", params: { url: "about:blank" } }, false],
      [{ method: "Target.closeTarget", params: { targetId: "PAGE" } }, false],
    ] as const) {
      id += 1;
      due = Promise.withResolvers();
      view.onClientMessage(JSON.stringify({ id, ...command }));
      answerLast({ targetId: "PAGE" });
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(messages.filter((message) => message.id === id)).toStrictEqual([]);
      if (fails) due.reject(new Error("no such page"));
      else due.resolve();
      await expect.poll(() => messages.find((message) => message.id === id)).toMatchObject({ result: {} });
    }
    expect(order).toStrictEqual(["PAGE", "PAGE", "PAGE", "PAGE"]);
  });
});
