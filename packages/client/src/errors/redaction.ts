/** Depth of the chain of causes that is kept. */
const maxDepth = 4;
/** Length to which messages are truncated, in characters, to bound the time of the regular expressions below. */
const maxLength = 8192;

/** Number of errors, causes and members of an `AggregateError` included, that are kept. */
const maxErrors = 20;

/**
 * Returns a copy of a thrown value that is safe to log: name, message and `code`, also of its causes and members. Never throws.
 *
 * The keys, other credentials, and the queries of URLs are redacted; other properties, such as the request, are not copied.
 * Properties that can't be read, such as getters that throw, are skipped.
 */
export function redactError(thrown: unknown, keys: Iterable<string>): unknown {
  const secrets = listForms(keys);
  let left = maxErrors;
  const copyError = (error: unknown, depth: number): Error | undefined => {
    if (error === undefined || depth > maxDepth || left-- <= 0) return undefined;
    const field = (name: string): unknown => quietly(() => Reflect.get(Object(error), name));
    const text = (value: unknown): string =>
      redactText(quietly(() => String(value)) ?? "the thrown value can't be shown", secrets);
    const [message, code, cause] = [
      text(field("message") ?? error),
      field("code"),
      copyError(field("cause"), depth + 1),
    ];
    const errors = quietly(() => findMembers(field("errors"))?.map((each) => copyError(each, depth + 1)));
    const options = cause && { cause };
    return Object.assign(
      errors ? new AggregateError(errors.filter(Boolean), message, options) : new Error(message, options),
      { name: text(field("name") ?? "Error") },
      typeof code === "string" && { code: text(code) },
    );
  };
  return copyError(thrown, 0);
}

function findMembers(errors: unknown): unknown[] | undefined {
  return Array.isArray(errors) ? errors.slice(0, maxErrors) : undefined;
}

/**
 * Returns a value of the caller's, such as the reason of an abort. If it may show a key, because it contains one anywhere or
 * because what it shows can't be known, returns a redacted copy.
 */
export function redactKeys(thrown: unknown, keys: Iterable<string>): unknown {
  const secrets = listForms(keys);
  const visited = new Set<unknown>();
  const shows = (value: unknown): boolean => {
    if (typeof value === "string" || typeof value === "symbol") return mentions(String(value), secrets);
    if (Object(value) !== value || visited.has(value)) return false;
    if (visited.add(value).size > 999 || !readable.test({}.toString.call(value))) return true;
    // Methods such as `toString` decide what is shown.
    const texts = [() => String(value), () => JSON.stringify(value)].map(quietly);
    return [...texts, ...listParts(Object(value))].some(shows);
  };
  if (quietly(() => shows(thrown)) === false) return thrown;
  return typeof thrown === "string" ? redactText(thrown, secrets) : redactError(thrown, keys);
}

/** Returns whether a text contains a key, however it is written. */
export function mentionsKey(text: string, keys: Iterable<string>): boolean {
  return mentions(text, listForms(keys));
}

/** Redacts a value of the caller, such as the reason of an abort, so that it is safe to log. Never throws. */
export type Redact = (thrown: unknown) => unknown;

/** Name of the property with the redactor of a part of a client. */
const redactor = Symbol();

/** Attaches a redactor to a part of a client, for functions that receive the client from their caller. */
export function registerRedactor(part: object, redact: Redact): void {
  Object.defineProperty(part, redactor, { value: redact });
}

/** Returns the redactor of a part of a client. A client of the caller's own has none: its values stay as they are. */
export function createRedactor(part: object & { readonly [redactor]?: Redact }): Redact {
  return part[redactor] ?? ((thrown) => thrown);
}

/** Objects whose content is in their properties. Of others, such as a `Map`, `Headers` or a `Promise`, it is out of reach. */
const readable = /^\[object (?:Object|Array|Error|DOMException)\]$/;

/** Returns names and values of properties: own ones, and those that are inherited but are not methods. */
function listParts(object: object): unknown[] {
  const parts: unknown[] = [];
  for (let at: unknown = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Reflect.ownKeys(Object(at))) {
      const value: unknown = Reflect.get(object, name);
      if (name === inspection) throw new Error("what it shows can't be known");
      if (at === object || typeof value !== "function") parts.push(name, value);
    }
  }
  return parts;
}

/** Name of the method that Node.js calls to inspect an object. */
const inspection = Symbol.for("nodejs.util.inspect.custom");

function quietly<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Length from which the base64 or hexadecimal form of a key is no ordinary text. */
const minEncodedLength = 6;

/** Returns all forms of all keys. */
function listForms(keys: Iterable<string>): readonly string[] {
  return [...keys].filter(Boolean).flatMap(formsOfKey);
}

