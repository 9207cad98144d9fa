import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as send } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { describe, expect, test } from "vitest";
import { connectRaw } from "./raw-client.ts";
import { get, listen, noAnswer, serve, serveRaw, startGuard, readStatus } from "./servers.ts";

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

describe("a plain request", () => {
  test("is forwarded with its path as written, its own host, and without proxy headers", async () => {
    const requests: string[][] = [];
    const port = await serve((request, response) => {
      requests.push([request.url ?? "", ...request.rawHeaders]);
      response.setHeader("X-Twice", ["a", "b"]);
      response.setHeader("Keep-Alive", "timeout=7");
      response.end("hello");
    });
    const { guard } = await startGuard({ allow: [`127.0.0.1:${port}`] });
    const client = connectRaw(
      guard,
      get(
        `http://127.0.0.1:${port}/a/../b|%7E?q={1}`,
        "X-Mine: 1",
        "Proxy-Connection: keep-alive",
        "Proxy-Authorization: Basic eDp5",
        "X-Hop: 2",
        "Connection: x-hop, host, content-length",
        "TE: trailers",
      ),
    );
    const [answer] = await client.until(/[^]*hello/);
    expect(requests).toEqual([
      ["/a/../b|%7E?q={1}", "Host", `127.0.0.1:${port}`, "X-Mine", "1", "Connection", "keep-alive"],
    ]);
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(answer).toContain("X-Twice: a\r\nX-Twice: b\r\n");
    expect(answer).not.toContain("timeout=7");
    // The connection is kept, and the one to the server as well.
    client.socket.write(get(`http://127.0.0.1:${port}/second`));
    await client.until(/hello[^]*hello/);
    expect(requests).toHaveLength(2);
    client.socket.destroy();
  });

  test.each([
    ["with a length", (body: Buffer) => ({ headers: { "content-length": String(body.length) } })],
    ["in chunks", () => ({ headers: {} })],
  ])("takes a large body %s both ways", async (_name, framing) => {
    const port = await serve((request, response) => void request.pipe(response));
    const { guard } = await startGuard({ allow: [`127.0.0.1:${port}`] });
    const body = randomBytes(3_000_000);
    const request = send({
      port: Number(new URL(guard.proxyServer).port),
      method: "POST",
      path: `http://127.0.0.1:${port}/`,
      ...framing(body),
    });
    request.end(body);
    const answer = await new Promise<IncomingMessage>((resolve) => request.once("response", resolve));
    expect((await readBody(answer)).equals(body)).toBe(true);
  });

  test("stops reading from a server when the client does not read (backpressure)", async () => {
    let chunks = 0;
    const full = Promise.withResolvers<void>();
    const port = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const chunk = Buffer.alloc(1_000_000);
      const more = (): void => {
        while (chunks < 100 && socket.write(chunk)) chunks += 1;
        chunks += 1;
        if (chunks >= 100) full.resolve();
      };
      socket.on("drain", more);
      socket.once("data", more);
    });
    const { guard } = await startGuard({ allow: [`127.0.0.1:${port}`] });
    const client = connectRaw(guard, get(`http://127.0.0.1:${port}/`));
    client.socket.pause();
    const result = await Promise.race([
      full.promise.then(() => "all"),
      new Promise((go) => setTimeout(go, 400, "some")),
    ]);
    expect(result).toBe("some");
    expect(chunks).toBeLessThan(60);
    client.socket.resume();
    await full.promise;
    client.socket.destroy();
  });

  test("is sent again when the server closed the connection that waited for it", async () => {
    let connections = 0;
    const port = await serveRaw((socket) => {
      connections += 1;
      let requests = 0;
      socket.on("data", () => {
        requests += 1;
        if (requests === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        else socket.destroy();
      });
    });
    const { guard } = await startGuard({ allow: [`127.0.0.1:${port}`] });
    const client = connectRaw(guard, get(`http://127.0.0.1:${port}/1`));
    await client.until(/ok$/);
    client.socket.write(get(`http://127.0.0.1:${port}/2`));
    await client.until(/ok[^]*ok$/);
    expect(connections).toBe(2);
    client.socket.destroy();
  });

  test("is aborted, not ended, when the server aborts", async () => {
    const port = await serveRaw((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", () => socket.destroy());
      });
    });
    const { guard } = await startGuard({ allow: [`127.0.0.1:${port}`] });
    const text = await connectRaw(guard, get(`http://127.0.0.1:${port}/`)).waitForClose();
    expect(text).not.toMatch(/\r\n0\r\n/);
  });

  test("ends at the server when the browser leaves", async () => {
    const closing = Promise.withResolvers<void>();
    const request = Promise.withResolvers<void>();
    const port = await serveRaw((socket) => {
      socket.once("data", () => request.resolve());
      socket.once("close", () => closing.resolve());
      socket.once("end", () => socket.end());
    });
    const { guard } = await startGuard({ allow: [`127.0.0.1:${port}`] });
    const client = connectRaw(guard, get(`http://127.0.0.1:${port}/`));
    await request.promise;
    client.socket.destroy();
    await expect(closing.promise).resolves.toBeUndefined();
  });
});

