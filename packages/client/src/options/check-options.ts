import { nearest } from "./nearest.ts";

/** A type, or several: results of `typeof`, or quoted literals; `!` marks what is required. */
type Kind = string;

/** All options of clients and calls; with those that are objects, what these have. A test compares them with the types. */
export const kindsOfOptions = {
  apiKey: "string or function",
  baseUrl: "string",
  automationUrl: "string",
  automationWord: "string",
  serviceWord: "string",
  allowInsecureHttp: "boolean",
  fetch: "function",
  headers: "object",
  requestOrigin: "string",
  sdkVersion: "string or true",
  timeouts: [
    "object",
    {
      headersMs: "number",
      bodyMs: "number",
      totalMs: "number",
      firstEventMs: "number",
      bytesMs: "number",
      eventsMs: "number",
    },
  ],
  retries: [
    "number or object",
    { max: "number", baseMs: "number", maxMs: "number", maxRetryAfterMs: "number", unsentAutomations: "boolean" },
  ],
  maxBodyBytes: "number",
  validate: "boolean",
  logger: ["object or function", { debug: "function!", warn: "function!", info: "function", error: "function" }],
  logLevel: "'debug' or 'info' or 'warn' or 'error' or 'off'",
  hooks: ["object or function", { onRequest: "function", onResponse: "function", onRetry: "function" }],
  signal: ["object", { aborted: "boolean!", addEventListener: "function!", removeEventListener: "function!" }],
  update_metadata: "boolean",
  ledger: ["object", { start: "function!" }],
  onReport: "function",
  onOutcome: "function",
  maxEventBytes: "number",
  oversize: "'throw' or 'skip'",
  damage: "'report' or 'throw'",
} as const satisfies Readonly<Record<string, Kind | readonly [Kind, Fields]>>;

type Fields = Readonly<Record<string, Kind>>;

/** Kind of an option, with its fields also as a list, which is read in every call. */
interface Known {
  readonly kind: Kind;
  readonly fields: Fields;
  readonly list: readonly { readonly inner: string; readonly innerKind: Kind; readonly required: boolean }[];
}

const known = new Map(
  Object.entries<Kind | readonly [Kind, Fields]>(kindsOfOptions).map(([name, option]): [string, Known] => {
    const [kind, fields] = typeof option === "string" ? [option, {}] : option;
    const list = Object.entries(fields).map(([inner, each]) => {
      const innerKind = each.replace("!", "");
      return { inner, innerKind, required: each !== innerKind };
    });
    return [name, { kind, fields, list }];
  }),
);
/** Options whose fields are all known; other objects, such as a logger, may have fields of their own. */
const closed = ["timeouts", "retries", "hooks"];
const paths = [
  ...known.keys(),
  ...closed.flatMap((name) => (known.get(name)?.list ?? []).map(({ inner }) => `${name}.${inner}`)),
];

/** The arguments of a call. */
export interface CallValues {
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
export function findMisuse(values: CallValues): string | undefined {
  const { ignored_tags, response_format } = Object(values.request);
  return (
    wrongOption(values.options) ??
    ("sessionId" in values ? wrong("the session id", values.sessionId, "string") : undefined) ??
    ("request" in values ? wrong("the request", values.request, "object") : undefined) ??
    ((ignored_tags ?? null) === null || Array.isArray(ignored_tags) ? undefined : "ignored_tags must be an array") ??
    (values.needsFormat && (response_format ?? null) === null
      ? "extract needs a response_format; for other data use scrape with instructions"
      : undefined)
  );
}

function wrongOption(options: unknown): string | undefined {
  for (const [name, value] of Object.entries(Object(options))) {
    if (value === undefined) continue;
    const kind = known.get(name);
    const message = kind ? wrongValue(name, value, kind) : isPlain(options) ? unknownOption(name) : undefined;
    if (message) return message;
  }
  return wrong("options", options, "object");
}

function wrongValue(name: string, value: unknown, { kind, fields, list }: Known): string | undefined {
  if (list.length === 0) return wrong(name, value, kind);
  if (typeof value === "number" && !(value >= 0)) return `${name} must not be negative`;
  const message = wrong(name, value, kind);
  if (message || typeof value === "number") return message;
  for (const { inner, innerKind, required } of list) {
    const own: unknown = Object(value)[inner];
    const wrongField = own === undefined && !required ? undefined : wrong(`${name}.${inner}`, own, innerKind);
    if (wrongField) return wrongField;
  }
  if (!closed.includes(name) || !isPlain(value)) return undefined;
  const strange = Object.entries(Object(value)).find(([inner, own]) => own !== undefined && !(inner in fields));
  return strange && unknownOption(`${name}.${strange[0]}`);
}

/** Returns whether a value is an object of options only: one of a class may have fields of its own. */
function isPlain(value: unknown): boolean {
  const prototype: unknown = Object.getPrototypeOf(Object(value));
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function unknownOption(name: string): string {
  const similar = nearest(name, paths);
  return `unknown option ${/^[\w.-]{1,40}$/.test(name) ? name : ""}; ${
    similar ? `did you mean ${similar}?` : `options are ${[...known.keys()].join(", ")}`
  }`;
}

function wrong(name: string, value: unknown, kind: Kind): string | undefined {
  const is = value === null || value === undefined ? "null or missing" : typeof value;
  if (kind === is) return undefined; // as in most calls
  if (
    kind
      .split(" or ")
      .some(
        (each) =>
          each === is || each === String(value === true) || (typeof value === "string" && each === `'${value}'`),
      )
  )
    return undefined;
  return `${name} must be ${kind}, not ${is}`;
}
