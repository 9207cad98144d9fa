/** How many causes below a cause are kept. */
const maxDepth = 4;

/** What is kept of an error; nothing is sure of what others throw, which may be of another realm. */
interface Said {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
}

/**
 * A copy of what was thrown that is safe to log: name, message and `code`, and those of the causes below.
 *
 * The key, other bearer credentials and the queries of addresses are left out, and everything else that
 * an error may carry, such as the request, is not copied.
 */
export function safeCause(thrown: unknown, key: string, depth = 0): unknown {
  if (thrown === undefined || depth > maxDepth) return undefined;
  const { name = "Error", message = thrown, code, cause }: Said = Object(thrown);
  const safe = (said: unknown): string =>
    String(said)
      .replaceAll(key || "\0", "[redacted]")
      .replace(/(\b(?:bearer|basic)\s+|\?)[^\s"'<>,]+/gi, "$1[redacted]");
  const below = safeCause(cause, key, depth + 1);
  const copy = new Error(safe(message), below === undefined ? {} : { cause: below });
  return Object.assign(copy, { name: safe(name) }, typeof code === "string" && { code: safe(code) });
}
