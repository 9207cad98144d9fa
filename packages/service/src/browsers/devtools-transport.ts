import type { ConnectOverCDPTransport } from "playwright-core";
import { WebSocket } from "ws";

/** Longest message of the browser, in bytes: what pages may hold. */
const messageBytes = 256 * 2 ** 20;

/**
 * Connects the driver to the DevTools of a browser on this machine, without compression: the driver's own way asks Chromium to deflate
 * each message, pictures too, which takes as much of both processors as making the picture does.
 *
 * Source: ours.
 *
 * @param timeoutMs - How long the browser may take to answer, in milliseconds.
 * @throws {Error} When nobody answers there in time.
 */
export async function connectDevtools(url: string, timeoutMs: number): Promise<ConnectOverCDPTransport> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: messageBytes,
    handshakeTimeout: timeoutMs,
  });
  await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const transport: ConnectOverCDPTransport = {
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
  const read = (text: string): void => {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-argument -- what the browser says is for the driver to judge
      transport.onmessage?.(JSON.parse(text));
    } catch {
      // A browser that talks like this is lost.
      socket.terminate();
    }
  };
  // What breaks the connection closes it, too.
  socket.on("error", () => undefined);
  socket.on("close", (_, reason) => transport.onclose?.(reason.toString()));
  // Each message is a turn of its own, as answers wake those who wait for them.
  socket.on("message", (data) => void setImmediate(read, textOf(data)));
  return transport;
}

/** The text of a message. It comes in one piece: the library is not asked for another form. */
const textOf = (data: WebSocket.RawData): string => (Buffer.isBuffer(data) ? data.toString() : "");
