import { once } from "node:events";
import { createServer as createTcpServer, connect, type AddressInfo, type Socket } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { BrowserPool } from "../../src/pool/browser-pool.ts";
import type { PooledContext } from "../../src/pool/pooled-context.ts";
import type { DownloadEvent, DownloadFeed } from "../../src/relay/downloads.ts";
import { relaySession, type RelayLimits } from "../../src/relay/relay-session.ts";

/** How long to wait for what happens in a browser on a busy machine. */
export const patient = { timeout: 60_000 };

/** What a client of a relayed session did, as the service hears of it. */
export interface HookCalls {
  actions: number;
  activated: string[];
  closes: number;
}

/** Two sessions in one browser, and a relay to each. */
export interface Relayed extends AsyncDisposable {
  readonly own: PooledContext;
  readonly foreign: PooledContext;
  readonly calls: HookCalls;
  /** Uploaded files, by the path that their uploader was given. */
  readonly uploads: Map<string, string>;
  /** Downloads that were canceled. */
  readonly canceled: string[];
  /** Tells the clients what happens to a download. */
  tell(event: DownloadEvent): void;
  /** Ends of the relay to its clients, the newest last. */
  readonly relayEnds: WebSocket[];
  /** Address of the relay to the own session. */
  url(limits?: Partial<RelayLimits>): string;
  /** Address of it, as far away as a one-way delay makes it. */
  distantUrl(delayMs: number): Promise<string>;
}

const usual: RelayLimits = {
  messageBytes: 2 ** 26,
  pauseBytes: 2 ** 23,
  maxBytes: 2 ** 26,
  pingEveryMs: 30_000,
  openWithinMs: 10_000,
};

function getPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

export async function startRelayed(): Promise<Relayed> {
  const pool = await BrowserPool.start();
  const [own, foreign] = [await pool.open(), await pool.open()];
  const calls: HookCalls = { actions: 0, activated: [], closes: 0 };
  const relayEnds: WebSocket[] = [];
  const uploads = new Map<string, string>();
  const canceled: string[] = [];
  const watchers = new Set<(event: DownloadEvent) => void>();
  const downloads: DownloadFeed = {
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    cancel: (guid) => {
      if (guid === "unknown") return false;
      canceled.push(guid);
      own.cancelDownload(guid);
      return true;
    },
  };
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 2 ** 27 });
  await once(server, "listening");
  const port = getPort(server.address());
  server.on("connection", (client, request) => {
    relayEnds.push(client);
    const limits: Partial<RelayLimits> = JSON.parse(decodeURIComponent((request.url ?? "/").slice(1)) || "{}");
    const hooks = {
      onAction: () => void (calls.actions += 1),
      onUse: () => {},
      onActivate: async (targetId: string) => void calls.activated.push(targetId),
      onClosePage: async () => {},
      onClose: () => void (calls.closes += 1),
      setLocale: (locale: string | undefined) => own.setLocale(locale),
      onDetach: () => own.blockSecurityKeys(),
      uploadAt: (path: string) => uploads.get(path),
      downloads,
    };
    relaySession(client, own, hooks, { ...usual, ...limits });
  });
  const delays: (() => void)[] = [];
  return {
    own,
    foreign,
    calls,
    uploads,
    canceled,
    tell: (event) => watchers.forEach((watcher) => watcher(event)),
    relayEnds,
    url: (limits = {}) => `ws://127.0.0.1:${port}/${encodeURIComponent(JSON.stringify(limits))}`,
    async distantUrl(delayMs) {
      const sockets = new Set<Socket>();
      const far = createTcpServer({ noDelay: true }, (near) => {
        const there = connect({ port, host: "127.0.0.1", noDelay: true });
        for (const [from, to] of [
          [near, there],
          [there, near],
        ] as const) {
          sockets.add(from);
          from.on("data", (data) => void setTimeout(() => to.writable && to.write(data), delayMs));
          from.on("error", () => {});
          from.on("close", () => void setTimeout(() => to.destroy(), delayMs));
        }
      }).listen(0, "127.0.0.1");
      await once(far, "listening");
      delays.push(() => {
        for (const socket of sockets) socket.destroy();
        far.close();
      });
      return `ws://127.0.0.1:${getPort(far.address())}/`;
    },
    async [Symbol.asyncDispose]() {
      for (const stop of delays) stop();
      for (const client of server.clients) client.terminate();
      server.close();
      await pool.close();
    },
  };
}

/** A message of the protocol. */
export interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- any of the protocol
  params?: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- any of the protocol
  result?: any;
  error?: { code: number; message: string };
}

/** A client that speaks the protocol by hand. */
export class RawClient implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly events: Message[] = [];
  readonly strays: Message[] = [];
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #awaited = new Set<{
    readonly isIt: (message: Message) => boolean;
    readonly due: (message: Message) => void;
  }>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      const message: Message = JSON.parse(Buffer.isBuffer(data) ? data.toString() : "");
      const due = message.id === undefined ? undefined : this.#waiting.get(message.id);
      if (due) due(message);
      else if (message.method === undefined) this.strays.push(message);
      else this.#takeEvent(message);
    });
    socket.on("error", () => {});
  }

  static async open(url: string, options: WebSocket.ClientOptions = {}): Promise<RawClient> {
    const socket = new WebSocket(url, { maxPayload: 2 ** 28, ...options });
    const client = new RawClient(socket);
    await once(socket, "open");
    return client;
  }

  /** Waits for the first event of a name from now on whose parameters fit. */
  async waitForEvent(method: string, fits: (params: Message["params"]) => boolean = () => true): Promise<Message> {
    const isIt = (message: Message): boolean => message.method === method && fits(message.params);
    return new Promise((due) => this.#awaited.add({ isIt, due }));
  }

  #takeEvent(message: Message): void {
    this.events.push(message);
    for (const one of this.#awaited) {
      if (!one.isIt(message)) continue;
      this.#awaited.delete(one);
      one.due(message);
    }
  }

  /** Sends a command; resolves with its answer, be it a failure. */
  async ask(method: string, params: object = {}, sessionId?: string): Promise<Message> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { id: _id, ...message } = await answer;
    return message;
  }

  /** Attaches to the first page that it sees; returns its session. */
  async attach(targetId?: string): Promise<string> {
    const { result } = await this.ask("Target.getTargets");
    const id = targetId ?? result.targetInfos.find((info: { type: string }) => info.type === "page").targetId;
    const answer = await this.ask("Target.attachToTarget", { targetId: id, flatten: true });
    if (!answer.result) throw new Error(JSON.stringify([answer, id, result]));
    return answer.result.sessionId;
  }

  /** Evaluates in a page; resolves with the value. */
  async value(expression: string, sessionId: string): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    return (await this.ask("Runtime.evaluate", params, sessionId)).result?.result?.value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.socket.terminate();
    await once(this.socket, "close");
  }
}

/** Target id of the first page of a context. */
export async function readTargetId(pooled: PooledContext, index = 0): Promise<string> {
  const page = pooled.context.pages()[index];
  if (!page) throw new Error("the context has no such page");
  const devtools = await pooled.context.newCDPSession(page);
  const { targetInfo } = await devtools.send("Target.getTargetInfo");
  await devtools.detach();
  return targetInfo.targetId;
}