const connectTo = (port: number, host = "127.0.0.1"): string =>
  `CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`;

describe("a tunnel", () => {
  test("carries bytes both ways, those sent too early included", async () => {
    const port = await serveRaw((socket) => void socket.pipe(socket));
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, `${connectTo(port)}early`);
    await client.until(/^HTTP\/1.1 200 [^\r]*\r\n\r\nearly$/);
    client.socket.write(" and late");
    await client.until(/early and late$/);
    client.socket.end();
    expect(await client.waitForClose()).toMatch(/early and late$/);
  });

  test("stays open for the answer when the browser has ended", async () => {
    const port = await serveRaw((socket) => {
      socket.on("data", () => {});
      socket.on("end", () => socket.end("an answer after the end"));
    });
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, connectTo(port));
    await client.until(/\r\n\r\n/);
    client.socket.end("question");
    expect(await client.waitForClose()).toMatch(/an answer after the end$/);
  });

  test("stays open for the browser when the server has ended", async () => {
    const bytes = Promise.withResolvers<string>();
    const port = await serveRaw((socket) => {
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("end", () => bytes.resolve(text));
      socket.end("bye");
    });
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, connectTo(port));
    client.socket.removeAllListeners("end");
    await once(client.socket, "end");
    client.socket.end("late");
    expect(await bytes.promise).toBe("late");
    expect(await client.waitForClose()).toMatch(/bye$/);
  });

  test("ends when nothing moves, and on the other side when one side breaks off", async () => {
    const closings: Promise<unknown>[] = [];
    const port = await serveRaw((socket) => {
      closings.push(once(socket, "close"));
      socket.on("data", () => socket.destroy());
      socket.on("end", () => socket.end());
    });
    const { guard } = await startGuard({ allow: ["127.0.0.1"], limits: { idleMs: 300 } });
    const idle = connectRaw(guard, connectTo(port));
    await idle.waitForClose();
    const broken = connectRaw(guard, connectTo(port));
    await broken.until(/\r\n\r\n/);
    broken.socket.write("x");
    await broken.waitForClose();
    await Promise.all(closings);
    expect(closings).toHaveLength(2);
  });

  test("is closed with the guard", async () => {
    const port = await serveRaw(() => {});
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, connectTo(port));
    await client.until(/\r\n\r\n/);
    await guard.close();
    expect(await client.waitForClose()).toMatch(/^HTTP\/1.1 200 /);
  });

  test("that is refused is not opened, and gets no page", async () => {
    const { guard, refusals } = await startGuard();
    const text = await connectRaw(guard, connectTo(443, "169.254.169.254")).waitForClose();
    expect(text).toBe("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    expect(refusals).toEqual([{ host: "169.254.169.254", port: 443, reason: "not-global" }]);
  });
});

