import type { DevtoolsMessage } from "./message-reader.ts";
import { isFields, parseMessage, asText, type Fields } from "./message.ts";

/** Returns the error to report for a failed request of the browser. */
export type RenameError = (url: string, reported: string) => string;

/** Most requests whose URL is kept. */
const maxRequests = 10_000;
/** Longest beginning of a URL that is kept, in bytes: its host is in that. */
const maxUrlBytes = 300;
/** Longest response of a command that can fail by the network, in bytes. */
const maxResponseBytes = 2_048;

/** Text before the URL of a request, as Chromium writes it; quotation marks of a page are escaped. */
const urlStarts: Readonly<Record<string, string>> = {
  "Network.requestWillBeSent": `"request":{"url":"`,
  "Network.webSocketCreated": `"url":"`,
};
const requestHead = /^\{"method":"Network\.[A-Za-z]+","params":\{"requestId":"([^"\\]+)"/;
const failedResponse = `"responseErrorReason":"Failed"`;
const navigationError = `"errorText":"net::`;

/**
 * Rewrites the errors of failed requests in messages of a browser, for all that read them: each is reported in several events and in the
 * response to a navigation, some of which name the request only.
 */
export class FailedRequests {
  readonly #rename: RenameError;
  /** Beginning of the URL of each request. */
  readonly #urls = new Map<string, string>();

  constructor(rename: RenameError) {
    this.#rename = rename;
  }

  /** Reads a message; returns it with errors renamed, most of them unchanged. */
  read(message: DevtoolsMessage, method: string | undefined): DevtoolsMessage {
    if (message.bytes.length !== message.length) return message;
    const bytes = this.#read(message.bytes, method);
    return bytes === message.bytes ? message : { bytes, length: bytes.length };
  }

  #read(bytes: Buffer, method: string | undefined): Buffer {
    switch (method) {
      case undefined:
        return bytes.length <= maxResponseBytes && bytes.includes(navigationError)
          ? rewriteMessage(bytes, "result", (result) => this.#navigation(result))
          : bytes;
      case "Network.requestWillBeSent":
      case "Network.webSocketCreated":
        this.#add(bytes, urlStarts[method] ?? "");
        return bytes;
      case "Network.loadingFinished":
        this.#urls.delete(getRequestId(bytes));
        return bytes;
      case "Network.loadingFailed":
        return rewriteMessage(bytes, "params", (failed) => this.#withRenamed(failed, "errorText", "requestId"));
      case "Network.webSocketFrameError":
        return rewriteMessage(bytes, "params", (failed) => this.#withRenamed(failed, "errorMessage", "requestId"));
      case "Fetch.requestPaused":
        return bytes.includes(failedResponse)
          ? rewriteMessage(bytes, "params", (paused) => this.#paused(paused))
          : bytes;
      case "Log.entryAdded":
        return bytes.includes("failed: ") || bytes.includes("net::")
          ? rewriteMessage(bytes, "params", ({ entry }) => ({ entry: isFields(entry) ? this.#entry(entry) : entry }))
          : bytes;
      default:
        return bytes;
    }
  }

  #add(bytes: Buffer, before: string): void {
    const start = bytes.indexOf(before) + before.length;
    const url = bytes.toString("latin1", start, start + maxUrlBytes).split('"', 1)[0] ?? "";
    if (!/^(?:http|ws)s?:/.test(url)) return;
    const request = getRequestId(bytes);
    this.#urls.delete(request);
    const [oldest] = this.#urls.size >= maxRequests ? this.#urls.keys() : [];
    if (oldest !== undefined) this.#urls.delete(oldest);
    this.#urls.set(request, url);
  }

  #navigation(result: Fields): Fields {
    return this.#withRenamed(result, "errorText", "loaderId");
  }

  #withRenamed(fields: Fields, name: string, id: string): Fields {
    const url = this.#urls.get(asText(fields[id]) ?? "");
    const reported = asText(fields[name]);
    return url === undefined || reported === undefined ? fields : { ...fields, [name]: this.#rename(url, reported) };
  }

  #paused(paused: Fields): Fields {
    const { request, responseErrorReason: reported } = paused;
    const url = isFields(request) ? (asText(request["url"]) ?? "") : "";
    return { ...paused, responseErrorReason: this.#rename(url, asText(reported) ?? "") };
  }

  #entry(entry: Fields): Fields {
    const text = asText(entry["text"]) ?? "";
    const [, socket] = /^WebSocket connection to '([^']+)' failed: /.exec(text) ?? [];
    return { ...entry, text: this.#rename(socket ?? asText(entry["url"]) ?? "", text) };
  }
}

function getRequestId(bytes: Buffer): string {
  return requestHead.exec(bytes.toString("latin1", 0, 160))?.[1] ?? "";
}

function rewriteMessage(bytes: Buffer, part: "params" | "result", change: (fields: Fields) => Fields): Buffer {
  const message = parseMessage(bytes.toString());
  const fields = message?.[part];
  if (!isFields(fields)) return bytes;
  return Buffer.from(JSON.stringify({ ...message, [part]: change(fields) }));
}
