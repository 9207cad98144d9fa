import { connect, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { listen, serveRaw } from "./servers.ts";

/** A proxy of the tests, and the hosts that it was asked for. */
export interface TestProxy {
  readonly port: number;
  readonly hosts: string[];
  /** Credentials that it was given. */
  readonly credentials: string[];
}

/** Where the proxies of the tests connect to, whatever they are asked for. */
interface Behavior {
  readonly to: number;
  /** `user:password` that it needs. Default: none. */
  readonly needs?: string;
  /** Status, or code of SOCKS5, with which it refuses every connection. */
  readonly refuses?: number;
  /** What it says as soon as it has connected. */
  readonly early?: string;
}

/** Starts an HTTP proxy that makes tunnels only, with TLS where there is a certificate. */
export async function startHttpProxy(behavior: Behavior, tls?: TlsOptions): Promise<TestProxy> {
  const hosts: string[] = [];
  const credentials: string[] = [];
  const serve = (socket: Socket): void => {
    socket.on("error", () => {});
    let head = "";
    const onData = (data: Buffer): void => {
      head += data.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", onData);
      const [, host = ""] = /^CONNECT (\S+) HTTP/.exec(head) ?? [];
      const [, basic = ""] = /^proxy-authorization: Basic (\S+)/im.exec(head) ?? [];
      hosts.push(host);
      credentials.push(Buffer.from(basic, "base64").toString());
      if (behavior.needs !== undefined && credentials.at(-1) !== behavior.needs)
        return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
      if (behavior.refuses !== undefined) return void socket.end(`HTTP/1.1 ${behavior.refuses} No\r\n\r\n`);
      join(socket, behavior.to, `HTTP/1.1 200 Connected\r\n\r\n${behavior.early ?? ""}`);
    };
    socket.on("data", onData);
  };
  const port = tls ? await listen(createTlsServer(tls, serve)) : await serveRaw(serve);
  return { port, hosts, credentials };
}

/** Starts a SOCKS5 proxy. */
export async function startSocksProxy(behavior: Behavior): Promise<TestProxy> {
  const hosts: string[] = [];
  const credentials: string[] = [];
  const port = await serveRaw((socket) => {
    let state: "greeting" | "credentials" | "request" = "greeting";
    socket.on("data", (data: Buffer) => {
      if (state === "greeting") {
        const offers = data.subarray(2, 2 + (data[1] ?? 0));
        const method = behavior.needs === undefined ? 0 : 2;
        if (!offers.includes(method)) return void socket.end(Buffer.from([5, 0xff]));
        state = method === 0 ? "request" : "credentials";
        socket.write(Buffer.from([5, method]));
      } else if (state === "credentials") {
        const nameEnd = 2 + (data[1] ?? 0);
        const [name, password] = [data.subarray(2, nameEnd), data.subarray(nameEnd + 1)];
        credentials.push(`${name.toString()}:${password.toString()}`);
        const isRight = credentials.at(-1) === behavior.needs;
        state = "request";
        socket.write(Buffer.from([1, isRight ? 0 : 1]));
        if (!isRight) socket.end();
      } else {
        socket.removeAllListeners("data");
        hosts.push(getHost(data));
        if (behavior.refuses !== undefined)
          return void socket.end(Buffer.from([5, behavior.refuses, 0, 1, 0, 0, 0, 0, 0, 0]));
        join(socket, behavior.to, Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 1]));
      }
    });
  });
  return { port, hosts, credentials };
}

/** The host and port of a request of SOCKS5, with its kind: 1 is IPv4, 3 a name, 4 IPv6. */
function getHost(data: Buffer): string {
  const [, , , kind = 0, length = 0] = data;
  const end = kind === 1 ? 8 : kind === 4 ? 20 : 5 + length;
  const bytes = data.subarray(kind === 3 ? 5 : 4, end);
  const host = kind === 3 ? bytes.toString() : kind === 1 ? bytes.join(".") : bytes.toString("hex");
  return `${kind} ${host}:${data.readUInt16BE(end)}`;
}

function join(socket: Socket, port: number, answer: string | Buffer): void {
  const server = connect(port, "127.0.0.1");
  server.on("error", () => socket.destroy());
  server.once("connect", () => {
    socket.write(answer);
    socket.pipe(server).pipe(socket);
  });
}
