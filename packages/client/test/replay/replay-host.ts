import { createCipheriv, createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { ClientError } from "../../src/errors/client-error.ts";
import type { ReplayClient, ReplayResponse } from "../../src/replay.ts";

/** What no error, hook or file may ever show: part of every presigned query. */
export const canary = "c4n4ry51gn4tur3";

/** The key of the test client, which no file host may ever see. */
export const apiKey = "k3y-0f-the-service";

/** Bytes that anybody can make again from a seed, at any place, without keeping them. */
export interface Content {
  readonly size: number;
  readonly etag: string;
  read(offset: number, length: number): Buffer;
}

/** The key stream of AES in counter mode: as good as random, and quick to enter anywhere. */
export function getContent(seed: string, size: number): Content {
  const key = createHash("md5").update(seed).digest();
  return {
    size,
    etag: `"${key.toString("hex")}"`,
    read(offset, length) {
      const counter = Buffer.alloc(16);
      counter.writeBigUInt64BE(BigInt(Math.floor(offset / 16)), 8);
      const before = offset % 16;
      return createCipheriv("aes-128-ctr", key, counter)
        .update(Buffer.alloc(before + length))
        .subarray(before);
    },
  };
}

/** The content as a whole. */
export function getBytes(content: Content): Buffer {
  return content.read(0, content.size);
}

export function getHash(content: Content): string {
  const hash = createHash("sha256");
  for (let at = 0; at < content.size; at += 2 ** 20)
    hash.update(content.read(at, Math.min(2 ** 20, content.size - at)));
  return hash.digest("hex");
}

/** What the host does otherwise than it should, with one request for a file. */
export interface Fault {
  /** Ends the connection after so many bytes of the body; `fetch` may lose some that it has not handed on yet. */
  readonly cutAfter?: number;
  /** How long it waits before the cut, in milliseconds, so that `fetch` hands on everything. Default: 10. */
  readonly lingerMs?: number;
  /** Sends no more after so many bytes of the body, and leaves the connection open. */
  readonly stallAfter?: number;
  /** Does not even answer. */
  readonly silent?: boolean;
  /** Ends the connection in place of an answer. */
  readonly reset?: boolean;
  /** Answers with this status, and a body that quotes the address. */
  readonly status?: number;
  /** Answers with a redirect. */
  readonly location?: string;
  /** Sends everything, whatever was asked for. */
  readonly ignoreRange?: boolean;
  /** Takes `If-Range` for granted. */
  readonly ignoreIfRange?: boolean;
  /** Says this of a part, whatever it sends. */
  readonly contentRange?: (start: number, end: number) => string;
  /** Headers over those that there are; `undefined` takes one away. */
  readonly headers?: Record<string, string | undefined>;
  /** Announces so many bytes more. */
  readonly announceMore?: number;
  /** Sends so many bytes more than asked for, and announces no length. */
  readonly sendMore?: number;
  /** Announces no length. */
  readonly chunked?: boolean;
  /** Compresses, though it was asked not to. */
  readonly gzip?: boolean;
  /** Has other content from now on. */
  readonly swap?: Content;
  /** Lets all addresses expire that were signed until now. */
  readonly expire?: boolean;
}

/** What the host saw of one request, and answered. */
export interface Seen {
  readonly path: string;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** 0 when there was no answer. */
  readonly status: number;
  /** Whether the connection is still there and the answer is not complete. */
  readonly isOpen: boolean;
}

/** A service with one replay and a file host, on a free port of this machine. */
export interface ReplayHost extends AsyncDisposable {
  readonly url: string;
  /** Asks for the replay over HTTP, with the key. */
  readonly client: ReplayClient;
  /** All requests for files. */
  readonly files: Seen[];
  /** All requests for the replay. */
  readonly replays: Seen[];
  /** The faults of the next requests for files, one each; `undefined` is none. */
  readonly faults: (Fault | undefined)[];
  /** Statuses of the next requests for the replay, one each. */
  readonly replayStatuses: number[];
  /** Lets all addresses expire that were signed until now. */
  expire(): void;
}

export interface HostOptions {
  /** The files, by name; `video.mp4` is that of `mp4_url`. */
  readonly contents?: Record<string, Content>;
  /** Fault of all requests that have none of their own. */
  readonly always?: Fault;
  /** What is said otherwise in the replay; `sign` makes presigned URLs. */
  readonly replay?: (sign: (name: string) => string, nth: number) => Partial<Record<keyof ReplayResponse, unknown>>;
}

export async function startReplayHost({ contents = {}, always, replay }: HostOptions = {}): Promise<ReplayHost> {
  const stored = new Map(Object.entries(contents));
  const valid = new Set<string>();
  const [files, replays]: [Seen[], Seen[]] = [[], []];
  const faults: (Fault | undefined)[] = [];
  const replayStatuses: number[] = [];

  const sign = (name: string): string => {
    const signature = `${canary}${valid.size}x${replays.length}`;
    valid.add(signature);
    return `${url}/files/${name}?X-Amz-Expires=60&X-Amz-Signature=${signature}`;
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams, search } = new URL(request.url ?? "", url);
    const list = pathname.startsWith("/files/") ? files : replays;
    list.push({
      path: pathname,
      search,
      headers: request.headers,
      get status() {
        return response.headersSent ? response.statusCode : 0;
      },
      get isOpen() {
        return !response.closed;
      },
    });
    if (list === replays) {
      const status = replayStatuses.shift() ?? 200;
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      const video = { mp4_url: sign("video.mp4"), playlist_content: "", expires_at, video_start_ms: 0 };
      const body = { ...video, video_duration_ms: 1000, ...replay?.(sign, replays.length) };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    const fault = { ...always, ...faults.shift() };
    const name = pathname.slice("/files/".length);
    if (fault.expire) valid.clear();
    if (fault.swap) stored.set(name, fault.swap);
    if (fault.silent) return;
    if (fault.reset) return void request.socket.destroy();
    const content = stored.get(name);
    const refusal = valid.has(searchParams.get("X-Amz-Signature") ?? "") ? 404 : 403;
    if (fault.location !== undefined) return void response.writeHead(302, { location: fault.location }).end();
    if (fault.status || refusal === 403 || !content) {
      response.writeHead(fault.status ?? refusal).end(`<Error>${request.url}</Error>`);
      return;
    }
    await send(request, response, content, fault);
  };

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    client: createClient(url),
    files,
    replays,
    faults,
    replayStatuses,
    expire: () => valid.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What work ends with: its result or its error. */
export async function readOutcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error);
}

