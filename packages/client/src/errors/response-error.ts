import { ClientError, isRecord, type ClientErrorCode, type Operation } from "./client-error.ts";
import type { FailedExtraction } from "../extraction/schema.ts";
import type { Redact } from "./redaction.ts";

/** The request of an attempt. */
interface Sent {
  readonly operation: Operation;
  /** Its URL, safe to log. */
  readonly url: string;
}

/**
 * Creates the error of a status other than 2xx.
 *
 * @param redact - makes what the service says about the key safe to log
 */
export function statusError(response: Response, { operation, url }: Sent, redact: Redact, body?: unknown): ClientError {
  const { status } = response;
  const code = codes[status] ?? (status >= 500 ? "server" : "unexpected-status");
  const advice =
    code === "authentication"
      ? hintIn(body, redact) || "the service does not accept the API key"
      : status < 500 && /\/sessions\/[^/]*%2F/i.test(url)
        ? "the session id has a slash; pass the id alone"
        : status === 404 && operation === "automation_start"
          ? "automationWord sets the word in this path"
          : "";
  return new ClientError(code, `${url} answered with ${status}${advice && `: ${advice}`}`, { response, body });
}

const codes: Readonly<Record<number, ClientErrorCode>> = {
  400: "bad-request",
  401: "authentication",
  403: "authentication",
  404: "not-found",
  422: "validation",
  429: "rate-limited",
  502: "upstream",
};

/** Returns the message of a service from the usual field: one line, safe to log and to print. */
export function hintIn(body: unknown, redact: Redact): string {
  for (const name of ["detail", "message", "error"]) {
    const hint = isRecord(body) ? body[name] : undefined;
    if (isRecord(hint)) return hintIn(hint, redact);
    if (typeof hint === "string") return writeLine(hint, redact);
  }
  return "";
}

/** Returns a message that says why an extraction failed, without quoting the data. */
export function describeExtractionFailure(extraction: FailedExtraction, redact: Redact): string {
  const { reason } = extraction;
  if (reason === "missing") return "extraction failed: the service sent no data";
  if (reason === "failed") {
    const sentence = extraction.error && writeLine(extraction.error, redact);
    return `extraction failed: ${sentence || "the service does not say why"}`;
  }
  const { length } = extraction.issues;
  return `extraction failed: the data do not match response_format (${length} issue${length === 1 ? "" : "s"}, in error.extraction)`;
}

/** Returns a text of the service as one line of up to 300 characters, safe to log and to print. */
export function writeLine(text: string, redact: Redact): string {
  const safe = redact(new Error(text));
  const line = safe instanceof Error ? safe.message.replace(/[\s\p{C}]+/gu, " ").trim() : "";
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/**
 * Creates the error of a 2xx response with an invalid body.
 *
 * @param what - describes the body
 */
export function unexpectedContent(url: string, response: Response, what: string, body?: unknown): ClientError {
  const { status, headers } = response;
  const [type] = /^[\w.+-]+\/[\w.+-]+/.exec(headers.get("content-type") ?? "") ?? ["no content type"];
  return new ClientError("unexpected-content", `${url} answered with ${status} and ${what} (${type.slice(0, 60)})`, {
    response,
    body,
  });
}

/** Describes a body that is not a JSON object, or not the expected one; `wrong` says why. */
export function describeBody(body: unknown, wrong: string): string {
  if (typeof body !== "string") return isRecord(body) ? `JSON in which ${wrong}` : "JSON that is not an object";
  if (!body.trim()) return "an empty body";
  return /^\s*<(?!\?xml)/.test(body) ? "HTML instead of JSON: is this the URL of the API?" : "a body that is not JSON";
}
