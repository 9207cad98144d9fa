/** What an option can be, as `typeof` tells it; never `null`. */
const kinds: Readonly<Record<string, string>> = {
  apiKey: "string or function",
  baseUrl: "string",
  automationUrl: "string",
  allowInsecureHttp: "boolean",
  update_metadata: "boolean",
  fetch: "function",
  headers: "object",
  requestOrigin: "string",
  sdkVersion: "string",
  timeouts: "object",
  retries: "number or object",
  maxBodyBytes: "number",
  maxEventBytes: "number",
  logger: "object or function",
  hooks: "object or function",
  ledger: "object",
  signal: "object",
  onReport: "function",
  onOutcome: "function",
};

/** What the options of an option can be. */
const inner: readonly (readonly [option: string, names: readonly string[], kind: string])[] = [
  ["timeouts", ["headersMs", "bodyMs", "totalMs", "firstEventMs", "bytesMs", "eventsMs"], "number"],
  ["retries", ["max", "baseMs", "maxMs", "maxRetryAfterMs"], "number"],
  ["hooks", ["onRequest", "onResponse", "onRetry"], "function"],
];
/** What is needed of what others make. */
const needed: readonly (readonly [option: string, names: readonly string[], kind: string])[] = [
  ["signal", ["addEventListener", "removeEventListener"], "function"],
  ["logger", ["debug", "warn"], "function"],
  ["ledger", ["start"], "function"],
];

/** The arguments of a call. */
export interface Given {
  /** Options, of the client or of the call. */
  readonly options: readonly unknown[];
  /** The request; absent when the operation has none. */
  readonly request?: unknown;
  /** Whether a schema is needed. */
  readonly needsFormat?: boolean;
  /** The session; absent when the operation has none. */
  readonly sessionId?: unknown;
}

/** What is wrong with the arguments of a call, in words that quote none of them; `undefined` when nothing is. */
export function misuseOf(given: Given): string | undefined {
  const fields = Object(given.request);
  const ignored = fields.ignored_tags ?? undefined;
  return [
    ...given.options.flatMap(wrongOptions),
    "sessionId" in given ? wrong("the identifier of the session", given.sessionId ?? null, "string") : undefined,
    "request" in given ? wrong("the request", given.request ?? null, "object") : undefined,
    ignored === undefined || Array.isArray(ignored) ? undefined : "ignored_tags must be an array",
    given.needsFormat && (fields.response_format ?? null) === null
      ? "extract needs a response_format; for other data use scrape with instructions"
      : undefined,
  ].find((message) => message !== undefined);
}

function wrongOptions(options: unknown): (string | undefined)[] {
  const given: Readonly<Record<string, unknown>> = Object(options);
  const { retries } = given;
  const numbers = typeof retries === "number" ? { max: retries } : Object(retries);
  return [
    wrong("options", options ?? null, "object"),
    ...Object.entries(kinds).map(([name, kind]) => wrong(name, given[name], kind)),
    ...inner.flatMap(([option, names, kind]) =>
      names.map((name) => wrong(`${option}.${name}`, Object(given[option])[name], kind)),
    ),
    ...needed.flatMap(([option, names, kind]) =>
      given[option] === undefined
        ? []
        : names.map((name) => wrong(`${option}.${name}`, Object(given[option])[name] ?? null, kind)),
    ),
    ...Object.entries(numbers).map(([name, value]) =>
      typeof value === "number" && !(value >= 0) ? `retries: ${name} must not be negative` : undefined,
    ),
  ];
}

function wrong(name: string, value: unknown, kind: string): string | undefined {
  if (value === undefined || (value !== null && kind.split(" or ").includes(typeof value))) return undefined;
  return `${name} must be a ${kind}, not ${value === null ? "null or missing" : typeof value}`;
}
