import { findAuthorization } from "../http/credentials.ts";
import type { Operation } from "../contract/contract.ts";
import {
  readBeginning,
  listForms,
  mayEscape,
  listSeenForms,
  removeOpenEnd,
  removeRemnant,
  type SecretForms,
} from "./secret-forms.ts";

/** Replacement of a secret. */
const placeholder = "[redacted]";

/** Redacts secrets in a text before it is recorded. */
export type Redact = (text: string, operation: Operation) => string;

/** Pattern of the first character of a query: a question mark or a hash, also as JSON or an address escapes it. */
const queryStart = String.raw`(?:[?#]|\\u003f|\\u0023|%3f|%23)`;
/** Pattern of the rest of a query: everything but characters that end an address in a text, in JSON or in HTML. */
const queryRest = String.raw`(?:[^\s"'<>\\]|\\u00(?!22|27|3[ce]|0a|0d|09|20)[0-9a-f]{2}|\\\/)*`;

/** The query of an absolute address: presigned URLs carry their credential there. */
const addressQuery = new RegExp(
  String.raw`(https?(?::|%3a)(?:\\?\/|%2f){2}(?:[^\s"'<>\\?#%]|\\\/|%(?!3f|23)){1,2048}${queryStart})${queryRest}`,
  "gi",
);
/** A query with a name and a value, also of an address that is not absolute. */
const namedQuery = new RegExp(String.raw`(${queryStart})(?=[\w.~%+[\]-]{1,80}(?:=|\\u003d))${queryRest}`, "gi");
/** Pattern of user name and password in a URL. */
const userInAddress = /(https?:(?:\\?\/){2})[^\s"'<>\\/?#@]{1,1024}@/gi;

/**
 * Returns the pattern of a JSON member, in any kind of quotes. A value without quotes ends with the value; a truncated one with the text.
 */
function memberPattern(name: string): RegExp {
  const text = String.raw`\3(["'])(?:(?!\3\5)(?:\\[^]|[^\\]))*(?:\3\5)?`;
  return new RegExp(
    String.raw`((?:((\\{0,8})(["']))${name}\2)\s{0,40}:\s{0,40})(?:${text}|(?![[{"'\\])[^\s,}\]]+)`,
    "g",
  );
}

/** Pattern of the value of a cookie, in the body of the cookies operation. */
const cookieValue = memberPattern("value");
/** Pattern of `viewer_url`, the address at which a session can be watched. */
const viewerUrl = memberPattern("viewer_url");

/** Pattern of the headers whose value is a credential, whoever sends them. */
const secretHeader =
  /^(?:(?:proxy-)?authorization|authentication-info|(?:set-)?cookie|set-cookie2|(?:x-)?api-key|x-(?:access|auth|csrf|xsrf|amz-security)-token)$/i;

/** Secrets of a run beside the API key. */
export interface RunSecrets {
  /** Values of the setup, beside the key. Default: none. */
  readonly ofSetup?: readonly string[];
  /** Values that the target has sent as secrets. Default: none. */
  readonly ofTarget?: readonly string[];
}

/**
 * Makes the redaction of one run.
 *
 * By value, from six characters on: the API key and other secrets of the setup in every spelling, the pieces of the key that
 * are sent, and what the target has sent as a secret. By place, whatever the length: cookie values, queries of addresses,
 * `viewer_url`. Before an ellipsis, where a text was cut, the beginning of a secret of the setup goes, too.
 *
 * Does not find a secret that a target has taken apart, or encoded in a way of its own.
 */
export function createRedact(apiKey: string, { ofSetup = [], ofTarget = [] }: RunSecrets = {}): Redact {
  const own = [listForms(apiKey), ...listKeyParts(apiKey), ...ofSetup.map(listForms)];
  const plain = findMatcher(own.flatMap(({ patterns }) => patterns));
  const targetMatcher = findMatcher(ofTarget.flatMap((value) => listSeenForms(value).patterns));
  const hasQuote = [apiKey, ...ofSetup].some((value) => value.includes('"'));
  let mixed: RegExp | undefined;
  const setupIn = (text: string): RegExp | undefined => {
    if (!mayEscape(text) && !(hasQuote && text.includes("\\"))) return plain;
    mixed ??= findMatcher(own.flatMap((forms) => [...forms.mixed(), ...forms.patterns]));
    return mixed;
  };
  const spellings = own.flatMap((forms) => forms.spellings);
  let openMatcher: RegExp | undefined;
  const withoutBeginning = (text: string): string => {
    const clean = removeRemnant(text, spellings, placeholder);
    if (clean !== text || !/[\\%&]/.test(text)) return clean;
    openMatcher ??= new RegExp(["(?!)", ...own.map(({ open }) => open())].join("|"), "iu");
    return removeOpenEnd(text, openMatcher, placeholder);
  };
  return remember((text, operation) => {
    const withoutValues = [setupIn(text), targetMatcher].reduce(
      (rest, pattern) => (pattern ? rest.replace(pattern, placeholder) : rest),
      text,
    );
    const withoutQueries = withoutValues
      .replace(addressQuery, `$1${placeholder}`)
      .replace(namedQuery, `$1${placeholder}`)
      .replace(userInAddress, `$1${placeholder}@`);
    const byOperation = operation === "session_cookies" ? cookieValue : viewerUrl;
    const withoutMembers = withoutQueries.replace(byOperation, `$1$2${placeholder}$2`);
    return withoutMembers.endsWith("…") ? `${withoutBeginning(withoutMembers.slice(0, -1))}…` : withoutMembers;
  });
}

/** Length of the texts whose redaction is remembered, all together, in UTF-16 units. */
const rememberedLength = 4 * 1024 * 1024;

/** Remembers what has been redacted: most headers are in every exchange of a run, and many bodies are alike. */
function remember(redact: Redact): Redact {
  const memory = new Map<string, string>();
  let remaining = rememberedLength;
  return (text, operation) => {
    const key = `${operation} ${text}`;
    const clean = memory.get(key) ?? redact(text, operation);
    if (!memory.has(key) && key.length <= remaining) {
      memory.set(key, clean);
      remaining -= key.length;
    }
    return clean;
  };
}

/** Forms of the shortened and altered keys that requests of this suite send and an answer could return; the longest first. */
function listKeyParts(apiKey: string): SecretForms[] {
  const kinds = ["key-other-letter", "key-but-last", "key-first-half"] as const;
  return kinds.flatMap((kind) => {
    const piece = findAuthorization(kind, apiKey)?.slice("Bearer ".length) ?? "";
    return [readBeginning(piece), readBeginning(Buffer.from(`${piece}:`).toString("base64"))];
  });
}

function findMatcher(patterns: readonly string[]): RegExp | undefined {
  return patterns.length === 0 ? undefined : new RegExp([...new Set(patterns)].join("|"), "giu");
}

/** Number of UTF-16 units beyond the limit that are searched for secrets before a long text is cut. */
const margin = 2048;

/**
 * Returns the beginning of a text without secrets. Searches no more of it than needed.
 *
 * @param limit - Longest text that is given back, in UTF-16 units.
 */
export function redactStart(text: string, limit: number, redact: (text: string) => string): string {
  if (text.length <= limit + margin) return redact(text).slice(0, limit);
  const clean = redact(text.slice(0, limit + margin));
  return clean.slice(0, Math.max(0, Math.min(limit, clean.length - margin)));
}

/** Returns a header value as it may be shown. */
export function redactHeader(name: string, value: string, redact: Redact, operation: Operation): string {
  if (!secretHeader.test(name)) return redact(value, operation);
  const scheme = /^(Bearer|Basic|Token) /i.exec(value)?.[0] ?? "";
  return `${scheme}${placeholder}`;
}
