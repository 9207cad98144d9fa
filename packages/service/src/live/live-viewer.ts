import type { GuardedBrowsers } from "@cloud-browser/browsers";
import type { WebSocket } from "ws";
import type { Handovers } from "../handovers/handovers.ts";
import type { TokenScope } from "../sessions/made-tokens.ts";
import type { Session } from "../sessions/session.ts";
import type { HubViewer, LiveHub, LiveState } from "./live-hub.ts";
import { actOn } from "./live-actions.ts";
import { isMove } from "./device-input.ts";
import { type LiveFault, type LiveInput, type LiveView, readLiveInput } from "./live-messages.ts";
import { MessageRate } from "./message-rate.ts";
import { answerHandover, makeControlMessage, obeyControl, makeRequestMessage } from "./live-control.ts";
import { PictureSender } from "./picture-sender.ts";
import type { Picture, PictureSource } from "./picture-source.ts";

/** Parts that a live socket needs. */
export interface LiveViewerParts {
  /** Its socket. */
  readonly socket: WebSocket;
  /** Its session. */
  readonly session: Session;
  /** Parts that the viewers of the session share. */
  readonly hub: LiveHub;
  /** Rights of the viewer: everybody but `watch` may act. */
  readonly scope: TokenScope;
  /** The browsers, which say whether a page may be opened at an address. */
  readonly browsers: Pick<GuardedBrowsers, "checkUrl">;
  /** Throws while this process may have no sessions. Default: it may. */
  readonly requireLease?: (() => void) | undefined;
  /** Requests for a person. */
  readonly handovers: Pick<Handovers, "answer">;
  /** Called for each picture that is sent. */
  readonly onPicture: () => void;
}

/** Codes with which a live socket is closed, beside those of WebSockets. */
export const closeCodes = { ended: 4410, tokenVoid: 4403, policy: 1008 } as const;

const defaults = { max_width: 1_280, max_fps: 25 } as const;
/** Messages that were not followed until a socket is closed. */
const faultLimit = 20;
/** Unread bytes of JSON until it is closed: it does not read. */
const unreadBytes = 4 * 2 ** 20;
/** Bytes before the JPEG in a binary message: its number, and the width and height of the viewport. */
const headBytes = 8;

const notHolder: LiveFault = {
  code: "not-holder",
  message: "this viewer does not have the control of the session: take it first ({ type: control, action: take })",
};

/** One viewer of a session, at its live socket. */
export class LiveViewer implements HubViewer {
  readonly #parts: LiveViewerParts;
  readonly #rate = new MessageRate();
  readonly #pictures: PictureSender;
  #view = { ...defaults } as Required<Omit<LiveView, "type">>;
  #source: PictureSource | undefined;
  #faults = 0;
  readonly #lastTexts = new Map<string, string>();

  constructor(parts: LiveViewerParts) {
    this.#parts = parts;
    const { socket, hub } = parts;
    this.#pictures = new PictureSender((picture, number) => this.#sendPicture(picture, number));
    socket.on("message", (data, isBinary) => this.#onMessage(data, isBinary));
    socket.on("error", () => socket.terminate());
    const { scope, session } = parts;
    const forget = session.control.onChange(() => this.#tellControl());
    socket.once("close", () => {
      forget();
      this.#pictures.close();
      hub.leave(this);
      session.control.leave(this, true);
    });
    this.#send({ type: "hello", session_id: session.id, scope: scope === "watch" ? "watch" : "steer" });
    hub.join(this);
    this.#tellControl();
    this.#follow({});
  }

  /** Takes the right to steer from it: the control goes back to the program at once. */
  endRight(): void {
    const { hub, session } = this.#parts;
    session.control.leave(this, false);
    hub.leave(this);
  }

  /** Sends a message about the pages. */
  tell(message: LiveState): void {
    this.#send(message);
  }

  /** A source has a new picture. */
  onPicture(source: PictureSource): void {
    if (source === this.#source) this.#pictures.onPicture();
  }

  #follow({ max_width = this.#view.max_width, max_fps = this.#view.max_fps }: Omit<LiveView, "type">): void {
    this.#view = { max_width, max_fps };
    this.#source = this.#parts.hub.findSource(this, max_width);
    this.#pictures.follow(this.#source, { maxFps: max_fps });
  }

  #onMessage(data: unknown, isBinary: boolean): void {
    // A viewer whose right has ended may take its time to close.
    const { socket } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    if (isBinary || !Buffer.isBuffer(data)) {
      return this.#refuse({ code: "malformed", message: "messages are JSON in text frames" });
    }
    const message = readLiveInput(data.toString("utf8"));
    if ("fault" in message) return this.#refuse(message.fault);
    const { input } = message;
    const verdict = this.#rate.judge(input);
    if (verdict === "drop") return;
    if (verdict === "refuse")
      return this.#refuse({ code: "too-fast", message: "too many messages; send fewer" }, input);
    this.#obey(input);
  }

  #obey(input: LiveInput): void {
    const { session, scope } = this.#parts;
    if (input.type === "ack") {
      if (!this.#pictures.acknowledge(input.picture)) {
        this.#refuse({ code: "malformed", message: "ack: that picture is not the one to be acknowledged" }, input);
      }
      return;
    }
    if (input.type === "view") return this.#follow(input);
    if (scope === "watch") {
      return this.#refuse({ code: "forbidden", message: "a token of the scope watch can't steer" }, input);
    }
    if (session.hasEnded) return;
    if (input.type === "control") {
      const fault = obeyControl(input, session.control, this, (lease) => this.#send({ type: "lease", lease }));
      return fault && this.#report(fault, input);
    }
    if (input.type === "handover") {
      const answered = answerHandover(input, session.id, this.#parts.handovers);
      return void answered.then((fault) => fault && this.#report(fault, input));
    }
    if (!session.control.isHeldBy(this)) {
      // The pointer of somebody who only looks is no act.
      if (!isMove(input)) this.#report(notHolder, input);
      return;
    }
    void actOn(input, this.#parts).then((fault) => fault && this.#report(fault, input));
  }

  /** Reports a message that was not followed, and counts it: too many close the socket. */
  #refuse(fault: LiveFault, input?: LiveInput): void {
    this.#faults += 1;
    this.#report(fault, input);
    if (this.#faults >= faultLimit) this.#parts.socket.close(closeCodes.policy, "too many messages were not valid");
  }

  #tellControl(): void {
    const { control } = this.#parts.session;
    for (const message of [makeControlMessage(control, this), makeRequestMessage(control)]) {
      const text = JSON.stringify(message);
      if (text === this.#lastTexts.get(message.type)) continue;
      this.#lastTexts.set(message.type, text);
      this.#send(message);
    }
  }

  #report({ code, message }: LiveFault, input?: LiveInput): void {
    this.#send({ type: "error", code, message, of: input?.type ?? null });
  }

  #sendPicture({ jpeg, width, height }: Picture, number: number): void {
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(number, 0);
    head.writeUInt16BE(Math.min(Math.round(width), 65_535), 4);
    head.writeUInt16BE(Math.min(Math.round(height), 65_535), 6);
    const { socket, onPicture } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(Buffer.concat([head, jpeg]));
    onPicture();
  }

  #send(message: object): void {
    const { socket } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > unreadBytes) return socket.close(closeCodes.policy, "messages are not read");
    socket.send(JSON.stringify(message));
  }
}
