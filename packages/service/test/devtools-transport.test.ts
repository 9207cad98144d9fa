import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { connectDevtools } from "../src/browsers/devtools-transport.ts";
import { siteOn } from "./site.ts";

const servers: WebSocketServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A browser that would compress, as Chromium does. */
async function startBrowser(): Promise<{ readonly url: string; readonly connected: Promise<WebSocket> }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: true });
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const connected = new Promise<WebSocket>((resolve) => server.once("connection", resolve));
  return { url: `ws://127.0.0.1:${port}`, connected };
}

it("asks for no compression", async () => {
  const { url, connected } = await startBrowser();
  const transport = await connectDevtools(url, 1_000);
  expect((await connected).extensions).toBe("");
  transport.close();
});

it("carries messages both ways, and tells of the end", async () => {
  const { url, connected } = await startBrowser();
  const transport = await connectDevtools(url, 1_000);
  const browser = await connected;
  const heard = once(browser, "message");
  transport.send({ id: 1, method: "Browser.getVersion" });
  expect(String((await heard)[0])).toBe('{"id":1,"method":"Browser.getVersion"}');
  const answer = new Promise((resolve) => Object.assign(transport, { onmessage: resolve }));
  browser.send('{"id":1,"result":{"product":"Grün"}}');
  expect(await answer).toEqual({ id: 1, result: { product: "Grün" } });
  const ended = new Promise<string | undefined>((resolve) => Object.assign(transport, { onclose: resolve }));
  browser.close(1001, "going");
  expect(await ended).toBe("going");
});

it.each(["{", "null", ""])("loses a browser that answers %j", async (nonsense) => {
  const { url, connected } = await startBrowser();
  const transport = await connectDevtools(url, 1_000);
  // As the driver does with what is no message.
  Object.assign(transport, { onmessage: (message: object) => Object.keys(message) });
  const ended = new Promise((resolve) => Object.assign(transport, { onclose: resolve }));
  (await connected).send(nonsense);
  expect(await ended).toBe("");
});

it("says so when nobody is there, or nobody answers in time", async () => {
  await expect(connectDevtools("ws://127.0.0.1:1", 1_000)).rejects.toThrow(/ECONNREFUSED/);
  await using silent = await siteOn(
    createServer(() => undefined),
    [],
  );
  await expect(connectDevtools(silent.url.replace("http", "ws"), 100)).rejects.toThrow(/timed out/);
});
