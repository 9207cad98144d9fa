import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { listen, type Listening } from "../../src/http/listening.ts";
import { waitForClose, connectTo, lines } from "../raw-http.ts";
import { readAnswer, startTestService } from "../running-service.ts";
import { makeGate, startSite } from "@cloud-browser/testing/site.ts";

const wantsWebsocket = (path: string): string =>
  lines(
    `GET ${path} HTTP/1.1`,
    "Host: localhost:PORT",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  );

/** A connection that its client never ends, whatever it is told. */
async function connectForGood(url: string, request: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on("error", () => undefined);
  socket.write(request.replace("PORT", port));
  await once(socket, "data");
  return socket;
}

const countConnections = ({ server }: Listening): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );

test("closing a server does not wait for clients that stay connected, not even by WebSocket", async () => {
  const listening = await listen("127.0.0.1", 0);
  listening.server.on("upgrade", (_, socket) => void socket.write(lines("HTTP/1.1 101 Switching Protocols")));
  const client = await connectForGood(listening.url, wantsWebsocket("/"));
  await listening.close();
  expect(await countConnections(listening)).toBe(0);
  client.destroy();
});

test("a WebSocket that comes before anybody takes WebSockets is disconnected, and counts for nothing", async () => {
  const listening = await listen("127.0.0.1", 0);
  const client = connectTo(listening.url);
  client.write(wantsWebsocket("/"));
  await waitForClose(client);
  expect(client.bytesRead).toBe(0);
  await listening.idle();
  await listening.close();
});

test("a refused WebSocket leaves no connection, and does not delay the shutdown", async () => {
  await using running = await startTestService();
  const client = await connectForGood(running.service.url, wantsWebsocket("/control/sessions/none/cdp?token=wrong"));
  // What is written to a connection that is no more tells so; one of which only one half has ended takes it.
  const closed = waitForClose(client);
  const writing = setInterval(() => client.write("."), 50);
  await closed;
  clearInterval(writing);
  expect(client.destroyed).toBe(true);
});

test("a client that disconnects while its session is created leaves none behind", async () => {
  const { page, open: load } = makeGate();
  await using site = await startSite({ "/": page });
  await using running = await startTestService();
  const { url, apiKey } = running.service;
  const body = JSON.stringify({ url: site.url });
  const client = connectTo(url);
  const closed = waitForClose(client);
  const head = [`Host: ${new URL(url).host}`, `Authorization: Bearer ${apiKey}`, `Content-Length: ${body.length}`];
  client.write(lines("POST /control/sessions HTTP/1.1", ...head) + body);
  await vi.waitUntil(() => site.requests.includes("/"), { timeout: 60_000 });
  client.destroy();
  await closed;
  // When these are answered the service has heard of what was before.
  for (let times = 0; times < 3; times += 1) await running.ask("GET", "/health");
  load();
  const states = async (): Promise<string[]> => {
    const { sessions } = await readAnswer<{ sessions: SessionView[] }>(await running.ask("GET", "/control/sessions"));
    return sessions.map(({ state }) => state);
  };
  await expect.poll(states, { timeout: 60_000 }).toEqual(["ended"]);
});

test.each([
  "POST /control/sessions",
  "POST /api/automation/start",
  "POST /sessions/9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318/page/scrape",
])("a client that disconnects in the middle of the body of %s is no error of the service", async (request) => {
  const written: { readonly msg: string; readonly level: number; readonly status?: number }[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void written.push(JSON.parse(line)) });
  await using running = await startTestService({ log });
  const { url, apiKey } = running.service;
  const client = connectTo(url);
  const head = [`Host: ${new URL(url).host}`, `Authorization: Bearer ${apiKey}`, "Content-Length: 1000"];
  client.write(`${lines(`${request} HTTP/1.1`, ...head)}{`);
  // When this is answered the service has heard of what was before.
  await running.ask("GET", "/health");
  client.destroy();
  const ofRequests = (): typeof written => written.filter(({ msg }) => msg === "request");
  await expect.poll(() => ofRequests().length, { timeout: 60_000 }).toBe(2);
  expect(ofRequests()).toMatchObject([{ status: 200 }, { status: 400 }]);
  expect(written.filter(({ level }) => level > 40)).toEqual([]);
});
