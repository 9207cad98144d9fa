/** An object of the DevTools protocol, before anything of it was checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** A command of a client. */
export interface Command {
  /** Number by which the answer is known; the client's own. */
  readonly id: number;
  /** Domain and name, as in `Page.navigate`. */
  readonly method: string;
  /** Parameters; empty when it has none. */
  readonly params: Fields;
  /** Which attached session it is for; undefined: the browser itself. */
  readonly sessionId: string | undefined;
}

/** Error of a failed command. */
export interface Failure {
  /** Code of JSON-RPC. */
  readonly code: number;
  /** Sentence for a person. */
  readonly message: string;
}

/** Numbers from here on are the relay's own: no command of a client may carry one. */
export const firstOwnId = 1_000_000_000;

/** The parameter is wrong, or names what is not there. */
export const invalidParams = (message: string): Failure => ({ code: -32_602, message });

/** The command is known, but not for a session. */
export const refusal = (message: string): Failure => ({ code: -32_000, message });

/** Chromium's error for a session that is not attached. */
export const unknownSession: Failure = { code: -32_001, message: "Session with given id not found." };

/** Tells whether a value is an object with fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The text of a value that is one; else undefined. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A message as an object, or undefined when it is none. */
export function parseMessage(text: string): Fields | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isFields(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

const invalid = (message: string, id?: number) => ({ id, failure: { code: -32_600, message } });

/**
 * Reads a command of a client; only what the protocol knows of it is kept.
 */
export function readCommand(text: string): Command | { readonly id: number | undefined; readonly failure: Failure } {
  const message = parseMessage(text);
  if (!message) return { id: undefined, failure: { code: -32_700, message: "The message is not a JSON object." } };
  const { id, method, params = {}, sessionId } = message;
  if (typeof id !== "number" || !Number.isInteger(id)) return invalid("'id' must be an integer.");
  if (Math.abs(id) >= firstOwnId) return invalid(`The 'id' must be below ${firstOwnId}.`, id);
  if (typeof method !== "string") return invalid("'method' must be a string.", id);
  if (!isFields(params)) return invalid("The 'params' must be an object.", id);
  if (sessionId !== undefined && typeof sessionId !== "string") return invalid("The 'sessionId' must be a string.", id);
  return { id, method, params, sessionId };
}
