import { WebSocket } from "ws";
import type { ChannelCommand, ChannelListener, DevtoolsChannel, OpenChannel } from "../devtools/devtools-channel.ts";
import type { RelayHooks } from "./browser-commands.ts";
import { SessionView } from "./session-view.ts";

/** Bounds of one relay. */
export interface RelayLimits {
  /** Longest message of a client, in bytes. Default: 64 MiB. */
  readonly messageBytes: number;
  /** How much may wait to be read by the client before no more commands of it are read, in bytes. Default: 8 MiB. */
  readonly pauseBytes: number;
  /** How much may wait to be read by the client before it is hung up on, in bytes; one message may be longer. Default: 64 MiB. */
  readonly mostBytes: number;
  /** How often a client is asked for a sign of life, in milliseconds; without one by the next time, it is gone. Default: 30 s. */
  readonly pingEveryMs: number;
  /** How long the browser may take to answer the first message, in milliseconds. Default: 10 s. */
  readonly openWithinMs: number;
}

const usualLimits: RelayLimits = {
  messageBytes: 64 * 2 ** 20,
  pauseBytes: 8 * 2 ** 20,
  mostBytes: 64 * 2 ** 20,
  pingEveryMs: 30_000,
  openWithinMs: 10_000,
};

/** After so many times without a sign of life a client is gone that still has much to read: over a slow line that takes its time. */
const patience = 4;

/** Parts of a browser that a client of a session uses. */
export interface RelayedSpace {
  /** Browser context of the session. */
  readonly contextId: string;
  /** Opens a channel to the browser. */
  readonly openChannel: OpenChannel;
}

/**
 * Lets a client drive one session of a browser by the DevTools protocol, as if the browser were its own.
 * Ends when either side does: code 1001 when the browser is lost, 1008 when the client does not read what it is sent, 1009 when a
 * message is too long, 1011 when one can't be told on.
 * Nothing that either side says throws: it would end the service with all of its sessions.
 *
 * All sessions of a browser share one pipe, which is read for all of them, however slow a client is. So back-pressure is on its
 * commands: while it has much to read no more of them are carried out. What comes all the same is bounded.
 *
 * @param client - An open websocket, of which no message was read yet.
 * @param space - Which browser, and which context of it.
 */
export function relaySession(
  client: WebSocket,
  space: RelayedSpace,
  hooks: RelayHooks,
  limits: RelayLimits = usualLimits,
): void {
  client.pause();
  let channel: DevtoolsChannel | undefined;
  let ended = false;
  const end = (code: number, reason: string): void => {
    if (ended) return;
    ended = true;
    clearInterval(keepalive);
    clearTimeout(opening);
    // With the channel go its sessions, and Chromium lets everything go on that they had made wait.
    channel?.close();
    client.resume();
    client.close(code, reason);
    hooks.onDetach();
  };

  /** How often it was asked for a sign of life since the last one. */
  let silent = 0;
  /** Reasons why commands are not read. */
  const held = new Set<"opening" | "client" | "browser">(["opening"]);
  const hold = (why: "client" | "browser"): void => {
    held.add(why);
    client.pause();
  };
  const release = (why: "opening" | "client" | "browser"): void => {
    held.delete(why);
    silent = 0;
    if (held.size === 0 && client.readyState === WebSocket.OPEN) client.resume();
  };

  const toClient = (message: string | Buffer): void => {
    if (ended || client.readyState !== WebSocket.OPEN) return;
    if (client.bufferedAmount > limits.mostBytes) {
      return end(1008, "Send buffer limit reached: the client reads too slowly. Connect again, and keep reading.");
    }
    client.send(message, { binary: false }, () => {
      silent = 0; // it reads
      if (held.has("client") && client.bufferedAmount <= limits.pauseBytes / 2) release("client");
    });
    if (client.bufferedAmount > limits.pauseBytes) hold("client");
  };
  const toBrowser = (command: ChannelCommand): void => {
    channel?.send(command);
    let isRead = false;
    channel?.whenRead(() => {
      isRead = true;
      if (held.has("browser")) release("browser");
    });
    if (!isRead) hold("browser");
  };
  const view = new SessionView(space.contextId, { toClient, toBrowser }, hooks);

  const take = (message: () => void): void => {
    if (ended) return;
    try {
      message();
    } catch {
      end(1011, "Failed to forward a message.");
    }
  };

  const keepalive = setInterval(() => {
    if (held.has("opening")) return;
    silent += 1;
    if (silent > (held.size > 0 ? patience : 1)) {
      end(1001, "Ping timed out.");
      client.terminate();
    } else if (held.size === 0) client.ping();
  }, limits.pingEveryMs).unref();
  const opening = setTimeout(() => end(1001, "The browser does not respond."), limits.openWithinMs).unref();

  client.on("pong", () => (silent = 0));
  client.on("message", (data, isBinary) => {
    silent = 0;
    if (ended) return;
    if (isBinary) end(1003, "CDP requires text frames.");
    else if (bytesOf(data).byteLength > limits.messageBytes) end(1009, "Message too large.");
    else take(() => view.fromClient(bytesOf(data).toString()));
  });
  client.on("error", () => end(1002, "WebSocket protocol error."));
  client.on("close", () => end(1000, ""));

  const lose = (): void => end(1001, "The connection to the browser of this session was lost.");
  const listener: ChannelListener = {
    onAnswer: (id, bytes) => take(() => view.answered(id, bytes)),
    onEvent: (event) => take(() => view.happened(event)),
    onLost: lose,
  };
  space.openChannel(space.contextId, listener).then((opened) => {
    if (ended) return opened.close();
    channel = opened;
    clearTimeout(opening);
    release("opening");
  }, lose);
}

/** The bytes of a message. They come in one piece: neither side asks the library for another form. */
const bytesOf = (data: WebSocket.RawData): Buffer => (Buffer.isBuffer(data) ? data : Buffer.alloc(0));
