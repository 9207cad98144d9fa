import { Agent, request as requestOverHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as SecureAgent, request as requestOverHttps } from "node:https";
import type { Probe } from "./probe.ts";
import { makeCredentialParts } from "./credentials.ts";
import type { Operation } from "../contract/contract.ts";
import type { RequestPlan } from "./request-plan.ts";
import type { Exchange, Expectation } from "./exchange.ts";
import type { Limits } from "./limits.ts";
import { headerInOwnWords, pathInOwnWords } from "./own-words.ts";
import { readBody, type ReadingOptions } from "./read-body.ts";
import type { Target } from "../target/target.ts";

/** A request as it goes over the wire: the target's addresses, key and headers are filled in. */
export interface Outgoing {
  /** Id of the probe. */
  readonly id: string;
  /** Operation that is called. */
  readonly operation: Operation;
  /** Request as the probe planned it. */
  readonly plan: RequestPlan;
  /** Address with path and query. */
  readonly url: string;
  /** Expected result. */
  readonly expects: Expectation;
  /** True when a target that conforms answers with a stream. */
  readonly startsRun: boolean;
  /** All headers, the credentials among them; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `kept`: over the connection that the `kept` request before it left open. Default: a connection of its own. */
  readonly connection?: Probe["connection"];
}

/** Makes the request of a probe for one target; sends nothing. */
export function makeOutgoing(target: Target, probe: Probe): Outgoing {
  const { id, operation, expects, startsRun = false, request, connection = "own" } = probe;
  const plan = request(target);
  const address = operation === "automation_start" ? target.automationUrl : target.baseUrl;
  return {
    id,
    operation,
    expects,
    startsRun,
    plan,
    url:
      plan.url ??
      withQuery(
        `${address}${pathInOwnWords(plan.path, target)}`,
        makeCredentialParts(plan.credentials, target.apiKey).query,
      ),
    headers: headersFor(plan, target),
    connection,
  };
}

function withQuery(url: string, query: string): string {
  if (query === "") return url;
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}

/** Result of transmitting a request. */
export interface Transmission {
  /** The request with its response, or the reason why none came. */
  readonly exchange: Exchange;
  /** True when any byte of an answer came. */
  readonly answered: boolean;
}

/** The one connection that `kept` requests share, one after the other. */
export class KeepAliveConnection implements Disposable {
  readonly #http = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #https = new SecureAgent({ keepAlive: true, maxSockets: 1 });

  /** Returns the agent that keeps the connection open, for the scheme of an address. */
  agentFor(url: string): Agent {
    return url.startsWith("https:") ? this.#https : this.#http;
  }

  /** Closes the connection. */
  [Symbol.dispose](): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** Options of transmitting a request. */
export interface TransmitOptions extends ReadingOptions {
  /** The connection of `kept` requests; without it each has its own. */
  readonly keptConnection?: KeepAliveConnection;
}

/** Transmits a request to a target. */
export type Transmit = (outgoing: Outgoing, limits: Limits, options?: TransmitOptions) => Promise<Transmission>;

/**
 * Sends one request and records what came back, byte for byte, with arrival times.
 *
 * Undoes content codings, follows no redirect, retries nothing, reuses no connection but the kept one for requests that want it. The sender
 * decides whether a request may be sent. Never throws: an exchange without a response has the reason.
 */
export async function transmit(
  outgoing: Outgoing,
  limits: Limits,
  options: TransmitOptions = {},
): Promise<Transmission> {
  const { id, operation, expects, plan, url, headers, connection = "own" } = outgoing;
  const startedAt = new Date();
  const start = performance.now();
  const { answered, ...result } = await send(outgoing, start, limits, options);
  const base = { id, operation, expects, url, plan, requestHeaders: headers, connection, startedAt };
  return { exchange: { ...base, durationMs: performance.now() - start, ...result }, answered };
}

function headersFor(plan: RequestPlan, target: Target): Record<string, string> {
  const headers: Record<string, string> = {
    accept: "*/*",
    "accept-encoding": "identity",
    "user-agent": "cloud-browser-conformance",
  };
  if (plan.url !== undefined) return headers;
  if (plan.body !== undefined) {
    if (plan.withoutMediaType !== true) headers["content-type"] = "application/json";
    headers["content-length"] = String(Buffer.byteLength(plan.body));
  }
  Object.assign(headers, lowerCased(target.headers));
  const own = Object.entries(plan.headers ?? {}).map(([name, value]) => [headerInOwnWords(name, target), value]);
  return Object.assign(
    headers,
    makeCredentialParts(plan.credentials, target.apiKey).headers,
    lowerCased(Object.fromEntries(own)),
  );
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

type Result = Pick<Exchange, "response" | "failure"> & Pick<Transmission, "answered">;

function send(
  outgoing: Outgoing,
  start: number,
  limits: Limits,
  { onEvent, signal, keptConnection, memory }: TransmitOptions,
): Promise<Result> {
  const { url, plan } = outgoing;
  return new Promise((resolve) => {
    const request = open(outgoing, keptConnection);
    let bytesBefore = 0;
    let connected = false;
    let begun = false;
    const fail = (code: NonNullable<Exchange["failure"]>["code"], message: string): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
      request.destroy();
      resolve({ failure: { code, message }, answered: (request.socket?.bytesRead ?? 0) > bytesBefore });
    };
    const interrupt = (): void => fail("interrupted", "the run was interrupted");
    const timer = setTimeout(
      () => fail("timeout", `no ${connected ? "response" : "connection"} within ${limits.timeoutMs / 1000} s`),
      limits.timeoutMs,
    );
    signal?.addEventListener("abort", interrupt, { once: true });
    request.once("socket", (socket) => {
      bytesBefore = socket.bytesRead;
      // A request that waited for the kept connection gets its socket without being told that it was used before.
      connected = request.reusedSocket || socket.bytesRead > 0;
      if (!connected) socket.once(url.startsWith("https:") ? "secureConnect" : "connect", () => (connected = true));
    });
    // Once a response has begun, what came of it is kept, and the end of its body tells that it was reset.
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (!begun) fail(connected ? "reset" : "unreachable", describeFailure(error));
    });
    request.once("response", (message: IncomingMessage) => {
      begun = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
      const accompanied = { ...(onEvent && { onEvent }), ...(signal && { signal }), ...(memory && { memory }) };
      const reading = { start, streamWanted: outgoing.startsRun, isDownload: plan.url !== undefined, ...accompanied };
      void readBody(message, limits, reading).then((response) => {
        if (response.end !== "complete" || outgoing.connection !== "kept") request.destroy();
        resolve({ response, answered: true });
      });
    });
    // With a text Node.js would write the header in UTF-8, too.
    request.end(plan.body === undefined ? undefined : Buffer.from(plan.body));
  });
}

/** Opens the request. Without an agent each has a connection of its own, so that no exchange depends on another. */
function open(
  { url, plan, headers, connection }: Outgoing,
  keptConnection: KeepAliveConnection | undefined,
): ClientRequest {
  const agent = connection === "kept" && keptConnection ? keptConnection.agentFor(url) : false;
  const options = { method: plan.method, headers, agent, maxHeaderSize: 64 * 1024 };
  return url.startsWith("https:") ? requestOverHttps(url, options) : requestOverHttp(url, options);
}

/** Returns the message of an error, or its code: Node.js leaves the message empty when every address of a name failed. */
function describeFailure(error: NodeJS.ErrnoException): string {
  return error.message || error.code || "the connection failed";
}