/** Returns a key as it may stand in a text without escapes: as it is, as a form writes it, in hexadecimal, and in base64 wherever it stands in it. */
function formsOfKey(key: string): readonly string[] {
  const bytes = Array.from(new TextEncoder().encode(key));
  const binary = bytes.map((byte) => String.fromCharCode(byte)).join("");
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const encoded = [0, 1, 2].flatMap((before) => {
    const end = Math.floor(((before + bytes.length) * 8) / 6); // what follows depends on more than the key
    const own = btoa("\0".repeat(before) + binary).slice(Math.ceil((before * 8) / 6), end);
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const long = [hex, hex.toUpperCase(), ...encoded].filter(({ length }) => length >= minEncodedLength);
  return [key, key.replaceAll(" ", "+"), ...long];
}

/** Characters that HTML names. */
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Escapes of JSON strings, one level and all levels at once, percent-encoding, and entities of HTML; each within each other up to three times. */
const encodings: readonly ((text: string) => string)[] = [
  (text) =>
    text.replace(/(?<!\\)\\+(?:u([\da-f]{4})|(?=["/]))/gi, (_, code?: string) =>
      code ? String.fromCharCode(parseInt(code, 16)) : "",
    ),
  (text) =>
    text.replace(/\\(?:u([\da-f]{4})|(["\\/]))/gi, (_, code?: string, char?: string) =>
      code ? String.fromCharCode(parseInt(code, 16)) : (char ?? ""),
    ),
  (text) => text.replace(/(?:%[\da-f]{2})+/gi, decodePercents),
  (text) =>
    text.replace(
      /&(?:#(x?)([\da-f]{1,7})|(amp|lt|gt|quot|apos));/gi,
      (entity: string, x: string, digits: string, name?: string) =>
        (name ? named[name.toLowerCase()] : quietly(() => String.fromCodePoint(parseInt(digits, x ? 16 : 10)))) ??
        entity,
    ),
];

/** Decodes a run of percent-encoded bytes, those between bytes that are not UTF-8, too. */
function decodePercents(run: string): string {
  const bytes = run.slice(1).split("%");
  return new TextDecoder().decode(Uint8Array.from(bytes, (digits) => parseInt(digits, 16)));
}

/** Returns whether a text contains a form of a key, as it is or in what its escapes mean. */
function mentions(text: string, keys: readonly string[], depth = 3): boolean {
  if (keys.some((key) => text.includes(key))) return true;
  const meanings = new Set(depth > 0 ? encodings.map((decode) => decode(text)) : []);
  return [...meanings].some((meaning) => meaning !== text && mentions(meaning, keys, depth - 1));
}

/** Separators between a scheme and its token, also in a JSON string and percent-encoded. */
const gap = "(?:[\\s:+]|\\\\+[tnr]|\\\\+u00(?:20|09)|%(?:25)*(?:20|09)){1,9}";
const equals = "(?:[=:]>?|%(?:25)*3[da]|\\\\+u003[da])";

/** Returns what finds credentials: headers, to the end of their line; by authentication scheme; by name. A constant would not be tree-shaken. */
function credentialPatterns(): readonly RegExp[] {
  return [
    /((?:authorization|cookie)["']?\s{0,9}[:=]\s{0,9})[^\r\n]+/gi,
    new RegExp(`(\\b(?:bearer|basic|digest|negotiate|ntlm|apikey|aws4-hmac-sha256)${gap})[^\\s"'<>,]+`, "gi"),
    /(\btoken\s{1,9})[^\s"'<>,]{8,}/gi,
    new RegExp(
      `((?:token|key|secret|pass(?:w(?:or)?d|phrase|code)?|pwd|signature|\\bsig|\\bsid|session_?id|viewer_?url|credentials?|auth)[\\w-]{0,20}\\\\?["']?\\s{0,9}${equals}\\s{0,9}\\\\?)(?:"[^"\\\\]+|'[^'\\\\]+|[^\\s"'<>,;&]+)`,
      "gi",
    ),
  ];
}

/** Start of the query or fragment of an address, in any encoding. */
const queryMark = /([?#]|%(?:25)*(?:3f|23)|\\+u00(?:3f|23))[^]+/i;

function redactText(value: string, keys: readonly string[]): string {
  let text = value;
  for (const key of keys) text = text.replaceAll(key, "[redacted]");
  text = cut(text, keys).replace(/[^\s"'<>]+/g, (word) =>
    withoutCredentials(mentions(word, keys) ? "[redacted]" : word),
  );
  // A key that is more than a word, or that quotes divide.
  if (mentions(text, keys)) text = "[redacted]";
  for (const credential of credentialPatterns()) text = text.replace(credential, "$1[redacted]");
  return text;
}

/** Returns the beginning of a long text, without the word that the cut divides: it may be a key, or the password of an address. */
function cut(text: string, keys: readonly string[]): string {
  if (text.length <= maxLength) return text;
  // A key that is more than a word may reach over the cut.
  if (mentions(text.slice(0, 2 * maxLength), keys)) return "[redacted]";
  return /^[^]*[\s"'<>]/.exec(text.slice(0, maxLength))?.[0] ?? "[redacted]";
}

/** Removes user, password, query and fragment from a word of a text, such as an address. */
function withoutCredentials(word: string): string {
  const at = word.lastIndexOf("@");
  const before = word.slice(0, Math.max(0, at));
  const rest = /:|\/\//.test(before) ? `[redacted]${word.slice(at)}` : word;
  return rest.replace(queryMark, "$1[redacted]");
}
