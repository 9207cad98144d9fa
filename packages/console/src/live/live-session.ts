import { signal, type Signal } from "@preact/signals";
import type { components } from "@cloud-browser/spec/control-types";
import { control, unwrap, type ListedSession } from "../api/control.ts";
import { drawPicture } from "./draw-picture.ts";
import { liveAddress, LiveSocket, type LiveInput, type LiveMessage } from "./live-socket.ts";

type Schemas = components["schemas"];

/** Mode of a viewer: `watching`, or `steering` the session. */
export type Mode = "watching" | "steering";

/** Lifetime of a token to steer, in seconds. */
const steerLifetimeS = 3_600;

/** Live session of a viewer who may take the control. */
export class LiveSession {
  /** Mode of this viewer. */
  readonly mode: Signal<Mode> = signal<Mode>("watching");
  /** True while it is connected. */
  readonly isConnected: Signal<boolean> = signal(false);
  /** Reason for its end, in words; undefined while it is live. */
  readonly end: Signal<string | undefined> = signal<string | undefined>(undefined);
  /** The tabs of the session. */
  readonly tabs: Signal<Schemas["LiveTabs"]["tabs"]> = signal<Schemas["LiveTabs"]["tabs"]>([]);
  /** Page that is shown. */
  readonly page: Signal<Schemas["LivePage"] | undefined> = signal<Schemas["LivePage"] | undefined>(undefined);
  /** The dialog that is open. */
  readonly dialog: Signal<Schemas["LiveDialog"]["dialog"]> = signal<Schemas["LiveDialog"]["dialog"]>(null);
  /** Holder of the control; undefined before it is reported. */
  readonly holder: Signal<Schemas["LiveControlState"] | undefined> = signal<Schemas["LiveControlState"] | undefined>(
    undefined,
  );
  /** Request of a program for a person. */
  readonly handover: Signal<Schemas["LiveRequest"]["handover"]> = signal<Schemas["LiveRequest"]["handover"]>(null);
  /** Reason for which the last input was refused. */
  readonly fault: Signal<string | undefined> = signal<string | undefined>(undefined);
  /** Size of the viewport in CSS pixels; undefined before the first picture. */
  readonly size: Signal<{ width: number; height: number } | undefined> = signal<
    { width: number; height: number } | undefined
  >(undefined);
  readonly #session: ListedSession;
  readonly #canvas: HTMLCanvasElement;
  #socket: LiveSocket;
  #tokenId: string | undefined;
  /** Lease with which the control is resumed after a lost connection. A secret. */
  #lease: string | undefined;

  /** @param canvas - Where pictures are drawn. */
  constructor(session: ListedSession, canvas: HTMLCanvasElement) {
    this.#session = session;
    this.#canvas = canvas;
    this.#socket = this.#open("watching");
  }

  /** Takes the control, or gives it back. */
  change(mode: Mode): void {
    if (mode === this.mode.value) return;
    this.mode.value = mode;
    this.fault.value = undefined;
    if (mode === "watching") this.#socket.send({ type: "control", action: "release" });
    this.#lease = undefined;
    this.#socket.close();
    this.#withdraw();
    this.#socket = this.#open(mode);
  }

  /** Takes the control; asks for it again when it was refused before, as another person had it. */
  take(): void {
    if (this.mode.value === "watching") this.change("steering");
    else this.#socket.send({ type: "control", action: "take" });
  }

  /** Takes the control from another person. */
  takeFromOther(): void {
    this.#socket.send({ type: "control", action: "take", force: true });
  }

  /** True while this viewer acts, and the service knows that. */
  get isHolder(): boolean {
    return this.mode.value === "steering" && this.holder.value?.you === true;
  }

  /** Sends an input, if this viewer acts. */
  send(input: LiveInput | undefined): void {
    if (input && this.isHolder) this.#socket.send(input);
  }

  /** Disconnects. */
  close(): void {
    this.#socket.close();
    this.#withdraw();
  }

  #open(mode: Mode): LiveSocket {
    return new LiveSocket(
      () => this.#address(mode),
      { max_width: 1_920, max_fps: 25 },
      {
        onPicture: async (picture) => {
          this.size.value = { width: picture.width, height: picture.height };
          await drawPicture(this.#canvas, picture);
        },
        onMessage: (message) => this.#hear(message),
        onConnection: (isOpen) => {
          this.isConnected.value = isOpen;
          if (isOpen && mode === "steering") this.#hold();
        },
        onEnd: (reason) => {
          this.isConnected.value = false;
          this.mode.value = "watching";
          this.end.value = reason || "the connection was ended by the service";
        },
      },
    );
  }

  /** Takes the control, or resumes it after a lost connection. */
  #hold(): void {
    const lease = this.#lease;
    this.#socket.send(
      lease === undefined ? { type: "control", action: "take" } : { type: "control", action: "resume", lease },
    );
  }

  async #address(mode: Mode): Promise<string | undefined> {
    const { session_id, viewer_url } = this.#session;
    if (mode === "watching") {
      const token = viewer_url === null ? null : new URL(viewer_url).searchParams.get("token");
      return token === null ? undefined : liveAddress(session_id, token);
    }
    const created = await unwrap(
      control.POST("/control/sessions/{session_id}/tokens", {
        params: { path: { session_id } },
        body: { scope: "steer", lifetime_s: steerLifetimeS },
      }),
    );
    this.#tokenId = created.token_id;
    return liveAddress(session_id, created.token);
  }

  /** Revokes the token to steer, which is no longer needed. */
  #withdraw(): void {
    const [token_id, { session_id }] = [this.#tokenId, this.#session];
    this.#tokenId = undefined;
    if (token_id === undefined) return;
    void control
      .DELETE("/control/sessions/{session_id}/tokens/{token_id}", { params: { path: { session_id, token_id } } })
      .catch(() => undefined);
  }

  #hear(message: LiveMessage): void {
    switch (message.type) {
      case "hello":
        return;
      case "tabs":
        this.tabs.value = message.tabs;
        return;
      case "page":
        this.page.value = message;
        return;
      case "dialog":
        this.dialog.value = message.dialog;
        return;
      case "control":
        this.holder.value = message;
        return;
      case "lease":
        this.#lease = message.lease;
        return;
      case "handover":
        this.handover.value = message.handover;
        return;
      case "error":
        // What could not be resumed is taken again: the time of grace is over, or another person had it.
        if (message.of === "control" && this.#lease !== undefined) {
          this.#lease = undefined;
          this.#hold();
          return;
        }
        this.fault.value = message.message;
    }
  }
}
