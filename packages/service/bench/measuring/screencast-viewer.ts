import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { WebSocket } from "ws";
import type { StartedService } from "./started-service.ts";

/** Somebody who sees a page and acts on it. */
export interface Viewer extends AsyncDisposable {
  /** Bytes of pictures that have come, and how many pictures. */
  readonly total: { bytes: number; pictures: number };
  /** Presses and releases the mouse in the middle of the page. */
  readonly click: () => void;
  /** Inserts a text at the caret. */
  readonly type: (text: string) => void;
  /** Resolves with the next picture. */
  readonly nextPicture: () => Promise<void>;
}

/** Quality of the service's pictures; the plain screencast has the same. */
const quality = 65;
const middle = { x: 640, y: 360 };

/** Counts pictures, and tells of the next. */
class PictureCounter {
  readonly total = { bytes: 0, pictures: 0 };
  #next = Promise.withResolvers<void>();

  add(bytes: number): void {
    this.total.bytes += bytes;
    this.total.pictures += 1;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  readonly nextPicture = (): Promise<void> => this.#next.promise;
}

/** Opens a viewer of the service, which takes the control. Resolves with its first picture. */
export async function openLiveViewer(service: StartedService, sessionId: string): Promise<Viewer> {
  const token = await service.ask("POST", `/control/sessions/${sessionId}/tokens`, { scope: "steer" });
  const { live_url: url } = Object(await token.json());
  const socket = new WebSocket(String(url));
  const counter = new PictureCounter();
  const first = counter.nextPicture();
  const send = (message: object): void => socket.send(JSON.stringify(message));
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return;
    send({ type: "ack", picture: data.readUInt32BE(0) });
    counter.add(data.length);
  });
  socket.on("open", () => send({ type: "control", action: "take" }));
  await first;
  return {
    total: counter.total,
    nextPicture: counter.nextPicture,
    click() {
      for (const action of ["down", "up"]) send({ type: "mouse", action, ...middle });
    },
    type: (text) => send({ type: "text", text }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        socket.once("close", () => resolve());
        socket.close();
      }),
  };
}

/** Opens a plain screencast of a page: each frame is acknowledged at once. Resolves with its first picture. */
export async function openPlainViewer(context: BrowserContext, page: Page): Promise<Viewer> {
  const devtools: CDPSession = await context.newCDPSession(page);
  const counter = new PictureCounter();
  const first = counter.nextPicture();
  devtools.on("Page.screencastFrame", ({ data, sessionId }) => {
    void devtools.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
    counter.add(Buffer.from(data, "base64").length);
  });
  await devtools.send("Page.startScreencast", { format: "jpeg", quality, maxWidth: 1280, maxHeight: 2160 });
  await first;
  return {
    total: counter.total,
    nextPicture: counter.nextPicture,
    click() {
      for (const type of ["mousePressed", "mouseReleased"] as const)
        void devtools.send("Input.dispatchMouseEvent", { type, ...middle, button: "left", clickCount: 1 });
    },
    type: (text) => void devtools.send("Input.insertText", { text }),
    [Symbol.asyncDispose]: () => devtools.detach(),
  };
}
