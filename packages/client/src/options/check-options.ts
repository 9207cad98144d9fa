/** Types of options: results of `typeof`, or quoted literals. A dot leads to a field of an option; `!` marks required ones. */
const kinds: readonly (readonly [kind: string, options: string])[] = [
  ["string or function", "apiKey"],
  ["string", "baseUrl automationUrl automationWord serviceWord requestOrigin sdkVersion"],
  ["boolean", "allowInsecureHttp update_metadata retries.unsentAutomations signal.aborted!"],
  ["object", "headers timeouts ledger signal"],
  ["object or function", "logger hooks"],
  ["number or object", "retries"],
  [
    "number",
    "maxBodyBytes maxEventBytes retries.max retries.baseMs retries.maxMs retries.maxRetryAfterMs " +
      "timeouts.headersMs timeouts.bodyMs timeouts.totalMs timeouts.firstEventMs timeouts.bytesMs timeouts.eventsMs",
  ],
  [
    "function",
    "fetch onReport onOutcome hooks.onRequest hooks.onResponse hooks.onRetry " +
      "signal.addEventListener! signal.removeEventListener! logger.debug! logger.warn! ledger.start!",
  ],
  ["'throw' or 'skip'", "oversize"],
  ["'report' or 'throw'", "damage"],
];

/** The arguments of a call. */
export interface Given {
  /** Options of the client or of the call. */
  readonly options: unknown;
  /** The request; absent when the operation has none. */
  readonly request?: unknown;
  /** True when `response_format` is required. */
  readonly needsFormat?: boolean;
  /** Identifier of the session; absent when the operation has none. */
  readonly sessionId?: unknown;
}

/** Returns a message about the first invalid argument of a call, without quoting any; `undefined` when all are valid. */
export function misuseOf(given: Given): string | undefined {
  const { ignored_tags, response_format } = Object(given.request);
  return (
    wrongOption(given.options) ??
    ("sessionId" in given ? wrong("the session id", given.sessionId, "string") : undefined) ??
    ("request" in given ? wrong("the request", given.request, "object") : undefined) ??
    ((ignored_tags ?? null) === null || Array.isArray(ignored_tags) ? undefined : "ignored_tags must be an array") ??
    (given.needsFormat && (response_format ?? null) === null
      ? "extract needs a response_format; for other data use scrape with instructions"
      : undefined)
  );
}

/** Checks of options, by name. */
const checks = new Map<string, ((outer: unknown) => string | undefined)[]>();
for (const [kind, paths] of kinds) {
  for (const path of paths.split(" ")) {
    const [name = "", inner, needed] = path.split(/[.!]/);
    checks.set(name, [
      ...(checks.get(name) ?? []),
      (outer) => {
        const value = inner ? Object(outer)[inner] : outer;
        if (value === undefined && needed === undefined) return undefined;
        const isLess = name === "retries" && typeof value === "number" && !(value >= 0);
        return isLess ? `${path} must not be negative` : wrong(path, value, kind);
      },
    ]);
  }
}

function wrongOption(options: unknown): string | undefined {
  for (const [name, value] of Object.entries(Object(options))) {
    for (const check of (value !== undefined && checks.get(name)) || []) {
      const message = check(value);
      if (message) return message;
    }
  }
  return wrong("options", options, "object");
}

function wrong(name: string, value: unknown, kind: string): string | undefined {
  const is = value === null || value === undefined ? "null or missing" : typeof value;
  if (
    is === kind ||
    kind.split(" or ").some((each) => each === is || (typeof value === "string" && each === `'${value}'`))
  )
    return undefined;
  return `${name.replace("!", "")} must be ${kind}, not ${is}`;
}
