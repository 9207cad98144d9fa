import { randomUUID } from "node:crypto";
import type { PooledContext } from "@cloud-browser/browsers";
import { adviceOnStorage, describeStorageError } from "@cloud-browser/recorder";
import type { Permit } from "../../semaphore.ts";
import { ServiceError, findServiceError } from "../../service-error.ts";
import type { EndReason } from "../../storage/session-store.ts";
import type { CreationParts } from "./creation-parts.ts";
import { retryLostBrowser } from "./lost-browser.ts";
import { chooseLifeLimits, chooseRetentionMs } from "../session-limits.ts";
import { blankPage, defaultViewport, type SessionOptions } from "../session-options.ts";
import type { PageInfo } from "../page-info.ts";
import { Session } from "../session.ts";
import { startSession } from "./start-session.ts";
import { makeStoppingError, makeClientGoneError } from "../../session-refusals.ts";

/** Time from a navigation until its page has a title, in milliseconds. */
const titleMs = 1_500;

/** Creates sessions: a context of a browser, a record, a recorder and the first page. A session that can't be created leaves nothing of itself. */
export class SessionCreator {
  readonly #parts: CreationParts;
  /** Those that are open, by their ids; it adds those that it creates, and removes those that have ended. */
  readonly #sessions: Map<string, Session>;
  #isClosed = false;

  constructor(parts: CreationParts, sessions: Map<string, Session>) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  /** Creates none from now on; those that are being created are refused. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Creates a session, on its first page.
   *
   * @param permit - Its slot, which is released with its end, or when it can't be created.
   * @param key - Name of the key that it belongs to; null: the key that the service was started with.
   * @param signal - Aborts the creation.
   * @throws {ServiceError} As `Sessions.create`.
   */
  async create(
    options: SessionOptions,
    permit: Permit,
    key: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Session> {
    // A profile has one writer at a time.
    const waitsForEnd = options.profile !== undefined;
    const mayRetry = (): boolean => !this.#isClosed && signal?.aborted !== true;
    return retryLostBrowser(permit, waitsForEnd, mayRetry, (slot) => this.#attempt(options, slot, key, signal));
  }

  async #attempt(
    options: SessionOptions,
    permit: Permit,
    key: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Session> {
    const session = await this.#begin(options, permit, key, signal).catch((error: unknown) => {
      permit.release();
      throw error;
    });
    const leave = (): void => void session.end("not-created");
    signal?.addEventListener("abort", leave);
    if (signal?.aborted) leave();
    try {
      await startSession(session, options, this.#parts);
      return session;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Opens a context and registers the session in it. Once the session is registered, its end releases the slot. */
  async #begin(options: SessionOptions, permit: Permit, key: string | null, signal?: AbortSignal): Promise<Session> {
    const { viewport = defaultViewport, locale, url = blankPage, profile, proxy } = options;
    if (proxy?.dns === "proxy" && this.#parts.allowsProxyDns !== true) throw makeProxyDnsError();
    await this.#parts.checkUrl(new URL(url), proxy);
    if (profile) await this.#parts.profiles.check(profile, key);
    const context = { viewport, ...(locale === undefined ? {} : { locale }) };
    const pooled = await this.#parts.openContext(context, proxy).catch((error: unknown) => {
      throw proxy ? toProxyFault(error) : error;
    });
    try {
      if (this.#isClosed) throw makeStoppingError();
      if (signal?.aborted) throw makeClientGoneError();
      return await this.#admit(pooled, options, permit, key);
    } catch (error) {
      await pooled.close();
      throw error;
    }
  }

  /** Registers a session, then waits until its record is written: so there is no record without a session. */
  async #admit(pooled: PooledContext, options: SessionOptions, permit: Permit, key: string | null): Promise<Session> {
    const { records, clock, limits } = this.#parts;
    const id = randomUUID();
    const createdMs = clock.now();
    const creation = records.create(id, createdMs, key, options.record ?? true).then(
      () => undefined,
      (cause: unknown) => ({ cause }),
    );
    const session = new Session({
      id,
      createdMs,
      key,
      pooledContext: pooled,
      files: this.#parts.openFiles?.(id, chooseRetentionMs(options, limits)),
      clock,
      monotonic: this.#parts.monotonic,
      onEntry: (entry) => {
        this.#parts.onEntry?.(entry);
        if (entry.kind === "navigation" || entry.kind === "tab-opened" || entry.kind === "tab-closed")
          this.#tellPage(key);
      },
      limits: chooseLifeLimits(options, limits),
      graceMs: limits.graceMs,
      onSteering: (change) => this.#parts.onSteering?.({ ...change, session_id: id, at_ms: clock.now() }),
      onEnd: async (reason, place, faults, endedMs) => {
        const isRecorded = (await creation) === undefined;
        const faultsOfRecord = isRecorded ? await this.#keepEnd(id, endedMs, reason, place) : [];
        this.#sessions.delete(id);
        permit.release();
        void this.#parts.closeFiles?.(id);
        if (isRecorded) this.#parts.onEnd?.(id, reason, [...faults, ...faultsOfRecord]);
        this.#parts.onChange?.(key);
        // The end is answered once the recording is safe.
        if (reason === "requested") await this.#parts.secure?.(id).catch(() => undefined);
      },
    });
    this.#sessions.set(id, session);
    const failure = await creation;
    if (!failure) {
      this.#parts.onBegin?.(id);
      this.#parts.onChange?.(key);
      return session;
    }
    await session.end("not-created");
    const { cause } = failure;
    if (cause instanceof ServiceError && cause.code === "busy") throw cause;
    const why = `the session could not be stored: ${describeStorageError(cause)}; ${adviceOnStorage(cause)}`;
    throw new ServiceError("storage-failed", why, { cause });
  }

  /** Tells that a session is on another page: at once, and when that has had time for its title. */
  #tellPage(key: string | null): void {
    this.#parts.onChange?.(key);
    setTimeout(() => this.#parts.onChange?.(key), titleMs).unref();
  }

  /** Keeps the end of a session, and where it was. Returns what went wrong. */
  async #keepEnd(
    id: string,
    endedMs: number,
    reason: EndReason,
    { url, title }: PageInfo,
  ): Promise<readonly unknown[]> {
    const { records } = this.#parts;
    try {
      await records.end(id, endedMs, reason, url === null ? null : { url, title });
      return [];
    } catch (error) {
      return [error];
    }
  }
}

function makeProxyDnsError(): ServiceError {
  const why = "the operator of the service does not let proxies resolve names: leave out proxy.dns";
  return new ServiceError("usage", why, { loc: ["proxy", "dns"] });
}

/** Adds to an error about the address of a proxy where in the request that is. */
function toProxyFault(error: unknown): unknown {
  const fault = findServiceError(error);
  if (fault?.code !== "usage" && fault?.code !== "address-refused") return error;
  return new ServiceError(fault.code, fault.message, { cause: error, loc: ["proxy", "server"] });
}
