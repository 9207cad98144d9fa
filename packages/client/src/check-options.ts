/** What each option can be, as `typeof` tells it or as the only words; a dot leads into an option, and `!` marks what must be there. */
const kinds: readonly (readonly [kind: string, options: string])[] = [
  ["string or function", "apiKey"],
  ["string", "baseUrl automationUrl requestOrigin sdkVersion"],
  ["boolean", "allowInsecureHttp update_metadata retries.unsentAutomations"],
  ["object", "headers timeouts ledger signal"],
  ["object or function", "logger hooks"],
  ["number or object", "retries"],
  ["number", "maxBodyBytes maxEventBytes retries.max retries.baseMs retries.maxMs retries.maxRetryAfterMs"],
  ["number", "timeouts.headersMs timeouts.bodyMs timeouts.totalMs"],
  ["number", "timeouts.firstEventMs timeouts.bytesMs timeouts.eventsMs"],
  ["function", "fetch onReport onOutcome hooks.onRequest hooks.onResponse hooks.onRetry"],
  ["function", "signal.addEventListener! signal.removeEventListener! logger.debug! logger.warn! ledger.start!"],
  ["'throw' or 'skip'", "oversize"],
  ["'report' or 'throw'", "damage"],
];

/** The arguments of a call. */
export interface Given {
  /** Options, of the client or of the call. */
  readonly options: unknown;
  /** The request; absent when the operation has none. */
  readonly request?: unknown;
  /** Whether a schema is needed. */
  readonly needsFormat?: boolean;
  /** The session; absent when the operation has none. */
  readonly sessionId?: unknown;
}

/** What is wrong with the arguments of a call, in words that quote none of them; `undefined` when nothing is. */
export function misuseOf(given: Given): string | undefined {
  const { ignored_tags, response_format } = Object(given.request);
  return (
    wrongOption(given.options) ??
    ("sessionId" in given ? wrong("the identifier of the session", given.sessionId, "string") : undefined) ??
    ("request" in given ? wrong("the request", given.request, "object") : undefined) ??
    ((ignored_tags ?? null) === null || Array.isArray(ignored_tags) ? undefined : "ignored_tags must be an array") ??
    (given.needsFormat && (response_format ?? null) === null
      ? "extract needs a response_format; for other data use scrape with instructions"
      : undefined)
  );
}

function wrongOption(options: unknown): string | undefined {
  const given: Readonly<Record<string, unknown>> = Object(options);
  for (const [kind, paths] of kinds) {
    for (const path of paths.split(" ")) {
      const [name = "", inner, needed] = path.split(/[.!]/);
      const outer = given[name];
      const value = inner ? Object(outer)[inner] : outer;
      const message =
        value === undefined && (needed === undefined || outer === undefined) ? undefined : wrong(path, value, kind);
      if (message) return message;
      if (name === "retries" && typeof value === "number" && !(value >= 0)) return `${path} must not be negative`;
    }
  }
  return wrong("options", options, "object");
}

function wrong(name: string, value: unknown, kind: string): string | undefined {
  const is = value === null || value === undefined ? "null or missing" : typeof value;
  const fits = kind.split(" or ").some((each) => each === is || each === `'${String(value)}'`);
  return fits ? undefined : `${name.replace("!", "")} must be ${kind}, not ${is}`;
}