describe("a server", () => {
  test("that can't be reached gives no answer, and no tunnel", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    expect(await connectRaw(guard, get(`http://127.0.0.1:${port}/`)).waitForClose()).toBe(noAnswer);
    expect(await readStatus(guard, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`)).toBe(502);
    // The whole body is read before: Chromium takes a connection that breaks under a body for one to send it again on.
    const post = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nContent-Length: 900000\r\n\r\n`;
    const client = connectRaw(guard, post);
    client.socket.write("x".repeat(899_999));
    client.socket.write("x");
    expect(await client.waitForClose()).toBe(noAnswer);
  });

  test("that never answers gives no answer", async () => {
    const port = await serveRaw(() => {});
    const { guard } = await startGuard({ allow: ["127.0.0.1"], limits: { idleMs: 300 } });
    expect(await connectRaw(guard, get(`http://127.0.0.1:${port}/`)).waitForClose()).toBe(noAnswer);
  });

  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH\r\n"],
    ["nothing, and an end", ""],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["a change of protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
    ["300 KB of headers", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(300_000)}\r\n\r\n`],
    ["a header with a control character", "HTTP/1.1 200 OK\r\nX: a\u0001b\r\nContent-Length: 0\r\n\r\n"],
    ["a status of two digits", "HTTP/1.1 99 Low\r\nContent-Length: 0\r\n\r\n"],
  ])("that answers with %s gives no answer", async (_name, answer) => {
    const port = await serveRaw((socket) => void socket.once("data", () => socket.end(answer, "latin1")));
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    expect(await connectRaw(guard, get(`http://127.0.0.1:${port}/`)).waitForClose()).toBe(noAnswer);
  });
});

describe("a malformed proxy request", () => {
  test.each([
    ["a path", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["another scheme", "GET https://example.com/ HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a file", "GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["noise", "\0\x01\x02 noise\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
    ["two lengths", "POST http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    ["a length and chunks", "POST http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ])("gets no answer: %s", async (_name, bytes) => {
    const { guard } = await startGuard();
    // As a failed request: headers beyond the limit are malformed, too, and a page that we wrote would count as the answer of the site.
    expect(
      (await connectRaw(guard, bytes).waitForClose()).replace(/ 400 Bad Request| 502 Bad Gateway/, " 502 Bad Gateway"),
    ).toBe(noAnswer);
  });

  test("ends no more than its connection, whatever it is", async () => {
    const port = await serve((_request, response) => response.end("alive"));
    const { guard } = await startGuard({ allow: ["127.0.0.1"], limits: { idleMs: 2_000, connectMs: 30_000 } });
    const samples = [
      get(`http://127.0.0.1:${port}/`, "A: b"),
      `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n${get("/")}`,
      `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    ];
    let state = 1;
    const random = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const spoiled = Array.from({ length: 300 }, (_, at) => {
      const bytes = Buffer.from(samples[at % samples.length] ?? "", "latin1");
      for (let times = random(6); times >= 0; times -= 1) bytes[random(bytes.length)] = random(256);
      return bytes.subarray(0, random(4) === 0 ? random(bytes.length) : bytes.length).toString("latin1");
    });
    await Promise.all(
      spoiled.map(async (bytes, at) => {
        const client = connectRaw(guard, bytes);
        if (at % 3 === 0) client.socket.on("connect", () => client.socket.resetAndDestroy());
        else client.socket.end();
        await client.waitForClose();
      }),
    );
    expect(await readStatus(guard, get(`http://127.0.0.1:${port}/`))).toBe(200);
  });

  test("and connections beyond the limit are closed", async () => {
    const names = new Set<string>();
    const all = Promise.withResolvers<void>();
    const { guard } = await startGuard({
      limits: { connections: 3 },
      resolve: async (name) => {
        if (names.add(name).size === 3) all.resolve();
        return new Promise(() => {});
      },
    });
    const open = ["a", "b", "c"].map((name) => connectRaw(guard, get(`http://${name}.test/`)));
    await all.promise;
    expect(await connectRaw(guard, get("http://d.test/")).waitForClose()).toBe("");
    for (const { socket } of open) socket.destroy();
  });
});
