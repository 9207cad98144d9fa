import type { ConnectOverCDPTransport } from "playwright-core";
import { commandIds } from "../devtools/command-ids.ts";
import { isFields, asText, type Fields } from "../devtools/message.ts";

/** A driver's connection that can change the locale of a context. */
export interface LocaleConnection {
  /** The connection, for the driver. */
  readonly transport: ConnectOverCDPTransport;
  /**
   * Changes the locale of a context's pages, later ones included.
   *
   * @param locale - As Chromium reads it (`de-DE`, `de_DE`). Undefined restores the one that the driver chose.
   * @returns Chromium's error message, or undefined.
   */
  readonly setLocale: (contextId: string, locale: string | undefined) => Promise<string | undefined>;
}

const method = "Emulation.setLocaleOverride";

const { after: firstId } = commandIds.locales;

interface Attached {
  readonly contextId: string;
  /** Locale that the driver chose; undefined if it has not set one yet. */
  locale?: string | undefined;
}

/**
 * Wraps a driver's connection so that others can change locales. Chromium lets only the CDP session that has set a locale change it,
 * and that is the driver's: so commands are sent on that session.
 */
export function withLocales(inner: ConnectOverCDPTransport): LocaleConnection {
  const sessions = new Map<string, Attached>();
  const localeByContext = new Map<string, string>();
  const pending = new Map<
    number,
    { readonly sessionId: string; readonly due: (failure: string | undefined) => void }
  >();
  let lastId: number = firstId;

  const onAttached = ({ sessionId, targetInfo }: Fields): void => {
    const contextId = isFields(targetInfo) ? asText(targetInfo["browserContextId"]) : undefined;
    if (typeof sessionId === "string" && contextId !== undefined) sessions.set(sessionId, { contextId });
  };
  const onDetached = ({ sessionId }: Fields): void => {
    sessions.delete(asText(sessionId) ?? "");
    for (const [id, one] of pending) if (one.sessionId === sessionId) resolveCommand(id, undefined);
  };
  const resolveCommand = (id: number, failure: string | undefined): void => {
    const due = pending.get(id)?.due;
    pending.delete(id);
    due?.(failure);
  };

  /** Records the locale that the driver sets; returns the message with the override instead. */
  const withWantedLocale = (message: object): object => {
    const { sessionId, params, ...rest } = isFields(message) ? message : {};
    const session = rest["method"] === method ? sessions.get(asText(sessionId) ?? "") : undefined;
    if (!session) return message;
    session.locale = isFields(params) ? asText(params["locale"]) : undefined;
    const locale = localeByContext.get(session.contextId) ?? session.locale;
    return { ...rest, sessionId, params: { locale } };
  };

  const sendLocale = (sessionId: string, locale: string | undefined): Promise<string | undefined> => {
    lastId += 1;
    const id = lastId;
    return new Promise((due) => {
      pending.set(id, { sessionId, due });
      inner.send({ id, method, params: { locale }, sessionId });
    });
  };

  const transport: ConnectOverCDPTransport = {
    send: (message) => inner.send(withWantedLocale(message)),
    close: () => inner.close(),
  };
  const take = (message: object): void => {
    const { id, method: event, params, error } = isFields(message) ? message : {};
    if (typeof id === "number" && pending.has(id)) {
      return resolveCommand(
        id,
        isFields(error) ? (asText(error["message"]) ?? "the browser rejected the locale") : undefined,
      );
    }
    if (event === "Target.attachedToTarget" && isFields(params)) onAttached(params);
    if (event === "Target.detachedFromTarget" && isFields(params)) onDetached(params);
    transport.onmessage?.(message);
  };
  const closed = (reason?: string): void => {
    for (const id of pending.keys()) resolveCommand(id, "the connection to the browser of this session was lost");
    transport.onclose?.(reason);
  };
  Object.assign(inner, { onmessage: take, onclose: closed });
  return {
    transport,
    async setLocale(contextId, locale) {
      const before = localeByContext.get(contextId);
      if (locale === undefined) localeByContext.delete(contextId);
      else localeByContext.set(contextId, locale);
      const own = [...sessions].filter(([, session]) => session.contextId === contextId && "locale" in session);
      const failures = await Promise.all(own.map(([id, session]) => sendLocale(id, locale ?? session.locale)));
      // Pages of one process share one locale, which only the first session can set.
      const refused = own.length > 0 && failures.every((failure) => failure !== undefined);
      if (!refused || locale === undefined) return undefined;
      if (before === undefined) localeByContext.delete(contextId);
      else localeByContext.set(contextId, before);
      return failures[0];
    },
  };
}
