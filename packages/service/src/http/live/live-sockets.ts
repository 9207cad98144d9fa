import type { GuardedBrowsers } from "@cloud-browser/browsers";
import type { WebSocket } from "ws";
import type { Handovers } from "../../handovers/handovers.ts";
import { LiveHub } from "../../live/live-hub.ts";
import { closeCodes, LiveViewer } from "../../live/live-viewer.ts";
import type { ServiceMetrics } from "../../metrics/service-metrics.ts";
import type { Session } from "../../sessions/session.ts";
import type { Access } from "./session-access.ts";

/** Parts that live sockets need. */
export interface LiveSocketParts {
  /** The browsers, which say whether a page may be opened at an address. */
  readonly browsers: Pick<GuardedBrowsers, "checkUrl">;
  /** Throws while this process may have no sessions. Default: it may. */
  readonly requireLease?: (() => void) | undefined;
  /** Requests for a person. */
  readonly handovers: Pick<Handovers, "answer">;
  /** Counts viewers and pictures. */
  readonly metrics: Pick<ServiceMetrics, "countViewer" | "discountViewer" | "countPicture">;
}

/** How often a viewer is asked whether it is there, in milliseconds. */
const pingMs = 30_000;

/** Connects viewers with the sessions that they see, and that some of them steer. */
export class LiveSockets {
  readonly #parts: LiveSocketParts;
  readonly #hubs = new WeakMap<Session, LiveHub>();

  constructor(parts: LiveSocketParts) {
    this.#parts = parts;
  }

  /**
   * Shows a session to a viewer, until one of them goes, or the viewer's right ends.
   *
   * @param open - Opens the socket; not called when the session has as many viewers as it may have.
   * @throws {ServiceError} `busy`.
   */
  connect(session: Session, { scope, until }: Access, open: (ready: (socket: WebSocket) => void) => void): void {
    let socket: WebSocket | undefined;
    const leave = session.addSocket(scope !== "watch", (reason) =>
      socket?.close(closeCodes.ended, `the session has ended (${reason})`),
    );
    let isOpen = false;
    open((webSocket) => {
      isOpen = true;
      socket = webSocket;
      const { metrics } = this.#parts;
      metrics.countViewer();
      const end = (): void => {
        webSocket.close(closeCodes.tokenVoid, String(until?.reason));
        viewer.endRight();
      };
      const stopPings = ping(webSocket);
      webSocket.once("close", () => {
        stopPings();
        until?.removeEventListener("abort", end);
        leave();
        metrics.discountViewer();
      });
      const hub = this.#openHub(session);
      const viewer = new LiveViewer({
        ...this.#parts,
        socket: webSocket,
        session,
        hub,
        scope,
        onPicture: () => metrics.countPicture(),
      });
      if (until?.aborted) end();
      until?.addEventListener("abort", end, { once: true });
    });
    // `ws` answers a malformed handshake itself, and opens nothing.
    if (!isOpen) leave();
  }

  #openHub(session: Session): LiveHub {
    const existing = this.#hubs.get(session);
    if (existing && existing.viewers > 0) return existing;
    const hub = new LiveHub(session);
    this.#hubs.set(session, hub);
    return hub;
  }
}

/** Ends the connection of a viewer that does not answer any more: it would keep others out. Returns a function that stops this. */
function ping(socket: WebSocket): () => void {
  let isThere = true;
  socket.on("pong", () => (isThere = true));
  const timer = setInterval(() => {
    if (!isThere) return socket.terminate();
    isThere = false;
    socket.ping();
  }, pingMs);
  timer.unref();
  return () => clearInterval(timer);
}
