import { describe, expect, test } from "vitest";
import { connectRaw } from "./raw-client.ts";
import { get, serveRaw, startGuard, readStatus } from "./servers.ts";

/** As it goes over a connection, one character for each byte. */
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");
/** Bytes above 127 that are UTF-8, and one that can't be. */
const odd = `${utf8("ü€")}\xff`;
const oddHeaders = `Location: /${odd}?q=${odd}\r\nSet-Cookie: u8=${odd}\r\n`;

/** Answers every request with the same bytes, and keeps what was asked. */
async function serveBytes(answer: string): Promise<{ port: number; request: () => string }> {
  let request = "";
  const port = await serveRaw((socket) => {
    socket.on("data", (chunk) => {
      request += chunk.toString("latin1");
      if (request.includes("\r\n\r\n")) socket.end(answer, "latin1");
    });
  });
  return { port, request: () => request };
}

describe("bytes above 127 in the headers of an answer", () => {
  test.each([
    ["with a length", "GET", `200 OK\r\n${oddHeaders}Content-Length: 2\r\n\r\nok`, /\r\n\r\nok$/],
    [
      "in chunks",
      "GET",
      `200 OK\r\n${oddHeaders}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
      /\n0\r\n\r\n$/,
    ],
    ["up to the end of the connection", "GET", `200 OK\r\n${oddHeaders}\r\nok`, /ok\r\n0\r\n\r\n$/],
    ["without a body", "GET", `302 Found\r\n${oddHeaders}Content-Length: 0\r\n\r\n`, /\r\n\r\n$/],
    ["of status 204", "GET", `204 No Content\r\n${oddHeaders}\r\n`, /\r\n\r\n$/],
    ["of status 304", "GET", `304 Not Modified\r\n${oddHeaders}\r\n`, /\r\n\r\n$/],
    ["to HEAD", "HEAD", `200 OK\r\n${oddHeaders}Content-Length: 2\r\n\r\n`, /\r\n\r\n$/],
  ])("%s are passed on as they are", async (_name, method, answer, end) => {
    const { port } = await serveBytes(`HTTP/1.1 ${answer}`);
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, get(`http://127.0.0.1:${port}/`).replace("GET", method));
    await client.until(end);
    expect(client.received()).toContain(oddHeaders);
    client.socket.destroy();
  });

  test.each([
    ["before", `Content-Length: 2\r\nContent-Disposition: attachment; filename="${odd}"\r\n`],
    ["after", `Content-Disposition: attachment; filename="${odd}"\r\nContent-Length: 2\r\n`],
  ])("are passed on in a file's name, with the length %s it", async (_name, headers) => {
    const { port } = await serveBytes(`HTTP/1.1 200 OK\r\n${headers}\r\nok`);
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, get(`http://127.0.0.1:${port}/`));
    const [answer] = await client.until(/[^]*\r\n\r\n(?:ok|[^]*<\/html>\n)$/);
    expect(answer).toContain(`filename="${odd}"\r\n`);
    expect(answer).toContain("Content-Length: 2\r\n");
    client.socket.destroy();
  });

  test("are passed on in the words after the status, and at once when the body is late", async () => {
    const more = Promise.withResolvers<void>();
    const head = `HTTP/1.1 200 ${odd}\r\nContent-Type: text/event-stream\r\n${oddHeaders}\r\n`;
    const port = await serveRaw((socket) => {
      socket.once("data", () => socket.write(head, "latin1"));
      void more.promise.then(() => socket.end("data: hello\n\n"));
    });
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, get(`http://127.0.0.1:${port}/`));
    const [answer] = await client.until(/^[^]*?\r\n\r\n/);
    expect(answer).toContain(`HTTP/1.1 200 ${odd}\r\n`);
    expect(answer).toContain(oddHeaders);
    expect(client.received()).not.toContain("hello");
    more.resolve();
    await client.until(/data: hello\n\n\r\n0\r\n\r\n$/);
    client.socket.destroy();
  });
});

describe("bytes above 127 in a request", () => {
  const headers = `Cookie: u8=${odd}\r\nReferer: http://a.test/${odd}\r\n`;
  const file = `Content-Disposition: form-data; name="${odd}"\r\n`;

  test.each([
    ["without a body", "GET", "", ""],
    ["with a body", "POST", `Content-Length: 2\r\n${file}`, "ok"],
    ["with an empty body", "POST", "Content-Length: 0\r\n", ""],
    ["with chunks", "POST", `${file}Transfer-Encoding: chunked\r\n`, "2\r\nok\r\n0\r\n\r\n"],
  ])("%s are passed on as they are", async (_name, method, more, body) => {
    const { port, request } = await serveBytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const url = `http://127.0.0.1:${port}/`;
    const client = connectRaw(guard, `${method} ${url} HTTP/1.1\r\nHost: x\r\n${headers}${more}\r\n${body}`);
    await client.until(/\r\n\r\nok$/);
    expect(request()).toContain(headers);
    expect(request().includes(file)).toBe(more.includes(file));
    client.socket.destroy();
  });

  test("are refused in its path, where no browser writes them", async () => {
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    expect(await readStatus(guard, get(`http://127.0.0.1/${odd}`))).toBe(400);
  });

  test("and in its answer go through a tunnel as they are", async () => {
    const answer = `HTTP/1.1 101 ${odd}\r\nUpgrade: websocket\r\n${oddHeaders}\r\n`;
    const { port, request } = await serveBytes(answer);
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    await client.until(/\r\n\r\n/);
    const upgrade = `GET /${odd} HTTP/1.1\r\nUpgrade: websocket\r\n${headers}\r\n`;
    client.socket.end(upgrade, "latin1");
    const bytes = await client.waitForClose();
    expect(bytes.slice(bytes.indexOf("\r\n\r\n") + 4)).toBe(answer);
    expect(request()).toBe(upgrade);
  });
});
