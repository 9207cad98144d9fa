import { request as requestOverHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as requestOverHttps } from "node:https";
import type { Probe } from "./check.ts";
import type { RequestPlan } from "./request-plan.ts";
import { EventStreamScanner } from "./event-stream.ts";
import { mediaType, type BodyEnd, type Chunk, type Exchange, type RawResponse } from "./exchange.ts";
import type { Target } from "./target.ts";

/** Bounds of one request. Times are in milliseconds, sizes in bytes. Source: ours. */
export interface Limits {
  /** From sending to the end of a response that is not a stream. Default: 120,000. */
  readonly timeoutMs: number;
  /** The same for an event stream: agents take minutes. Default: 900,000. */
  readonly streamTimeoutMs: number;
  /** How long a stream may stay open after its terminal event; the interface names no time. Default: 5,000. */
  readonly closeGraceMs: number;
  /** Largest body that is read. Default: 64 MiB. */
  readonly maxBodyBytes: number;
}

/** The limits that hold unless a run is given others. Source: ours. */
export const defaultLimits: Limits = {
  timeoutMs: 120_000,
  streamTimeoutMs: 900_000,
  closeGraceMs: 5_000,
  maxBodyBytes: 64 * 1024 * 1024,
};

/** A key that no target can know: it is not derived from the real one. */
const wrongKey = "cloud-browser-conformance-key-that-is-not-valid";

/** Called for each line of an event stream that carries data, while it is read. Source: ours. */
export type StreamProgress = (dataLines: number) => void;

/**
 * Sends one request and records what came back, byte for byte, with arrival times.
 *
 * Follows no redirect, decodes no content encoding, retries nothing, reuses no connection. Never throws: an exchange without a response
 * says why.
 *
 * Source: ours.
 */
export async function exchangeWith(
  target: Target,
  probe: Probe,
  limits: Limits,
  onProgress?: StreamProgress,
): Promise<Exchange> {
  const plan = probe.request(target);
  const url = `${probe.operation === "automation_start" ? target.automationUrl : target.baseUrl}${plan.path}`;
  const requestHeaders = headersFor(plan, target);
  const startedAt = new Date();
  const start = performance.now();
  const result = await send(url, plan, requestHeaders, start, limits, onProgress);
  const base = { id: probe.id, operation: probe.operation, url, plan, requestHeaders, startedAt };
  return { ...base, durationMs: performance.now() - start, ...result };
}

function headersFor(plan: RequestPlan, target: Target): Record<string, string> {
  const headers: Record<string, string> = { accept: "*/*", "user-agent": "cloud-browser-conformance" };
  if (plan.credentials !== "none") {
    headers["authorization"] = `Bearer ${plan.credentials === "key" ? target.apiKey : wrongKey}`;
  }
  if (plan.body !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-length"] = String(Buffer.byteLength(plan.body));
  }
  return { ...headers, ...plan.headers };
}

type Result = Pick<Exchange, "response" | "failure">;

function send(
  url: string,
  plan: RequestPlan,
  headers: Record<string, string>,
  start: number,
  limits: Limits,
  onProgress: StreamProgress | undefined,
): Promise<Result> {
  return new Promise((resolve) => {
    const request = open(url, plan, headers);
    const timer = setTimeout(() => {
      request.destroy();
      resolve({ failure: { code: "timeout", message: `no response within ${limits.timeoutMs / 1000} s` } });
    }, limits.timeoutMs);
    let connected = false;
    request.once("socket", (socket) => {
      socket.once(url.startsWith("https:") ? "secureConnect" : "connect", () => (connected = true));
    });
    request.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ failure: { code: connected ? "reset" : "unreachable", message: reasonOf(error) } });
    });
    request.once("response", (message: IncomingMessage) => {
      clearTimeout(timer);
      void readBody(message, start, limits, onProgress).then((response) => {
        request.destroy();
        resolve({ response });
      });
    });
    request.end(plan.body);
  });
}

/** `agent: false` gives each request a connection of its own, so that no exchange depends on another. */
function open(url: string, plan: RequestPlan, headers: Record<string, string>): ClientRequest {
  const options = { method: plan.method, headers, agent: false, maxHeaderSize: 64 * 1024 };
  return url.startsWith("https:") ? requestOverHttps(url, options) : requestOverHttp(url, options);
}

/** Node.js leaves the message empty when every address of a name failed; its code says more then. */
function reasonOf(error: NodeJS.ErrnoException): string {
  return error.message || error.code || "the connection failed";
}

/** Reads until the target ends the body, or one of the limits is reached. */
function readBody(
  message: IncomingMessage,
  start: number,
  limits: Limits,
  onProgress: StreamProgress | undefined,
): Promise<RawResponse> {
  return new Promise((resolve) => {
    const headers = pairs(message.rawHeaders);
    const chunks: Chunk[] = [];
    const head = { status: message.statusCode ?? 0, headers, chunks };
    const stream =
      mediaType({ ...head, end: "complete" }) === "text/event-stream" ? new EventStreamScanner() : undefined;
    const finish = (end: BodyEnd): void => {
      clearTimeout(total);
      clearTimeout(grace);
      message.destroy();
      resolve({ ...head, end });
    };
    let size = 0;
    let grace: NodeJS.Timeout | undefined;
    const totalMs = stream ? limits.streamTimeoutMs : limits.timeoutMs;
    const total = setTimeout(() => finish("timeout"), totalMs - (performance.now() - start));
    message.on("data", (bytes: Buffer) => {
      size += bytes.length;
      if (size > limits.maxBodyBytes) return finish("too-large");
      chunks.push({ atMs: performance.now() - start, bytes });
      if (!stream) return;
      stream.feed(bytes);
      onProgress?.(stream.dataLines);
      if (stream.sawTerminalEvent) grace ??= setTimeout(() => finish("still-open"), limits.closeGraceMs);
    });
    message.once("end", () => finish(message.complete ? "complete" : "reset"));
    message.once("error", () => finish("reset"));
    message.once("close", () => finish(message.complete ? "complete" : "reset"));
  });
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : [],
  );
}
