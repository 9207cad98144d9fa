import { connect, type Socket } from "node:net";

/** A connection to a guard that says exactly what it is told to, and keeps what comes back. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything so far, as latin1. */
  received(): string;
  /** Resolves when what has come matches; rejects when the connection closes without. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with everything when the connection has closed. */
  waitForClose(): Promise<string>;
}

export function connectRaw(guard: { readonly proxyServer: string }, first = ""): RawClient {
  const socket = connect({ port: Number(new URL(guard.proxyServer).port), host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  const changed = new EventTarget();
  const tell = (): boolean => changed.dispatchEvent(new Event("change"));
  let isClosed = false;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    tell();
  });
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  socket.on("close", () => {
    isClosed = true;
    tell();
  });
  socket.write(first, "latin1");
  const when = async <T>(look: () => T | undefined): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const check = (): void => {
        const value = look();
        if (value !== undefined) resolve(value);
        else if (isClosed) reject(new Error(`closed after: ${text}`));
        else return;
        changed.removeEventListener("change", check);
      };
      changed.addEventListener("change", check);
      check();
    });
  return {
    socket,
    received: () => text,
    until: async (pattern) => when(() => pattern.exec(text) ?? undefined),
    waitForClose: async () => when(() => (isClosed ? text : undefined)),
  };
}
