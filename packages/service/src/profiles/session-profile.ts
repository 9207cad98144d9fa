import {
  type PooledContext,
  readStorageState,
  restoreStorageState,
  type StateCookie,
  type StorageState,
} from "@cloud-browser/browsers";
import type { EndReason } from "../storage/session-store.ts";
import type { ProfileMode, SealedProfile } from "../storage/profile-store.ts";
import { describeServiceError } from "../service-error.ts";
import { fitState } from "./stored-state.ts";

/** Outcome of a session's use of a profile. */
export type UseResult =
  | { readonly outcome: "read" }
  | { readonly outcome: "saved"; readonly missing: string | null }
  | { readonly outcome: "failed"; readonly why: string };

/** Dependencies of a session's use of a profile. */
export interface SessionProfileParts {
  /** How it is used. */
  readonly mode: ProfileMode;
  /** State that the session begins with; undefined: none, the profile is empty. */
  readonly state: StorageState | undefined;
  /** Largest profile, in bytes. */
  readonly maxBytes: number;
  /** Returns the current time. */
  readonly now: () => number;
  /** Encrypts a state, given as JSON, too. */
  readonly seal: (state: StorageState, text: string) => SealedProfile;
  /** Writes a state back. Returns false when the profile was deleted, or the session has ended for others. */
  readonly save: (sealed: SealedProfile, missing: string | null) => Promise<boolean>;
  /** Notes an outcome other than `saved`. */
  readonly settle: (outcome: "read" | "failed", why: string | null) => Promise<void>;
  /** Called once with the outcome. */
  readonly onEnd: (result: UseResult) => void;
}

/** Reasons of an end at which the context can't be read, or others may have ended the session: the previous version of the profile stays. */
const unsaved: ReadonlySet<EndReason> = new Set(["flood", "browser-crashed", "host-lost", "service-died"]);

/** The profile of one session: what it begins with, and what is written back at its end. */
export class SessionProfile {
  readonly #parts: SessionProfileParts;
  #isRestored = false;
  /** Cookies that the browser did not take. */
  #refused: readonly StateCookie[] = [];
  #ending: Promise<void> | undefined;

  constructor(parts: SessionProfileParts) {
    this.#parts = parts;
  }

  /**
   * Gives a context that has no page yet what the profile has. Cookies that have expired are left out.
   *
   * @throws {BrowserError} `page-failed` when its storage can't be restored.
   */
  async restore(pooled: PooledContext): Promise<void> {
    const { state, now } = this.#parts;
    if (state) this.#refused = await restoreStorageState(pooled, state, now());
    this.#isRestored = true;
  }

  /**
   * Writes back what the context has, where that is wanted and possible; at the end of the session, once and before its context is closed.
   * Never rejects.
   *
   * @param origins - Origins of what its pages have shown, the oldest first.
   */
  end(reason: EndReason, pooled: PooledContext, origins: Iterable<string>): Promise<void> {
    this.#ending ??= this.#end(reason, pooled, origins);
    return this.#ending;
  }

  async #end(reason: EndReason, pooled: PooledContext, origins: Iterable<string>): Promise<void> {
    const result = await this.#writeBack(reason, pooled, origins).catch((error: unknown): UseResult => {
      return {
        outcome: "failed",
        why: `it could not be written back (${describeServiceError(error).split("\n", 1)[0]})`,
      };
    });
    this.#parts.onEnd(result);
    if (result.outcome === "saved") return;
    const why = result.outcome === "failed" ? result.why : null;
    // What can't be noted is seen from the end of the session.
    await this.#parts.settle(result.outcome, why).catch(() => undefined);
  }

  async #writeBack(reason: EndReason, pooled: PooledContext, shownOrigins: Iterable<string>): Promise<UseResult> {
    const { mode, state, maxBytes, seal, save } = this.#parts;
    if (mode === "read") return { outcome: "read" };
    if (!this.#isRestored) return { outcome: "failed", why: "the session ended before it had the profile" };
    if (unsaved.has(reason)) return { outcome: "failed", why: `the session ended (${reason})` };
    const own = state?.origins.map(({ origin }) => origin) ?? [];
    const origins = new Set([...own, ...[...shownOrigins].toReversed()]);
    const storage = await readStorageState(pooled, origins, { databaseBytes: maxBytes });
    const fitted = fitState(storage, { state, refused: this.#refused }, maxBytes);
    if (!fitted) return { outcome: "failed", why: `it would be larger than ${maxBytes} bytes` };
    const isSaved = await save(seal(fitted.state, fitted.text), fitted.missing);
    if (isSaved) return { outcome: "saved", missing: fitted.missing };
    return { outcome: "failed", why: "the profile was deleted meanwhile, or this node has lost the session" };
  }
}
