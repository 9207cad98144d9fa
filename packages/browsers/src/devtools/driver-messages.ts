import type { ConnectOverCDPTransport } from "playwright-core";
import { commandIds } from "./command-ids.ts";
import { asText, isFields, makeConnectionLost, type Fields } from "./message.ts";

/** Called with the parameters of an event, and the session that it is for. Returns true for one that nobody else gets. */
export type OnDriverEvent = (params: Fields, sessionId: unknown) => boolean | void;

/** Follows the commands of one session. */
export interface SessionFollower {
  /** Called with each command before it is sent; returns true to keep it from the browser. */
  readonly onCommand: (command: Fields) => boolean;
  /** Called with the id of each command that the browser has responded to. */
  readonly onResponse: (id: number) => void;
}

interface OwnCommand {
  readonly sessionId: string;
  readonly resolve: (response: Fields) => void;
  readonly reject: (error: Error) => void;
}

const { after: firstId, before: afterLastId } = commandIds.watchers;

/**
 * Messages between a driver and its browser, for all who watch or change them: each is read once, and only those who asked for its kind get
 * it, in the order in which they asked. They can send commands of their own, whose responses the driver does not get.
 */
export class DriverMessages {
  /** The connection, for the driver. */
  readonly transport: ConnectOverCDPTransport;
  readonly #browser: ConnectOverCDPTransport;
  readonly #listeners = new Map<string, OnDriverEvent[]>();
  readonly #changes = new Map<string, (command: Fields) => Fields>();
  readonly #followers = new Map<string, SessionFollower>();
  readonly #closeListeners: (() => void)[] = [];
  /** Own commands whose sender waits for the response. */
  readonly #pending = new Map<number, OwnCommand>();
  #lastId: number = firstId;
  #isClosed = false;

  /** @param browser - Connection to the browser, which nobody else may use. */
  constructor(browser: ConnectOverCDPTransport) {
    this.#browser = browser;
    this.onEvent("Target.detachedFromTarget", ({ sessionId }) => this.#dropCommands(asText(sessionId)));
    this.transport = { send: (command) => this.#sendForDriver(command), close: () => browser.close() };
    Object.assign(browser, {
      onmessage: (message: object) => this.#onMessage(message),
      onclose: (reason?: string) => this.#onClose(reason),
    });
  }

  /** Calls a listener with each event of a name from now on, before the driver gets it. */
  onEvent(method: string, listener: OnDriverEvent): void {
    const listeners = this.#listeners.get(method);
    if (listeners) listeners.push(listener);
    else this.#listeners.set(method, [listener]);
  }

  /** Calls a listener when the connection is lost, before the driver knows. */
  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  /** Changes each command of a name that the driver sends. One change for each name. */
  changeCommand(method: string, change: (command: Fields) => Fields): void {
    this.#changes.set(method, change);
  }

  /** Follows the commands of a session, those of watchers too, until {@link DriverMessages.unfollow}. One follower for each session. */
  follow(sessionId: string, follower: SessionFollower): void {
    this.#followers.set(sessionId, follower);
  }

  /** Ends that. */
  unfollow(sessionId: string): void {
    this.#followers.delete(sessionId);
  }

  /** Sends a command that was kept from the browser by {@link SessionFollower.onCommand}. */
  sendKept(command: object): void {
    this.#browser.send(command);
  }

  /** Sends a command; nobody gets the response. */
  send(method: string, params: Fields, sessionId: string): void {
    this.#send({ id: this.#nextId(), method, params, sessionId });
  }

  /**
   * Sends a command, and resolves with the response, which may be an error; with an empty object when its session has ended before.
   *
   * @throws {Error} When the connection is lost.
   */
  request(method: string, params: Fields, sessionId: string): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw makeConnectionLost();
      const id = this.#nextId();
      this.#pending.set(id, { sessionId, resolve, reject });
      this.#send({ id, method, params, sessionId });
    });
  }

  #nextId(): number {
    this.#lastId = this.#lastId + 1 < afterLastId ? this.#lastId + 1 : firstId + 1;
    return this.#lastId;
  }

  #sendForDriver(message: object): void {
    if (!isFields(message)) return this.#browser.send(message);
    const { method } = message;
    const change = typeof method === "string" ? this.#changes.get(method) : undefined;
    this.#send(change?.(message) ?? message);
  }

  #send(command: Fields): void {
    const { sessionId } = command;
    const follower = typeof sessionId === "string" ? this.#followers.get(sessionId) : undefined;
    if (follower?.onCommand(command) !== true) this.#browser.send(command);
  }

  #onMessage(message: object): void {
    if (!isFields(message) || !this.#isKept(message)) this.transport.onmessage?.(message);
  }

  /** Shows a message to those who follow it; returns whether the driver must not get it. */
  #isKept(message: Fields): boolean {
    const { id, method, params, sessionId } = message;
    if (typeof id === "number") {
      if (typeof sessionId === "string") this.#followers.get(sessionId)?.onResponse(id);
      this.#pending.get(id)?.resolve(message);
      this.#pending.delete(id);
      return id > firstId && id < afterLastId;
    }
    const listeners = typeof method === "string" ? this.#listeners.get(method) : undefined;
    if (!listeners || !isFields(params)) return false;
    for (const listener of listeners) if (listener(params, sessionId) === true) return true;
    return false;
  }

  /** The browser responds to no command of a session that has ended. */
  #dropCommands(sessionId: string | undefined): void {
    for (const [id, command] of this.#pending) {
      if (command.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      command.resolve({});
    }
  }

  #onClose(reason: string | undefined): void {
    this.#isClosed = true;
    for (const { reject } of this.#pending.values()) reject(makeConnectionLost());
    this.#pending.clear();
    for (const listener of this.#closeListeners) listener();
    this.transport.onclose?.(reason);
  }
}
