import { ClientError } from "./client-error.ts";

/** Meaning of the error codes of Node.js, Bun and browsers, and of the messages of Deno: the first match. */
const reasons: readonly (readonly [signs: RegExp, meaning: string])[] = [
  [/connection ?refused|ECONNREFUSED/i, "connection refused: is the service running there?"],
  [/ENOTFOUND|EAI_|dns error/i, "host name not found"],
  [/CERT|self[ _-]signed|UNABLE_TO|UnknownIssuer/i, "TLS certificate not trusted"],
  [/SSL|TLS|EPROTO/, "TLS handshake failed: is it a server for https?"],
  [/(?:HEADERS|BODY)_TIMEOUT/, "time limit of fetch itself expired"],
  [/TIMEDOUT|CONNECT_TIMEOUT|timed out/i, "connection timed out"],
  [/E(?:HOST|NET)UNREACH/, "host unreachable"],
  [/HPE_|match the HTTP/, "response is not HTTP"],
];

/**
 * Creates the error of a connection that failed, or was lost.
 *
 * @param url - that of the request, safe to log
 * @param cause - what `fetch` threw, safe to log
 */
export function connectionError(url: string, cause: unknown, response?: Response): ClientError {
  const errors = listCauses(cause);
  const codes = errors.flatMap(({ code }) => (typeof code === "string" && /^[A-Z]\w{2,40}$/i.test(code) ? code : []));
  // The innermost knows best: those around it often say only that fetch failed.
  const code = codes.findLast((each) => findMeaning(each)) ?? codes.at(-1);
  const meaning = response ? undefined : findMeaning(code ?? errors.map(({ message }) => message).join());
  const unknown = response || code ? "connection closed before the response was complete" : "no response";
  return new ClientError("network", `${url}: ${meaning ?? unknown}${code ? ` (${code})` : ""}`, { cause, response });
}

function findMeaning(words: string): string | undefined {
  return reasons.find(([signs]) => signs.test(words))?.[1];
}

/** An error, its causes, and the members of an `AggregateError`. */
function listCauses(thrown: unknown): readonly (Error & { readonly code?: unknown })[] {
  if (!(thrown instanceof Error)) return [];
  const { cause, errors = [] }: Error & { readonly errors?: readonly unknown[] } = thrown;
  return [thrown, ...listCauses(cause), ...errors.flatMap(listCauses)];
}
