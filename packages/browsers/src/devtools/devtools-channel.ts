import type { Fields } from "./message.ts";

/** A command to a browser. */
export interface ChannelCommand {
  /** Id of the command, which its response has, too. Chosen by the sender. */
  readonly id: number;
  /** Domain and name, as in `Page.navigate`. */
  readonly method: string;
  /** Its parameters. */
  readonly params: Fields;
  /** Session of the channel that it is for; undefined for the browser itself. */
  readonly sessionId?: string | undefined;
}

/** An event of a browser. */
export interface ChannelEvent {
  /** Domain and name. */
  readonly method: string;
  /** Session of the channel that it is for; undefined for the browser itself. */
  readonly sessionId: string | undefined;
  /** Its parameters; undefined if not parsed yet. Always parsed for events of the domain `Target`. */
  readonly params: Fields | undefined;
  /** The whole message, as JSON in UTF-8. */
  readonly bytes: Buffer;
}

/** Callbacks for messages of a browser on a channel. They must not throw. */
export interface ChannelListener {
  /** Called with a response, under the id of the command. */
  readonly onResponse: (id: number, bytes: Buffer) => void;
  /** Called with an event. */
  readonly onEvent: (event: ChannelEvent) => void;
  /** Returns a promise that delays the load of a new page, by its target; undefined for no delay. */
  readonly heldUntil?: (targetId: string) => Promise<void> | undefined;
  /** Called when the connection to the browser is lost. */
  readonly onLost: () => void;
}

/**
 * A connection to a browser that shares its pipe with others: it has its own sessions, and receives events of the targets of one context.
 */
export interface DevtoolsChannel {
  /**
   * Sends a command.
   *
   * @throws {RangeError | TypeError} If it can't be serialized as JSON.
   */
  send(command: ChannelCommand): void;
  /** Calls back when the browser has read all that was sent: at once, or later (backpressure). */
  whenDrained(due: () => void): void;
  /** Closes it, and detaches all its sessions. */
  close(): void;
}

/** Opens channels to a browser, each for one context of it. */
export type OpenChannel = (contextId: string, listener: ChannelListener) => Promise<DevtoolsChannel>;
