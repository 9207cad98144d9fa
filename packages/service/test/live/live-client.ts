import { EventEmitter, once } from "node:events";
import { WebSocket } from "ws";

/** A message of the service, or a picture. */
export interface Received {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** A viewer at the live socket of a session, as a program sees it. */
export class LiveClient {
  /** What came, in order. */
  readonly received: Received[] = [];
  /** How the socket was closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #socket: WebSocket;
  readonly #events = new EventEmitter().setMaxListeners(100);
  readonly #acknowledges: boolean;
  #position = 0;

  private constructor(socket: WebSocket, acknowledges: boolean) {
    this.#socket = socket;
    this.#acknowledges = acknowledges;
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on("error", () => {});
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.#onPicture(data);
      else this.#add(JSON.parse(data.toString()));
    });
  }

  /** Connects; gives the status of its refusal when it may not. @param acknowledges - Default: true. */
  static async connect(url: string, acknowledges = true, headers = {}): Promise<LiveClient | number> {
    const socket = new WebSocket(url, { headers });
    const client = new LiveClient(socket, acknowledges);
    const refused = new Promise<number>((resolve) => {
      socket.on("unexpected-response", (_, response) => {
        resolve(response.statusCode ?? 0);
        socket.terminate();
      });
    });
    const opened = new Promise<LiveClient>((resolve) => socket.once("open", () => resolve(client)));
    return Promise.race([opened, refused]);
  }

  /** Connects, and expects that it may. */
  static async open(url: string, acknowledges = true): Promise<LiveClient> {
    const client = await LiveClient.connect(url, acknowledges);
    if (typeof client === "number") throw new Error(`the live socket was refused with ${client}`);
    return client;
  }

  /** Sends a message. */
  send(message: object | string): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends bytes. */
  sendBytes(bytes: Uint8Array): void {
    this.#socket.send(bytes);
  }

  /** Resolves with the first thing of a kind that came since the last call. */
  async next(is: (received: Received) => boolean): Promise<Received> {
    for (;;) {
      for (; this.#position < this.received.length; this.#position += 1) {
        const one = this.received[this.#position];
        if (one && is(one)) {
          this.#position += 1;
          return one;
        }
      }
      await once(this.#events, "received");
    }
  }

  /** How many pictures came. */
  get pictures(): number {
    return this.received.filter(({ type }) => type === "picture").length;
  }

  /** Resolves when everything that was sent before has been read. */
  async settled(): Promise<void> {
    this.send({ type: "ack", picture: 1_000_000_000 });
    await this.next(({ type, of }) => type === "error" && of === "ack");
  }

  /** Disconnects. */
  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  #onPicture(data: Buffer): void {
    const picture = data.readUInt32BE(0);
    const jpeg = data.subarray(8);
    this.#add({ type: "picture", picture, width: data.readUInt16BE(4), height: data.readUInt16BE(6), jpeg });
    if (this.#acknowledges) this.send({ type: "ack", picture });
  }

  #add(received: Received): void {
    this.received.push(received);
    this.#events.emit("received");
  }
}

/** Returns the JPEG of a picture. */
export function decodeJpeg(received: Received | undefined): Buffer {
  const jpeg = received?.["jpeg"];
  if (!Buffer.isBuffer(jpeg)) throw new Error("it is no picture");
  return jpeg;
}

/** Is a picture. */
export function isPicture({ type }: Received): boolean {
  return type === "picture";
}
