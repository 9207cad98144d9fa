import { expect, test } from "vitest";
import { connectRaw, type RawClient } from "./raw-client.ts";
import { get, serveRaw, startGuard, type Started } from "./servers.ts";

/** Starts a guard under a lease, and a server that keeps what it is sent. */
async function startFence(): Promise<
  Started & { readonly port: number; readonly received: () => string; lease: number | undefined }
> {
  let received = "";
  const port = await serveRaw((socket) => {
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.startsWith("POST")) return;
      if (received.endsWith("\r\n\r\n")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      else socket.write(chunk);
    });
  });
  const holder: { lease: number | undefined } = { lease: 1 };
  const guarded = await startGuard({ allow: ["127.0.0.1"], lease: () => holder.lease });
  return Object.assign(holder, guarded, { port, received: () => received });
}

const tunnelTo = (port: number): string => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`;

const ways: readonly (readonly [
  what: string,
  open: (port: number) => readonly [first: string, until: RegExp | undefined],
  more: (port: number) => string,
])[] = [
  ["a tunnel", (port) => [`${tunnelTo(port)}first`, /first$/], () => "second"],
  [
    "a connection that is kept alive",
    (port) => [get(`http://127.0.0.1:${port}/first`), /ok$/],
    (port) => get(`http://127.0.0.1:${port}/second`),
  ],
  [
    "a request whose body goes on",
    (port) => [`POST http://127.0.0.1:${port}/first HTTP/1.1\r\nContent-Length: 12\r\n\r\nfirst`, undefined],
    () => "second-",
  ],
];

test.each(ways)("over %s nothing is written once the lease is lost, nor under another one", async (_, open, more) => {
  for (const lease of [undefined, 2]) {
    const fence = await startFence();
    const [first, until] = open(fence.port);
    const client: RawClient = connectRaw(fence.guard, first);
    if (until) await client.until(until);
    await expect.poll(fence.received).toContain("first");
    const before = fence.received();
    fence.lease = lease;
    client.socket.write(more(fence.port));
    await client.waitForClose();
    expect(fence.received().slice(before.length)).not.toContain("second");
  }
});

test.each(ways)("%s is not opened without a lease", async (_, open, more) => {
  const fence = await startFence();
  fence.lease = undefined;
  await connectRaw(fence.guard, open(fence.port)[0] + more(fence.port)).waitForClose();
  expect(fence.received()).toBe("");
});

test("connections that others have opened are closed with the first write that is refused, and new ones serve the next lease", async () => {
  const fence = await startFence();
  const [quiet, writing] = [
    connectRaw(fence.guard, `${tunnelTo(fence.port)}quiet`),
    connectRaw(fence.guard, `${tunnelTo(fence.port)}loud`),
  ];
  await Promise.all([quiet.until(/quiet$/), writing.until(/loud$/)]);
  fence.lease = 2;
  writing.socket.write("more");
  await Promise.all([quiet.waitForClose(), writing.waitForClose()]);
  const next = connectRaw(fence.guard, `${tunnelTo(fence.port)}next`);
  await next.until(/next$/);
  expect(fence.received()).not.toContain("more");
  next.socket.destroy();
});
