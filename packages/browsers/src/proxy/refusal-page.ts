import { STATUS_CODES } from "node:http";
import type { Refusal, RefusalReason } from "./egress-policy.ts";
import type { ConnectFailure } from "./dns-pinning.ts";

/** An error page of the proxy. */
export interface ErrorPage {
  /** HTTP status. */
  readonly status: number;
  /** The whole page, as HTML. */
  readonly body: string;
  /** Headers: names and values, alternating. */
  readonly headers: readonly string[];
}

const statusOf: Readonly<Record<RefusalReason, number>> = {
  scheme: 400,
  "odd-host": 403,
  "not-global": 403,
  denied: 403,
  "forbidden-port": 403,
  unresolvable: 502,
  busy: 503,
};

/** Error page for a refused request. */
export function refusalPage({ reason, message }: Refusal): ErrorPage {
  const isPolicy = reason === "not-global";
  return page(statusOf[reason], isPolicy ? "Address blocked" : "Page can't be opened", message);
}

/** Error page for a server that could not be reached. */
export function unreachablePage(failure: ConnectFailure): ErrorPage {
  return failure === "timeout"
    ? page(504, "Gateway timeout", "The server did not respond in time.")
    : page(502, "Bad gateway", "The server could not be reached, or its response was malformed.");
}

/** Error page for a malformed proxy request. */
export function malformedPage(): ErrorPage {
  return page(400, "Not a proxy request", "This is the forward proxy for the browsers of this service.");
}

/** Error page for too many pending requests. */
export function busyPage(): ErrorPage {
  return page(503, "Too many requests", "Too many pending requests; try again in a moment.");
}

/** Serializes an error page as an HTTP message that closes its connection. */
export function httpMessageOf({ status, headers, body }: ErrorPage): string {
  const lines = headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}Connection: close\r\n\r\n${body}`;
}

function page(status: number, title: string, text: string): ErrorPage {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${escaped(text)}</p></html>\n`;
  const headers = [
    ["Content-Type", "text/html; charset=utf-8"],
    ["Content-Length", String(Buffer.byteLength(body))],
    ["Content-Security-Policy", "default-src 'none'; sandbox"],
    ["Cache-Control", "no-store"],
  ].flat();
  return { status, body, headers };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
