import { once } from "node:events";
import { Duplex } from "node:stream";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut as a network is: nothing comes through any more, and nobody is told. */
export interface CuttableLink extends AsyncDisposable {
  /** The address of the server, by this way. */
  readonly url: string;
  /** Cuts it. */
  cut(): void;
  /** Resets all connections, and each new one at once. */
  refuse(): void;
  /** Holds back what clients send until they are let go. Returns the function that does that, and how many pieces wait for it. */
  hold(): { readonly letGo: () => void; readonly waiting: () => number };
  /** Lets new connections through again. */
  mend(): void;
}

/** Makes a way to the server of an address. */
export async function linkTo(address: string): Promise<CuttableLink> {
  const direct = new URL(address);
  const open = new Set<Socket>();
  let gate: Promise<void> | undefined;
  let held = 0;
  let state: "through" | "cut" | "refused" = "through";
  const server = createServer((client) => {
    const upstream = connect(Number(direct.port), direct.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket.on("error", () => undefined).once("close", () => open.delete(socket)));
    }
    if (state === "refused") for (const socket of [client, upstream]) socket.destroy();
    if (state !== "through") return;
    const way = Duplex.from(async function* (sent: AsyncIterable<Buffer>) {
      for await (const chunk of sent) {
        if (gate) held += 1;
        await gate;
        yield chunk;
      }
    });
    client.pipe(way).pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = server.address();
  if (place === null || typeof place === "string") throw new Error("It has no port.");
  const url = new URL(direct);
  url.port = String(place.port);
  return {
    url: url.href,
    cut: () => {
      state = "cut";
      for (const socket of open) socket.unpipe().pause();
    },
    refuse: () => {
      state = "refused";
      for (const socket of open) socket.destroy();
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      held = 0;
      const letGo = (): void => {
        gate = undefined;
        resolve();
      };
      return { letGo, waiting: () => held };
    },
    mend: () => {
      state = "through";
      for (const socket of open) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
