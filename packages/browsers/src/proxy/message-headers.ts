/** Headers that are for the next machine only, and never passed on (RFC 9110, 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that nobody can have dropped by naming them in `Connection`: messages would run into each other. */
const framing: ReadonlySet<string> = new Set(["content-length", "host"]);

/**
 * Returns the end-to-end headers of a message, as written, and in order but for a length.
 *
 * @param raw - One name and one value after the other.
 * @param without - Further names to leave out, in lower case.
 */
export function endToEndHeaders(raw: readonly string[], without: readonly string[] = []): string[] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? "" }] : []));
  const named = pairs
    .filter(({ name }) => name.toLowerCase() === "connection")
    .flatMap(({ value }) => value.split(",").map((token) => token.trim().toLowerCase()));
  const dropped = new Set([...hopByHop, ...named.filter((name) => !framing.has(name)), ...without]);
  const kept = pairs.filter(({ name }) => !dropped.has(name.toLowerCase()));
  return withLengthAfterFileName(kept).flatMap(({ name, value }) => [name, value]);
}

interface Header {
  readonly name: string;
  readonly value: string;
}

/** Once Node has written a length, it takes bytes above 127 of `Content-Disposition` for UTF-8, and spoils or refuses them. */
function withLengthAfterFileName(headers: readonly Header[]): readonly Header[] {
  const isLength = ({ name }: Header): boolean => name.toLowerCase() === "content-length";
  const isSpoiled = headers.some(
    ({ name, value }) => name.toLowerCase() === "content-disposition" && /[^\0-\x7f]/.test(value),
  );
  return isSpoiled ? [...headers.filter((one) => !isLength(one)), ...headers.filter(isLength)] : headers;
}
