import type { ChannelCommand } from "../devtools/devtools-channel.ts";
import { type CommandError, type Fields, firstOwnId, isFields, parseMessage } from "../devtools/message.ts";

/** Response of the browser. */
export type Reply =
  | { readonly result: Fields; readonly failure?: undefined }
  | { readonly result?: undefined; readonly failure: CommandError };

/** Sends the relay's own commands to the browser, with ids that no client can use. */
export class Upstream {
  readonly #send: (command: ChannelCommand) => void;
  readonly #callbacks = new Map<number, (reply: Reply) => void>();
  #lastId = firstOwnId;

  constructor(send: (command: ChannelCommand) => void) {
    this.#send = send;
  }

  /** Sends a command. The callback runs synchronously when the response is read, so that the order of messages is kept. */
  request(method: string, params: Fields, sessionId?: string, due?: (reply: Reply) => void): void {
    this.#lastId += 1;
    const id = this.#lastId;
    if (due) this.#callbacks.set(id, due);
    try {
      this.#send({ id, method, params, sessionId });
    } catch (error) {
      // A command that can't be serialized has no response.
      this.#callbacks.delete(id);
      throw error;
    }
  }

  /** Forwards a command of a client; its response has the client's own id. */
  forward(id: number, method: string, params: Fields, sessionId: string): void {
    this.#send({ id, method, params, sessionId });
  }

  /** Handles a response. Returns whether it was for the relay, and so must not be forwarded. */
  onResponse(id: number, bytes: Buffer): boolean {
    if (id < firstOwnId) return false;
    const due = this.#callbacks.get(id);
    this.#callbacks.delete(id);
    if (!due) return true;
    const { result, error } = parseMessage(bytes.toString()) ?? {};
    due(isFields(result) ? { result } : { failure: readFailure(error) });
    return true;
  }
}

function readFailure(error: unknown): CommandError {
  const { code, message } = isFields(error) ? error : {};
  return {
    code: typeof code === "number" ? code : -32_000,
    message: typeof message === "string" ? message : "The browser failed.",
  };
}
