import { connect, type Socket } from "node:net";

/** Opens a connection to a server; its errors are part of how it ends. */
export function connectTo(url: string): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}

/** Resolves when a connection is closed, however it ended. */
export function waitForClose(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** Sends bytes as they are; gives what comes back until the server closes the connection. */
export async function sendRaw(url: string, ...pieces: readonly string[]): Promise<string> {
  const socket = connectTo(url);
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  const closed = waitForClose(socket);
  for (const piece of pieces) socket.write(piece);
  await closed;
  return received;
}

/** The head of a request. */
export function lines(...all: readonly string[]): string {
  return `${all.join("\r\n")}\r\n\r\n`;
}

/** The statuses of all answers that came. */
export function listStatuses(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}
