/** An object of the DevTools protocol, not validated. */
export type Fields = Readonly<Record<string, unknown>>;

/** A command of a client. */
export interface Command {
  /** Id of the command, chosen by the client. */
  readonly id: number;
  /** Domain and name, as in `Page.navigate`. */
  readonly method: string;
  /** Parameters; empty if it has none. */
  readonly params: Fields;
  /** Attached session that it is for; undefined for the browser itself. */
  readonly sessionId: string | undefined;
}

/** Error of a failed command. */
export interface CommandError {
  /** Code of JSON-RPC. */
  readonly code: number;
  /** Message for people. */
  readonly message: string;
}

/** Ids from here on are reserved for the relay: no command of a client may have one. */
export const firstOwnId = 1_000_000_000;

/** Error for an invalid parameter, or an unknown id. */
export const invalidParams = (message: string): CommandError => ({ code: -32_602, message });

/** Error for a command that is refused. */
export const refusal = (message: string): CommandError => ({ code: -32_000, message });

/** Chromium's error for a session that is not attached. */
export const unknownSession: CommandError = { code: -32_001, message: "Session with given id not found." };

/** The answer of Chromium for a target that does not exist. */
export const unknownTarget = invalidParams("No target with given id found");

/** Returns whether a value is an object with fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a value if it is a string, otherwise undefined. */
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns a positive number; undefined for anything else. */
export const readPositiveNumber = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 ? value : undefined;

/** Parses a message; undefined if it is not a JSON object. */
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
 * Parses a command of a client; unknown fields are dropped.
 */
export function readCommand(
  text: string,
): Command | { readonly id: number | undefined; readonly failure: CommandError } {
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

/** Returns the error of a command that the browser will not answer any more. */
export function makeConnectionLost(): Error {
  return new Error("the connection to the browser was lost");
}
