import { WebSocket } from "ws";
import type { RelayHooks } from "./browser-commands.ts";
import { SessionView } from "./session-view.ts";

/** Bounds of one relay. Source: ours. */
export interface RelayLimits {
  /** Longest message of a client, in bytes. Default: 64 MiB. */
  readonly messageBytes: number;
  /** Longest message of the browser, in bytes. Default: 256 MiB, for what pages may hold. */
  readonly browserMessageBytes: number;
  /** How much may wait to be written to one side before the other is no longer read, in bytes. Default: 16 MiB. */
  readonly bufferedBytes: number;
  /** How often a client is asked for a sign of life, in milliseconds; without one by the next time, it is gone. Default: 30 s. */
  readonly pingEveryMs: number;
  /** How long the browser may take to answer the first message, in milliseconds. Default: 10 s. */
  readonly openWithinMs: number;
}

const usualLimits: RelayLimits = {
  messageBytes: 64 * 2 ** 20,
  browserMessageBytes: 256 * 2 ** 20,
  bufferedBytes: 16 * 2 ** 20,
  pingEveryMs: 30_000,
  openWithinMs: 10_000,
};

/** Writes to one side; while too much waits there, the other side is not read. */
function writerWithin(limit: number, target: WebSocket, source: WebSocket): (text: string) => void {
  let isHeld = false;
  return (text) => {
    if (target.readyState !== WebSocket.OPEN) return;
    target.send(text, () => {
      if (!isHeld || target.bufferedAmount > limit / 2) return;
      isHeld = false;
      source.resume();
    });
    if (isHeld || target.bufferedAmount <= limit) return;
    isHeld = true;
    source.pause();
  };
}

/**
 * Lets a client drive one session of a browser by the DevTools protocol, as if the browser were its own.
 * Ends when either side does: code 1001 when the browser is lost, 1009 when a message is too long, 1011 when one can't be told on.
 * Nothing that either side says throws: it would end the service with all of its sessions.
 *
 * Source: ours.
 *
 * @param client - An open websocket, of which no message was read yet.
 * @param space - Which browser, and which context of it.
 */
export function relaySession(
  client: WebSocket,
  space: { readonly devtoolsUrl: string; readonly contextId: string },
  hooks: RelayHooks,
  limits: RelayLimits = usualLimits,
): void {
  client.pause();
  const browser = new WebSocket(space.devtoolsUrl, {
    perMessageDeflate: false,
    maxPayload: limits.browserMessageBytes,
    handshakeTimeout: limits.openWithinMs,
  });
  const toClient = writerWithin(limits.bufferedBytes, client, browser);
  const toBrowser = writerWithin(limits.bufferedBytes, browser, client);
  const view = new SessionView(space.contextId, { toClient, toBrowser }, hooks);

  let ended = false;
  const end = (code: number, reason: string): void => {
    if (ended) return;
    ended = true;
    clearInterval(keepalive);
    clearTimeout(opening);
    // With the connection go its sessions, and Chromium lets everything go on that they had made wait.
    browser.close();
    client.resume();
    client.close(code, reason);
  };

  const take = (message: () => void): void => {
    try {
      message();
    } catch {
      end(1011, "A message can't be told on.");
    }
  };

  let isAlive = true;
  const keepalive = setInterval(() => {
    if (client.isPaused) return;
    if (!isAlive) {
      end(1001, "The client gave no sign of life.");
      client.terminate();
      return;
    }
    isAlive = false;
    client.ping();
  }, limits.pingEveryMs).unref();
  const opening = setTimeout(() => end(1001, "The browser does not answer."), limits.openWithinMs).unref();

  client.on("pong", () => (isAlive = true));
  client.on("message", (data, isBinary) => {
    isAlive = true;
    if (ended) return;
    if (isBinary) end(1003, "The DevTools protocol is spoken in texts.");
    else if (bytesOf(data).byteLength > limits.messageBytes) end(1009, "The message is too long.");
    else take(() => view.fromClient(bytesOf(data).toString()));
  });
  client.on("error", () => end(1002, "The client broke the websocket protocol."));
  client.on("close", () => end(1000, ""));

  browser.on("open", () =>
    view.open(() => {
      clearTimeout(opening);
      client.resume();
    }),
  );
  browser.on("message", (data) => {
    if (!ended) take(() => view.fromBrowser(bytesOf(data).toString()));
  });
  browser.on("error", () => end(1001, "The browser of this session is lost."));
  browser.on("close", () => {
    end(1001, "The browser of this session is lost.");
    hooks.onDetach();
  });
}

/** The bytes of a message. They come in one piece: neither side asks the library for another form. */
const bytesOf = (data: WebSocket.RawData): Buffer => (Buffer.isBuffer(data) ? data : Buffer.alloc(0));
