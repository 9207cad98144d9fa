import type { DriverMessages } from "../devtools/driver-messages.ts";
import { isFields, asText, type Fields } from "../devtools/message.ts";

/** Changes the locales of contexts. */
export interface Locales {
  /**
   * Changes the locale of a context's pages, later ones included.
   *
   * @param locale - As Chromium reads it (`de-DE`, `de_DE`). Undefined restores the one that the driver chose.
   * @returns Chromium's error message, or undefined.
   */
  readonly setLocale: (contextId: string, locale: string | undefined) => Promise<string | undefined>;
}

const method = "Emulation.setLocaleOverride";

interface Attached {
  readonly contextId: string;
  /** Locale that the driver chose; undefined if it has not set one yet. */
  locale?: string | undefined;
}

/**
 * Lets others than the driver change locales. Chromium lets only the CDP session that has set a locale change it,
 * and that is the driver's: so commands are sent on that session.
 */
export function watchLocales(driver: DriverMessages): Locales {
  const sessions = new Map<string, Attached>();
  const localeByContext = new Map<string, string>();

  const onAttached = ({ sessionId, targetInfo }: Fields): void => {
    const contextId = isFields(targetInfo) ? asText(targetInfo["browserContextId"]) : undefined;
    if (typeof sessionId === "string" && contextId !== undefined) sessions.set(sessionId, { contextId });
  };

  /** Records the locale that the driver sets; returns the command with the override instead. */
  const overrideLocale = (command: Fields): Fields => {
    const { sessionId, params, ...rest } = command;
    const session = sessions.get(asText(sessionId) ?? "");
    if (!session) return command;
    session.locale = isFields(params) ? asText(params["locale"]) : undefined;
    const locale = localeByContext.get(session.contextId) ?? session.locale;
    return { ...rest, sessionId, params: { locale } };
  };

  const sendLocale = async (sessionId: string, locale: string | undefined): Promise<string | undefined> => {
    try {
      const { error } = await driver.request(method, { locale }, sessionId);
      return isFields(error) ? (asText(error["message"]) ?? "the browser rejected the locale") : undefined;
    } catch {
      return "the connection to the browser of this session was lost";
    }
  };

  driver.onEvent("Target.attachedToTarget", onAttached);
  driver.onEvent("Target.detachedFromTarget", ({ sessionId }) => void sessions.delete(asText(sessionId) ?? ""));
  driver.changeCommand(method, overrideLocale);
  return {
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
