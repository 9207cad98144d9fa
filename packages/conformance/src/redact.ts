import type { Operation } from "./request-plan.ts";

/** Stands where a secret stood. */
const redacted = "[redacted]";

/** Takes secrets out of text before it is recorded. Source: ours. */
export type Redact = (text: string, operation: Operation) => string;

/** The query of an absolute address: presigned addresses carry their credential there. */
const addressQuery = /(https?:\/\/[^\s"'<>\\?#]+)\?[^\s"'<>\\]*/gi;
/** The value of a cookie, in the body of the cookies operation. */
const cookieValue = /("value"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;
/** The address at which a session can be watched, wherever an event carries it. */
const viewerUrl = /("viewer_url"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/** Headers whose value is a credential. */
const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "set-cookie",
  "x-api-key",
]);

/**
 * Makes the redaction of one run.
 *
 * By value: the API key, as it is, URL-encoded, JSON-escaped and in base64. By place: cookie values, queries of
 * addresses, `viewer_url`.
 *
 * Source: ours.
 */
export function createRedact(apiKey: string): Redact {
  const forms = keyForms(apiKey);
  return (text, operation) => {
    const withoutKey = forms.reduce((rest, form) => rest.replaceAll(form, redacted), text);
    const withoutQueries = withoutKey.replace(addressQuery, `$1?${redacted}`);
    const byOperation = operation === "session_cookies" ? cookieValue : viewerUrl;
    return withoutQueries.replace(byOperation, `$1"${redacted}"`);
  };
}

function keyForms(key: string): string[] {
  const base64 = Buffer.from(key).toString("base64");
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), base64, base64.replace(/=+$/, "")];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** A header value that may be shown. Source: ours. */
export function redactHeader(name: string, value: string, redact: Redact, operation: Operation): string {
  if (!secretHeaders.has(name.toLowerCase())) return redact(value, operation);
  const scheme = /^(Bearer|Basic) /i.exec(value)?.[0] ?? "";
  return `${scheme}${redacted}`;
}
