import type { ConnectOverCDPTransport } from "playwright-core";
import { commandIds } from "../devtools/command-ids.ts";
import { isFields, textOf, type Fields } from "../devtools/message.ts";

/** A driver's connection on which the locale of a context can be changed. */
export interface LocaleConnection {
  /** The connection, for the driver. */
  readonly transport: ConnectOverCDPTransport;
  /**
   * Changes the locale of a context's pages, of those too that it opens later.
   *
   * @param locale - As Chromium reads it (`de-DE`, `de_DE`). Undefined: the one that the driver chose.
   * @returns What Chromium has against it, or undefined.
   */
  readonly setLocale: (contextId: string, locale: string | undefined) => Promise<string | undefined>;
}

const method = "Emulation.setLocaleOverride";

const { after: firstId } = commandIds.locales;

interface Attached {
  readonly contextId: string;
  /** Locale that the driver chose; undefined: nothing yet. */
  locale?: string | undefined;
}

/**
 * Chromium lets nobody change a locale but the session that has set it, and for each session of the service that is the driver's.
 * So who else wants another one has it set there.
 */
export function withLocales(inner: ConnectOverCDPTransport): LocaleConnection {
  const sessions = new Map<string, Attached>();
  const wanted = new Map<string, string>();
  const waiting = new Map<
    number,
    { readonly sessionId: string; readonly due: (failure: string | undefined) => void }
  >();
  let lastId: number = firstId;

  const attached = ({ sessionId, targetInfo }: Fields): void => {
    const contextId = isFields(targetInfo) ? textOf(targetInfo["browserContextId"]) : undefined;
    if (typeof sessionId === "string" && contextId !== undefined) sessions.set(sessionId, { contextId });
  };
  const detached = ({ sessionId }: Fields): void => {
    sessions.delete(textOf(sessionId) ?? "");
    for (const [id, one] of waiting) if (one.sessionId === sessionId) settle(id, undefined);
  };
  const settle = (id: number, failure: string | undefined): void => {
    const due = waiting.get(id)?.due;
    waiting.delete(id);
    due?.(failure);
  };

  /** Notes what the driver chooses; returns the message with what is wanted instead. */
  const replaced = (message: object): object => {
    const { sessionId, params, ...rest } = isFields(message) ? message : {};
    const session = rest["method"] === method ? sessions.get(textOf(sessionId) ?? "") : undefined;
    if (!session) return message;
    session.locale = isFields(params) ? textOf(params["locale"]) : undefined;
    const locale = wanted.get(session.contextId) ?? session.locale;
    return { ...rest, sessionId, params: { locale } };
  };

  const set = (sessionId: string, locale: string | undefined): Promise<string | undefined> => {
    lastId += 1;
    const id = lastId;
    return new Promise((due) => {
      waiting.set(id, { sessionId, due });
      inner.send({ id, method, params: { locale }, sessionId });
    });
  };

  const transport: ConnectOverCDPTransport = {
    send: (message) => inner.send(replaced(message)),
    close: () => inner.close(),
  };
  const take = (message: object): void => {
    const { id, method: event, params, error } = isFields(message) ? message : {};
    if (typeof id === "number" && waiting.has(id)) {
      return settle(id, isFields(error) ? (textOf(error["message"]) ?? "the browser refused it") : undefined);
    }
    if (event === "Target.attachedToTarget" && isFields(params)) attached(params);
    if (event === "Target.detachedFromTarget" && isFields(params)) detached(params);
    transport.onmessage?.(message);
  };
  const closed = (reason?: string): void => {
    for (const id of waiting.keys()) settle(id, "the connection to the browser of this session was lost");
    transport.onclose?.(reason);
  };
  Object.assign(inner, { onmessage: take, onclose: closed });
  return {
    transport,
    async setLocale(contextId, locale) {
      const before = wanted.get(contextId);
      if (locale === undefined) wanted.delete(contextId);
      else wanted.set(contextId, locale);
      const own = [...sessions].filter(([, session]) => session.contextId === contextId && "locale" in session);
      const failures = await Promise.all(own.map(([id, session]) => set(id, locale ?? session.locale)));
      // Pages of one process have one locale, which the first of them has set: the others can't.
      const refused = own.length > 0 && failures.every((failure) => failure !== undefined);
      if (!refused || locale === undefined) return undefined;
      if (before === undefined) wanted.delete(contextId);
      else wanted.set(contextId, before);
      return failures[0];
    },
  };
}
