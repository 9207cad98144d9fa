/** Hop-by-hop headers, which are not forwarded (RFC 9110, 7.6.1), in lower case. */
export const hopByHopHeaders: ReadonlySet<string> = new Set([
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

/** Headers that `Connection` must not remove: they frame the message. */
const framing: ReadonlySet<string> = new Set(["content-length", "host"]);

/**
 * Returns the end-to-end headers of a message, unchanged and in their order, except for `Content-Length`.
 *
 * @param raw - Names and values, alternating, as in `rawHeaders`.
 * @param without - Further names to drop, in lower case.
 */
export function endToEndHeaders(raw: readonly string[], without: readonly string[] = []): string[] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? "" }] : []));
  const named = pairs
    .filter(({ name }) => name.toLowerCase() === "connection")
    .flatMap(({ value }) => value.split(",").map((token) => token.trim().toLowerCase()));
  const dropped = new Set([...hopByHopHeaders, ...named.filter((name) => !framing.has(name)), ...without]);
  const remaining = pairs.filter(({ name }) => !dropped.has(name.toLowerCase()));
  return withContentLengthLast(remaining).flatMap(({ name, value }) => [name, value]);
}

interface Header {
  readonly name: string;
  readonly value: string;
}

/** Moves `Content-Length` to the end: after it, Node.js encodes non-ASCII bytes of `Content-Disposition` as UTF-8. */
function withContentLengthLast(headers: readonly Header[]): readonly Header[] {
  const isLength = ({ name }: Header): boolean => name.toLowerCase() === "content-length";
  const hasNonAsciiFileName = headers.some(
    ({ name, value }) => name.toLowerCase() === "content-disposition" && /[^\0-\x7f]/.test(value),
  );
  return hasNonAsciiFileName ? [...headers.filter((one) => !isLength(one)), ...headers.filter(isLength)] : headers;
}
