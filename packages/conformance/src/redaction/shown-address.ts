/** Returns a URL for messages, or `[redacted]` when it may carry credentials: no part of such a URL is certainly harmless. */
export function redactAddress(text: string): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  const isBare = url && isWeb ? !(url.username || url.password || url.search || url.hash) : !/[@?#]/.test(text);
  return isBare ? text : "[redacted] (it carries credentials, a query or a fragment)";
}
