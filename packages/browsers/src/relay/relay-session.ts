import { WebSocket } from "ws";
import type { ChannelCommand, ChannelListener, DevtoolsChannel, OpenChannel } from "../devtools/devtools-channel.ts";
import type { RelayHooks } from "./browser-commands.ts";
import { RelayedSession } from "./session-view.ts";

/** Limits of one relay. */
export interface RelayLimits {
  /** Limit of a client's message, in bytes. Default: 64 MiB. */
  readonly messageBytes: number;
  /** Send buffer size from which on the client's commands are not read, in bytes. Default: 8 MiB. */
  readonly pauseBytes: number;
  /** Send buffer size from which on the client is disconnected, in bytes; one message may be longer. Default: 64 MiB. */
  readonly maxBytes: number;
  /** Ping interval, in milliseconds; a client that misses a pong is disconnected. Default: 30 s. */
  readonly pingEveryMs: number;
  /** Timeout to open the channel to the browser, in milliseconds. Default: 10 s. */
  readonly openWithinMs: number;
}

const defaultLimits: RelayLimits = {
  messageBytes: 64 * 2 ** 20,
  pauseBytes: 8 * 2 ** 20,
  maxBytes: 64 * 2 ** 20,
  pingEveryMs: 30_000,
  openWithinMs: 10_000,
};

/** Missed pings after which a client with a full send buffer is disconnected: it may be on a slow connection. */
const maxMissedPings = 4;

/** Parts of a browser context that the relay uses. */
export interface RelayedContext {
  /** Browser context of the session. */
  readonly contextId: string;
  /** Opens a channel to the browser. */
  readonly openChannel: OpenChannel;
}

/**
 * Relays CDP between a client and one browser context, as if the client had its own browser.
 * Closes when either side does: code 1001 when the browser is lost, 1008 when the client reads too slowly, 1009 when a
 * message is too long, 1011 when one can't be forwarded.
 * No message of either side throws: that would end the service with all of its sessions.
 *
 * All sessions of a browser share one pipe, which has to be read however slow a client is. So back-pressure is applied to the client's
 * commands: while its send buffer is full, no more are executed. Events that arrive all the same are bounded.
 *
 * @param client - An open WebSocket, of which no message was read yet.
 * @param pooled - The browser context to relay.
 */
export function relaySession(
  client: WebSocket,
  pooled: RelayedContext,
  hooks: RelayHooks,
  limits: RelayLimits = defaultLimits,
): void {
  client.pause();
  let channel: DevtoolsChannel | undefined;
  let ended = false;
  const end = (code: number, reason: string): void => {
    if (ended) return;
    ended = true;
    clearInterval(keepalive);
    clearTimeout(opening);
    // Closing the channel detaches its sessions, and Chromium resumes targets that they had paused.
    channel?.close();
    view.end();
    client.resume();
    client.close(code, reason);
    hooks.onDetach();
  };

  /** Number of pings since the last message. */
  let missedPings = 0;
  /** Reasons why the client is paused. */
  const pauseReasons = new Set<"opening" | "client" | "browser">(["opening"]);
  const hold = (why: "client" | "browser"): void => {
    pauseReasons.add(why);
    client.pause();
  };
  const release = (why: "opening" | "client" | "browser"): void => {
    pauseReasons.delete(why);
    missedPings = 0;
    if (pauseReasons.size === 0 && client.readyState === WebSocket.OPEN) client.resume();
  };

  const toClient = (message: string | Buffer): void => {
    if (ended || client.readyState !== WebSocket.OPEN) return;
    if (client.bufferedAmount > limits.maxBytes) {
      return end(1008, "Send buffer limit reached: the client reads too slowly. Connect again, and keep reading.");
    }
    client.send(message, { binary: false }, () => {
      missedPings = 0; // the client reads
      if (pauseReasons.has("client") && client.bufferedAmount <= limits.pauseBytes / 2) release("client");
    });
    if (client.bufferedAmount > limits.pauseBytes) hold("client");
  };
  const toBrowser = (command: ChannelCommand): void => {
    channel?.send(command);
    let isRead = false;
    channel?.whenDrained(() => {
      isRead = true;
      if (pauseReasons.has("browser")) release("browser");
    });
    if (!isRead) hold("browser");
  };
  const view = new RelayedSession(pooled.contextId, { toClient, toBrowser }, hooks);

  const endOnError = (message: () => void): void => {
    if (ended) return;
    try {
      message();
    } catch {
      end(1011, "Failed to forward a message.");
    }
  };

  const keepalive = setInterval(() => {
    if (pauseReasons.has("opening")) return;
    missedPings += 1;
    if (missedPings > (pauseReasons.size > 0 ? maxMissedPings : 1)) {
      end(1001, "Ping timed out.");
      client.terminate();
    } else if (pauseReasons.size === 0) client.ping();
  }, limits.pingEveryMs).unref();
  const opening = setTimeout(() => end(1001, "The browser does not respond."), limits.openWithinMs).unref();

  client.on("pong", () => (missedPings = 0));
  client.on("message", (data, isBinary) => {
    missedPings = 0;
    if (ended) return;
    if (isBinary) end(1003, "CDP requires text frames.");
    else if (toBytes(data).byteLength > limits.messageBytes) end(1009, "Message too large.");
    else endOnError(() => view.onClientMessage(toBytes(data).toString()));
  });
  client.on("error", () => end(1002, "WebSocket protocol error."));
  client.on("close", () => end(1000, ""));

  const onLost = (): void => end(1001, "The connection to the browser of this session was lost.");
  const listener: ChannelListener = {
    onResponse: (id, bytes) => endOnError(() => view.onResponse(id, bytes)),
    onEvent: (event) => endOnError(() => view.onEvent(event)),
    heldUntil: (targetId) => view.heldUntil(targetId),
    onLost: onLost,
  };
  pooled.openChannel(pooled.contextId, listener).then((opened) => {
    if (ended) return opened.close();
    channel = opened;
    clearTimeout(opening);
    release("opening");
  }, onLost);
}

/** Returns the bytes of a message, which the library delivers as one Buffer by default. */
const toBytes = (data: WebSocket.RawData): Buffer => (Buffer.isBuffer(data) ? data : Buffer.alloc(0));