/** Everything that a log could show of a value. */
export function showAll(value: unknown): string {
  const parts: unknown[] = [];
  for (let part = value; part instanceof Error; part = part.cause) parts.push(String(part), part.stack, part.message);
  return [...parts, inspect(value, { depth: 10, showHidden: true }), JSON.stringify(value)].join("\n");
}

/** What `createCloudBrowser` makes, as far as replays go. */
export function createClient(url: string): ReplayClient {
  return {
    async replay(sessionId, { signal = null as AbortSignal | null | undefined } = {}) {
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${url}/sessions/${sessionId}/replay`, { headers, signal: signal ?? null });
      if (response.ok) {
        const replay: ReplayResponse = await response.json();
        return replay;
      }
      const retryable = response.status >= 500;
      throw new ClientError("unexpected-status", `status ${response.status}`, { response, retryable });
    },
  };
}

/** Answers as RFC 9110 says, but for the fault. */
async function send(request: IncomingMessage, response: ServerResponse, content: Content, fault: Fault): Promise<void> {
  const { range = "", "if-range": condition } = request.headers;
  const modified = "Wed, 18 Nov 2026 10:00:00 GMT";
  const headers: Record<string, string | undefined> = {
    "accept-ranges": "bytes",
    etag: content.etag,
    "last-modified": modified,
    ...fault.headers,
  };
  const unchanged = condition === undefined || condition === headers["etag"] || condition === headers["last-modified"];
  const [, from, to] = (!fault.ignoreRange && /^bytes=(\d+)-(\d*)$/.exec(range)) || [];
  const isPart = from !== undefined && (unchanged || fault.ignoreIfRange);
  const start = isPart ? Number(from) : 0;
  const end = Math.min(isPart && to ? Number(to) + 1 : content.size, content.size) + (fault.sendMore ?? 0);

  if (isPart && start >= content.size) {
    response.writeHead(416, { "content-range": `bytes */${content.size}` }).end();
    return;
  }
  if (isPart)
    headers["content-range"] = fault.contentRange?.(start, end) ?? `bytes ${start}-${end - 1}/${content.size}`;
  let body: Iterable<Buffer> = cutPieces(content, start, end);
  let length = end - start;
  if (fault.gzip) {
    body = [gzipSync(Buffer.concat([...body]))];
    headers["content-encoding"] = "gzip";
    length = [...body].reduce((sum, piece) => sum + piece.length, 0);
  }
  if (!fault.chunked && !fault.sendMore) headers["content-length"] = String(length + (fault.announceMore ?? 0));
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(isPart ? 206 : 200);
  response.flushHeaders();

  const closing = once(response, "close");
  let remaining = fault.cutAfter ?? fault.stallAfter ?? Infinity;
  for (const piece of body) {
    const bytes = piece.subarray(0, remaining);
    remaining -= bytes.length;
    if (bytes.length && !response.write(bytes)) await Promise.race([once(response, "drain"), closing]);
    if (response.destroyed) return;
    if (remaining <= 0) break;
  }
  if (fault.cutAfter !== undefined || fault.announceMore) {
    await sleep(fault.lingerMs ?? 10);
    // Where the machine stopped the process, the time has passed, but nothing was read: many turns of the event loop read it.
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    response.socket?.destroySoon();
  } else if (fault.stallAfter === undefined) response.end();
}

function* cutPieces(content: Content, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += 2 ** 18) yield content.read(at, Math.min(2 ** 18, end - at));
}
