import { randomBytes } from "node:crypto";
import { ServiceError } from "../service-error.ts";
import { makeSessionEndedError } from "../session-refusals.ts";

/** Right that a token gives: `watch` to see a session, `steer` to see it and to act in the live socket, `drive` to control it by CDP. */
export type TokenScope = "watch" | "steer" | "drive";

/** A token that was made for a session beside its own two. */
export interface MadeToken {
  /** Its id, which is in the token. No secret. */
  readonly id: string;
  /** Right that it gives. */
  readonly scope: TokenScope;
  /** When it expires, in milliseconds since 1970. */
  readonly expiresMs: number;
}

/** Most tokens of one session at a time, beside the two that it has from its beginning. */
const tokenLimit = 100;

/** A token that can still be used. */
interface ValidToken extends MadeToken {
  readonly void: AbortController;
  readonly timer: NodeJS.Timeout;
}

/**
 * The tokens that were made for a session. A session lives on one node, which every use of a token reaches: so what is withdrawn here is
 * withdrawn everywhere.
 */
export class MadeTokens {
  readonly #valid = new Map<string, ValidToken>();
  #isClosed = false;

  /** Those that are valid, the oldest first. */
  get all(): readonly MadeToken[] {
    return [...this.#valid.values()].map(({ id, scope, expiresMs }) => ({ id, scope, expiresMs }));
  }

  /**
   * Makes a token.
   *
   * @param lifetimeMs - How long it is valid, in milliseconds: at most 24 days, the longest that a timer measures.
   * @throws {ServiceError} `busy` when there are 100, `session-ended`.
   */
  make(scope: TokenScope, lifetimeMs: number): MadeToken {
    if (this.#isClosed) throw makeSessionEndedError();
    if (this.#valid.size >= tokenLimit)
      throw new ServiceError("busy", `token limit (${tokenLimit}) of the session reached; withdraw one of them`);
    const id = randomBytes(12).toString("hex");
    const ends = new AbortController();
    const timer = setTimeout(() => this.#end(id, "the token has expired"), lifetimeMs);
    timer.unref();
    // oxlint-disable-next-line no-restricted-properties -- its holder is told the moment
    const token = { id, scope, expiresMs: Math.round(Date.now() + lifetimeMs) };
    this.#valid.set(id, { ...token, void: ends, timer });
    return token;
  }

  /** Returns what aborts, with the reason as a text, when a token becomes void; undefined when it is void. */
  findWithdrawal(id: string): AbortSignal | undefined {
    return this.#valid.get(id)?.void.signal;
  }

  /** Withdraws a token: what is open by it is closed. Returns false when there is none of that id. */
  withdraw(id: string): boolean {
    return this.#end(id, "the token was withdrawn");
  }

  /** Forgets all of them: the session has ended, which tells its clients itself. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#valid.values()) clearTimeout(timer);
    this.#valid.clear();
  }

  #end(id: string, why: string): boolean {
    const token = this.#valid.get(id);
    if (!token) return false;
    this.#valid.delete(id);
    clearTimeout(token.timer);
    token.void.abort(why);
    return true;
  }
}
