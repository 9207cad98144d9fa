import type { Fields } from "./message.ts";

/** A command to a browser. */
export interface ChannelCommand {
  /** Number by which the answer is known; whoever sends it chooses. */
  readonly id: number;
  /** Domain and name, as in `Page.navigate`. */
  readonly method: string;
  /** Its parameters. */
  readonly params: Fields;
  /** Which session of the channel it is for; undefined: the browser itself. */
  readonly sessionId?: string | undefined;
}

/** An event of a browser. */
export interface ChannelEvent {
  /** Domain and name. */
  readonly method: string;
  /** Which session of the channel it is for; undefined: the browser itself. */
  readonly sessionId: string | undefined;
  /** Its parameters; undefined when nobody has looked yet, and of no event of the domain `Target`. */
  readonly params: Fields | undefined;
  /** The whole message, as JSON in UTF-8. */
  readonly bytes: Buffer;
}

/** Is told what a browser says on a channel. None of it may throw. */
export interface ChannelListener {
  /** An answer. The message has the number of the command. */
  readonly onAnswer: (id: number, bytes: Buffer) => void;
  /** An event. */
  readonly onEvent: (event: ChannelEvent) => void;
  /** The connection to the browser was lost. */
  readonly onLost: () => void;
}

/** A connection to a browser that shares its pipe with others: it has sessions of its own, and hears of the targets of one context. */
export interface DevtoolsChannel {
  /**
   * Sends a command.
   *
   * @throws {RangeError | TypeError} When it can't be written as JSON.
   */
  send(command: ChannelCommand): void;
  /** Calls back when the browser has read what it was sent: at once, or later. */
  whenRead(due: () => void): void;
  /** Ends it, and all of its sessions. */
  close(): void;
}

/** Opens channels to a browser, each for one context of it. */
export type OpenChannel = (contextId: string, listener: ChannelListener) => Promise<DevtoolsChannel>;
