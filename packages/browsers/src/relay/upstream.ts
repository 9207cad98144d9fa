import type { ChannelCommand } from "../devtools/devtools-channel.ts";
import { type Failure, type Fields, firstOwnId, isFields, parseMessage } from "../devtools/message.ts";

/** Answer of the browser. */
export type Reply =
  | { readonly result: Fields; readonly failure?: undefined }
  | { readonly result?: undefined; readonly failure: Failure };

/** Sends the relay's own commands to the browser, with ids that no client can use. */
export class Upstream {
  readonly #send: (command: ChannelCommand) => void;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #lastId = firstOwnId;

  constructor(send: (command: ChannelCommand) => void) {
    this.#send = send;
  }

  /** Sends a command. What is due is called in the turn in which the answer is read, so that the order of messages is kept. */
  ask(method: string, params: Fields, sessionId?: string, due?: (reply: Reply) => void): void {
    this.#lastId += 1;
    const id = this.#lastId;
    if (due) this.#waiting.set(id, due);
    try {
      this.#send({ id, method, params, sessionId });
    } catch (error) {
      // What can't be written is not answered.
      this.#waiting.delete(id);
      throw error;
    }
  }

  /** Sends a command of a client as it is; its answer comes back under the client's own number. */
  pass(id: number, method: string, params: Fields, sessionId: string): void {
    this.#send({ id, method, params, sessionId });
  }

  /** Takes an answer. Returns whether it was one to the relay, so that no client reads it. */
  settle(id: number, bytes: Buffer): boolean {
    if (id < firstOwnId) return false;
    const due = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!due) return true;
    const { result, error } = parseMessage(bytes.toString()) ?? {};
    due(isFields(result) ? { result } : { failure: readFailure(error) });
    return true;
  }
}

function readFailure(error: unknown): Failure {
  const { code, message } = isFields(error) ? error : {};
  return {
    code: typeof code === "number" ? code : -32_000,
    message: typeof message === "string" ? message : "The browser failed.",
  };
}
