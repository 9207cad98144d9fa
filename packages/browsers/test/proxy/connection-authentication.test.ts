import { createServer } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { loginServer, ntlm } from "./login-server.ts";
import { connectRaw, type RawClient } from "./raw-client.ts";
import { get, listen, serveRaw, startGuard } from "./servers.ts";

/** Says it over a connection that is kept, and tells what the page that comes back says. */
async function ask(client: RawClient, request: string): Promise<string> {
  const before = client.received().length;
  client.socket.write(request);
  const [all] = await client.until(new RegExp(`^[^]{${before}}[^]*</p>$`));
  return /<p>(.*)<\/p>$/.exec(all)?.[1] ?? "";
}

const post = (url: string, ...headers: string[]): string =>
  `${get(url, ...headers, "Content-Length: 2").replace("GET", "POST")}ok`;

describe("a connection to a server that a browser's connection has logged in on", () => {
  test("is given to no other, neither while that one is open nor afterwards", async () => {
    const url = `http://127.0.0.1:${await listen(loginServer())}/`;
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const [one, other] = [connectRaw(guard), connectRaw(guard)];
    await ask(one, get(url, `Authorization: NTLM ${ntlm.first}`));
    expect(await ask(one, get(url, `Authorization: NTLM ${ntlm.last}`))).toBe("in, over 1");
    expect(await ask(other, get(url))).toBe("out, over 2");
    expect(await ask(one, get(url))).toBe("in, over 1");
    one.socket.destroy();
    await one.waitForClose();
    expect(await ask(other, get(url))).toBe("out, over 2");
    const third = connectRaw(guard);
    expect(await ask(third, get(url))).toBe("out, over 3");
  });

  test("is the one of each message of the login, whatever others ask meanwhile", async () => {
    const url = `http://127.0.0.1:${await listen(loginServer())}/`;
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const [one, other] = [connectRaw(guard), connectRaw(guard)];
    expect(await ask(one, get(url))).toBe("out, over 1");
    expect(await ask(other, get(url))).toBe("out, over 2");
    expect(await ask(one, get(url, `Authorization: NTLM ${ntlm.first}`))).toBe("out, over 1");
    expect(await ask(other, get(url, `Authorization: NTLM ${ntlm.first}`))).toBe("out, over 2");
    expect(await ask(one, get(url, `Authorization: NTLM ${ntlm.last}`))).toBe("in, over 1");
    expect(await ask(other, get(url, `Authorization: NTLM ${ntlm.last}`))).toBe("in, over 2");
  });

  test.each(["NTLM", "ntlm", "Negotiate", "nEGOTIATE"])(
    "with %s is the one of messages with a body",
    async (scheme) => {
      const url = `http://127.0.0.1:${await listen(loginServer())}/`;
      const { guard } = await startGuard({ allow: ["127.0.0.1"] });
      const client = connectRaw(guard);
      await ask(client, post(url, `Authorization: ${scheme} ${ntlm.first}`));
      expect(await ask(client, post(url, `Authorization: ${scheme} ${ntlm.last}`))).toMatch(/^in/);
    },
  );

  test("that the server closes under a message with a body closes the connection: nothing is sent twice", async () => {
    const methods: string[] = [];
    const port = await serveRaw((socket) => {
      socket.on("data", (chunk) => {
        methods.push(chunk.toString().slice(0, 4));
        if (methods.length === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n<p>hello</p>");
        else socket.destroy();
      });
    });
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard);
    await ask(client, get(`http://127.0.0.1:${port}/`));
    client.socket.write(post(`http://127.0.0.1:${port}/`, `Authorization: NTLM ${ntlm.first}`));
    await client.waitForClose();
    expect(methods).toEqual(["GET ", "POST"]);
  });

  test("ends with the browser's", async () => {
    const sockets: Socket[] = [];
    const port = await listen(
      createServer({ keepAliveTimeout: 60_000 }, ({ socket }, response) => {
        sockets.push(socket);
        response.end("<p>hello</p>");
      }),
    );
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard);
    await ask(client, get(`http://127.0.0.1:${port}/`));
    await ask(client, get(`http://127.0.0.1:${port}/`));
    expect(new Set(sockets).size).toBe(1);
    client.socket.destroy();
    await expect.poll(() => sockets[0]?.destroyed, { timeout: 30_000 }).toBe(true);
  });

  test("is one at a time", async () => {
    const sockets: Socket[] = [];
    const ports = [1, 2].map(async () =>
      listen(
        createServer({ keepAliveTimeout: 60_000 }, ({ socket }, response) => {
          sockets.push(socket);
          response.end("<p>hello</p>");
        }),
      ),
    );
    const { guard } = await startGuard({ allow: ["127.0.0.1"] });
    const client = connectRaw(guard);
    for (const port of await Promise.all(ports)) {
      await ask(client, get(`http://127.0.0.1:${port}/`));
      await ask(client, get(`http://127.0.0.1:${port}/again`));
    }
    await expect
      .poll(() => sockets.map((socket) => socket.destroyed), { timeout: 30_000 })
      .toEqual([true, true, false, false]);
  });
});
