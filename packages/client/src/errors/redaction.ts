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
  const forms = [...keys].flatMap(formsOf);
  let left = maxErrors;
  const copyOf = (error: unknown, depth: number): Error | undefined => {
    if (error === undefined || depth > maxDepth || left-- <= 0) return undefined;
    const field = (name: string): unknown => quietly(() => Reflect.get(Object(error), name));
    const text = (said: unknown): string =>
      redacted(quietly(() => String(said)) ?? "the thrown value can't be shown", forms);
    const [message, code, cause] = [text(field("message") ?? error), field("code"), copyOf(field("cause"), depth + 1)];
    const errors = quietly(() => membersOf(field("errors"))?.map((each) => copyOf(each, depth + 1)));
    const options = cause && { cause };
    return Object.assign(
      errors ? new AggregateError(errors.filter(Boolean), message, options) : new Error(message, options),
      { name: text(field("name") ?? "Error") },
      typeof code === "string" && { code: text(code) },
    );
  };
  return copyOf(thrown, 0);
}

function membersOf(errors: unknown): unknown[] | undefined {
  return Array.isArray(errors) ? errors.slice(0, maxErrors) : undefined;
}

/**
 * Returns a value of the caller's, such as the reason of an abort. If it may show a key, because it contains one anywhere or
 * because what it shows can't be known, returns a redacted copy.
 */
export function redactKeys(thrown: unknown, keys: Iterable<string>): unknown {
  const forms = [...keys].flatMap(formsOf);
  const seen = new Set<unknown>();
  const shows = (value: unknown): boolean => {
    if (typeof value === "string" || typeof value === "symbol")
      return forms.some((form) => String(value).includes(form));
    if (Object(value) !== value || seen.has(value)) return false;
    if (seen.add(value).size > 999 || !readable.test({}.toString.call(value))) return true;
    // Methods such as `toString` decide what is shown.
    const texts = [() => String(value), () => JSON.stringify(value)].map(quietly);
    return [...texts, ...partsOf(Object(value))].some(shows);
  };
  if (quietly(() => shows(thrown)) === false) return thrown;
  return typeof thrown === "string" ? redacted(thrown, forms) : redactError(thrown, keys);
}

/** Makes a value of the caller's, such as the reason of an abort, safe to log. Never throws. */
export type Redact = (thrown: unknown) => unknown;

/** Names what knows the keys of a part of a client, in that part itself. */
const redactor = Symbol();

/** Gives a part of a client what knows its keys, for functions that get the client from their caller. */
export function registerRedactor(part: object, redact: Redact): void {
  Object.defineProperty(part, redactor, { value: redact });
}

/** Returns what knows the keys of a part of a client. A client of the caller's own has none that are known: its values stay as they are. */
export function redactorOf(part: object & { readonly [redactor]?: Redact }): Redact {
  return part[redactor] ?? ((thrown) => thrown);
}

/** Objects whose content is in their properties. Of others, such as a `Map`, `Headers` or a `Promise`, it is out of reach. */
const readable = /^\[object (?:Object|Array|Error|DOMException)\]$/;

/** Returns names and values of properties: own ones, and those that are inherited but are not methods. */
function partsOf(object: object): unknown[] {
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

/** Name of the method that decides what the console of Node.js shows. */
const inspection = Symbol.for("nodejs.util.inspect.custom");

function quietly<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Encodings in which a key is found in a text: verbatim, in JSON, in a URL. In basic authentication it can't be recognized. */
function formsOf(key: string): string[] {
  const forms = [key, JSON.stringify(key).slice(1, -1), quietly(() => encodeURIComponent(key)) ?? ""];
  return forms.filter((form) => form !== "");
}

/** Credentials: headers, to the end of their line; by authentication scheme; by name. */
const credentials: readonly RegExp[] = [
  /((?:authorization|cookie)["']?\s{0,9}[:=]\s{0,9})[^\r\n]+/gi,
  /(\b(?:bearer|basic|digest|negotiate|ntlm|apikey|aws4-hmac-sha256)[\s:]{1,9})[^\s"'<>,]+/gi,
  /(\btoken\s{1,9})[^\s"'<>,]{8,}/gi,
  /((?:token|key|secret|pass(?:w(?:or)?d|phrase|code)?|pwd|signature|\bsig|\bsid|session_?id|credentials?|auth)[\w-]{0,20}\\?["']?\s{0,9}(?:[=:]>?|%3d)\s{0,9}\\?)(?:"[^"\\]+|'[^'\\]+|[^\s"'<>,;&]+)/gi,
];

function redacted(said: string, forms: readonly string[]): string {
  let text = said;
  for (const form of forms) text = text.replaceAll(form, "[redacted]");
  text = text.slice(0, maxLength).replace(/[^\s"'<>]+/g, withoutCredentials);
  for (const credential of credentials) text = text.replace(credential, "$1[redacted]");
  return text;
}

/** Removes user, password, query and fragment from a word of a text, such as a URL. */
function withoutCredentials(word: string): string {
  const at = word.lastIndexOf("@");
  const rest = word.slice(0, Math.max(0, at)).includes(":") ? `[redacted]${word.slice(at)}` : word;
  return rest.replace(/([?#])[^]+/, "$1[redacted]");
}
