import type { components } from "@cloud-browser/spec/control-types";

type Schemas = components["schemas"];

/** A message to the service. */
export type LiveInput = Schemas["LiveInput"];
/** A message of the service. */
export type LiveMessage = Schemas["LiveMessage"];

/** A picture of a page, with the size of the viewport that it shows in CSS pixels. */
export interface LivePicture {
  readonly jpeg: Blob;
  readonly width: number;
  readonly height: number;
}

/** Callbacks of a viewer of a session. */
export interface LiveListener {
  /** A new picture; the next one comes when the promise is resolved. */
  readonly onPicture: (picture: LivePicture) => Promise<void>;
  /** Called with any other message about the session. */
  readonly onMessage?: (message: LiveMessage) => void;
  /** The connection is lost, or there again. */
  readonly onConnection?: (isOpen: boolean) => void;
  /** The connection ended for good: the session has ended, or the right to see it. */
  readonly onEnd?: (reason: string) => void;
}

/** Bytes before the JPEG: number of the picture, width, height. */
const headBytes = 8;
/** Codes of the end of a connection that another attempt would not change. */
const finalCodes: ReadonlySet<number> = new Set([4410, 4403, 1008]);
/** First and longest pause before a connection is opened again, in milliseconds. */
const pauseMs = { first: 500, longest: 10_000 } as const;

/** Sees a session live, and acts in it; connects again when the connection is lost. */
export class LiveSocket {
  readonly #address: () => Promise<string | undefined>;
  readonly #listener: LiveListener;
  readonly #view: { readonly max_width: number; readonly max_fps: number };
  #socket: WebSocket | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param address - Asked before each connection; undefined when there is no right to see the session any more. */
  constructor(
    address: () => Promise<string | undefined>,
    view: { readonly max_width: number; readonly max_fps: number },
    listener: LiveListener,
  ) {
    this.#address = address;
    this.#view = view;
    this.#listener = listener;
    void this.#connect();
  }

  /** Sends a message, if the connection is open. */
  send(message: LiveInput): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Closes the connection. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  async #connect(): Promise<void> {
    let address: string | undefined;
    try {
      address = await this.#address();
    } catch (error) {
      return this.#retry(String(error));
    }
    if (this.#isClosed) return;
    if (address === undefined) return this.#listener.onEnd?.("it can't be seen with this key");
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#failures = 0;
      this.send({ type: "view", ...this.#view });
      this.#listener.onConnection?.(true);
    });
    socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === "string") return this.#listener.onMessage?.(JSON.parse(data));
      void this.#show(data);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      if (this.#isClosed) return;
      if (finalCodes.has(code)) return this.#listener.onEnd?.(reason);
      this.#retry(reason);
    });
  }

  async #show(data: ArrayBuffer): Promise<void> {
    const head = new DataView(data, 0, headBytes);
    const jpeg = new Blob([new Uint8Array(data, headBytes)], { type: "image/jpeg" });
    await this.#listener
      .onPicture({ jpeg, width: head.getUint16(4), height: head.getUint16(6) })
      .catch(() => undefined);
    this.send({ type: "ack", picture: head.getUint32(0) });
  }

  #retry(_reason: string): void {
    this.#listener.onConnection?.(false);
    const ms = Math.min(pauseMs.longest, pauseMs.first * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => void this.#connect(), ms);
  }
}

/** Returns the address of the live socket of a session for a token, at the service that served this page. */
export function liveAddress(sessionId: string, token: string): string {
  const url = new URL(`/control/sessions/${encodeURIComponent(sessionId)}/live`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("token", token);
  return url.href;
}
