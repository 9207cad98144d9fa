import { expect, test } from "vitest";
import { connectRaw, type RawClient } from "./raw-client.ts";
import { get, serveRaw, startGuard, type Started } from "./servers.ts";

/** A guard under a lease, and a server that counts what it is sent. */
async function fenced(): Promise<
  Started & { readonly port: number; readonly heard: () => string; lease: number | undefined }
> {
  let heard = "";
  const port = await serveRaw((socket) => {
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
      if (heard.startsWith("POST")) return;
      if (heard.endsWith("\r\n\r\n")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      else socket.write(chunk);
    });
  });
  const held: { lease: number | undefined } = { lease: 1 };
  const started = await startGuard({ allow: ["127.0.0.1"], lease: () => held.lease });
  return Object.assign(held, started, { port, heard: () => heard });
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
    const held = await fenced();
    const [first, until] = open(held.port);
    const client: RawClient = connectRaw(held.guard, first);
    if (until) await client.until(until);
    await expect.poll(held.heard).toContain("first");
    const before = held.heard();
    held.lease = lease;
    client.socket.write(more(held.port));
    await client.closed();
    expect(held.heard().slice(before.length)).not.toContain("second");
  }
});

test.each(ways)("%s is not opened without a lease", async (_, open, more) => {
  const held = await fenced();
  held.lease = undefined;
  await connectRaw(held.guard, open(held.port)[0] + more(held.port)).closed();
  expect(held.heard()).toBe("");
});

test("connections that others have opened are closed with the first write that is refused, and new ones serve the next lease", async () => {
  const held = await fenced();
  const [quiet, writing] = [
    connectRaw(held.guard, `${tunnelTo(held.port)}quiet`),
    connectRaw(held.guard, `${tunnelTo(held.port)}loud`),
  ];
  await Promise.all([quiet.until(/quiet$/), writing.until(/loud$/)]);
  held.lease = 2;
  writing.socket.write("more");
  await Promise.all([quiet.closed(), writing.closed()]);
  const next = connectRaw(held.guard, `${tunnelTo(held.port)}next`);
  await next.until(/next$/);
  expect(held.heard()).not.toContain("more");
  next.socket.destroy();
});
