/** How many causes below a cause are kept. */
const maxDepth = 4;
/** What is longer is cut, in characters: what is left out below takes time that grows with it. */
const maxLength = 8192;

/**
 * A copy of what was thrown that is safe to log: name, message and `code`, and those of the causes below. Never throws.
 *
 * The keys, other credentials, and the queries of addresses are left out, and everything else that an error may carry, such
 * as the request, is not copied. What can't be read, such as a getter that throws, is passed over.
 */
export function safeCause(thrown: unknown, keys: Iterable<string>, depth = 0): unknown {
  if (thrown === undefined || depth > maxDepth) return undefined;
  const forms = [...keys].flatMap(formsOf);
  const field = (name: string): unknown => quietly(() => Reflect.get(Object(thrown), name));
  const text = (said: unknown): string =>
    redacted(quietly(() => String(said)) ?? "what was thrown can't be shown", forms);
  const code = field("code");
  const below = safeCause(field("cause"), keys, depth + 1);
  const copy = new Error(text(field("message") ?? thrown), below === undefined ? {} : { cause: below });
  return Object.assign(
    copy,
    { name: text(field("name") ?? "Error") },
    typeof code === "string" && { code: text(code) },
  );
}

function quietly<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** How a key may stand in a text: as it is, in JSON, in an address, and as a password of basic authentication can't be told. */
function formsOf(key: string): string[] {
  const forms = [key, JSON.stringify(key).slice(1, -1), quietly(() => encodeURIComponent(key)) ?? ""];
  return forms.filter((form) => form !== "");
}

/** A header that is a credential, to the end of its line; a credential by its scheme; one by its name. */
const credentials: readonly RegExp[] = [
  /((?:authorization|cookie)["']?\s{0,9}[:=]\s{0,9})[^\r\n]+/gi,
  /(\b(?:bearer|basic|digest|negotiate|ntlm|apikey|aws4-hmac-sha256)\s{1,9})[^\s"'<>,]+/gi,
  /(\btoken\s{1,9})[^\s"'<>,]{8,}/gi,
  /((?:token|key|secret|passw(?:or)?d|pwd|signature|\bsig|credentials?|auth)[\w-]{0,20}["']?\s{0,9}[=:]\s{0,9}["']?)[^\s"'<>,;&]+/gi,
];

function redacted(said: string, forms: readonly string[]): string {
  let text = said;
  for (const form of forms) text = text.replaceAll(form, "[redacted]");
  text = text.slice(0, maxLength).replace(/[^\s"'<>]+/g, withoutCredentials);
  for (const credential of credentials) text = text.replace(credential, "$1[redacted]");
  return text;
}

/** A word of a text, such as an address, without user, password, query and fragment. */
function withoutCredentials(word: string): string {
  const at = word.lastIndexOf("@");
  const rest = word.slice(0, Math.max(0, at)).includes(":") ? `[redacted]${word.slice(at)}` : word;
  return rest.replace(/([?#])[^]+/, "$1[redacted]");
}
