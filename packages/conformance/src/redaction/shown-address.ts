/**
 * An address as it may be shown. One that may carry credentials is not: what part of it is the secret can't be told for
 * sure, and no run takes it.
 */
export function shownAddress(text: string): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  const isBare = url && isWeb ? !(url.username || url.password || url.search || url.hash) : !/[@?#]/.test(text);
  return isBare ? text : "[redacted] (it carries credentials, a query or a fragment)";
}
