import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { hopByHopHeaders } from "@cloud-browser/browsers";
import { SpanKind } from "@opentelemetry/api";
import type { MiddlewareHandler } from "hono";
import { proxyFetch, proxyUpgrade } from "httpxy";
import type { Peer, Peers } from "../../cluster/peers.ts";
import type { SessionTokens } from "../../control/session-tokens.ts";
import type { KeyHolder } from "../../keys/keys.ts";
import { type PublicUrl, requestContext, requestIdHeader } from "../../request-context.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { RecordingStore } from "../../storage/recordings/recording-store.ts";
import { runInSpan, traceHeaders } from "../../tracing/spans.ts";
import { digest } from "../authentication.ts";
import { answerError, answerProblem } from "../problems.ts";
import { makeUnreachableError } from "../../session-refusals.ts";

/** Parts that forwarding needs. */
export interface ForwardingParts {
  /** The other nodes. */
  readonly peers: Pick<Peers, "findOwner">;
  /** The sessions of this one. */
  readonly sessions: Pick<Sessions, "has" | "get" | "getRecord" | "end">;
  /** Returns whether any node can answer for the recording of a session. */
  readonly recordings: Pick<RecordingStore, "isShared">;
  /** Finds the session that a token is good for. */
  readonly tokens: Pick<SessionTokens, "findSession">;
  /** By this nodes know each other. A secret. */
  readonly credential: string;
  /** Address of this node as its clients see it. */
  readonly publicUrl: PublicUrl;
}

/** Headers by which a node says that it is one, and which address its client uses. */
const names = { credential: "x-cloud-browser-node", url: "x-cloud-browser-url" } as const;

/** Headers of one connection, and those that the node which was asked has judged. */
const notForwarded = [...hopByHopHeaders, "expect", "host", "origin", ...Object.values(names)];

/** Paths of one session. */
const ofSession =
  /^\/(?:sessions|control\/sessions|viewer|recordings)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/(.*))?$/;

/** Where a token alone names the session. */
const byToken = /^\/json\/version\/?$/;

/** How long a node may take to show that it is alive, in milliseconds. */
const aliveMs = 1_500;

/** How long a node may take to accept a WebSocket, in milliseconds. */
const upgradeMs = 10_000;

/**
 * Asks the node that has a session in place of this one. Bodies go through as they come, both ways, no faster than they are read; nothing
 * is sent twice. A node answers a forwarded request itself, so no request is forwarded in circles.
 */
export class Forwarding {
  readonly #parts: ForwardingParts;
  readonly #digest: Buffer;

  constructor(parts: ForwardingParts) {
    this.#parts = parts;
    this.#digest = digest(parts.credential);
  }

  /** Returns whether another node asks. */
  isFromNode(credential: string | null | undefined): boolean {
    return typeof credential === "string" && timingSafeEqual(digest(credential), this.#digest);
  }

  /** Returns whether another node asks, by the headers of a request. */
  isRequestFromNode(headers: IncomingMessage["headers"] | Headers): boolean {
    const credential = headers instanceof Headers ? headers.get(names.credential) : headers[names.credential];
    return this.isFromNode(Array.isArray(credential) ? undefined : credential);
  }

  /** Forwards a request to the node that has its session; continues if that is this one. */
  readonly handle: MiddlewareHandler = async (c, next) => {
    const { headers } = c.req.raw;
    const { publicUrl, tokens } = this.#parts;
    if (this.isRequestFromNode(headers)) return publicUrl.runWith(headers.get(names.url) ?? publicUrl.own, next);
    const [, sessionId, rest = ""] = ofSession.exec(c.req.path) ?? [];
    const id = byToken.test(c.req.path) ? tokens.findSession("drive", c.req.query("token")) : sessionId;
    if (id === undefined || this.#parts.sessions.has(id)) return next();
    if ((rest === "replay" || rest === "recording") && (await this.#parts.recordings.isShared(id))) return next();
    const owner = await this.#parts.peers.findOwner(id);
    if (owner === "own") return next();
    const answer = owner === "gone" ? undefined : await this.ask(owner, c.req.raw);
    if (answer) return answer;
    const holder: KeyHolder | undefined = c.get("holder");
    if (c.req.path.startsWith("/recordings/") || rest === "replay" || rest === "recording") {
      await this.#parts.sessions.getRecord(id, holder?.name);
      return refuseUnreachable();
    }
    // Whoever has no right to it is told so here; and why it can't be used, whoever has. What was sent on can't be read again.
    return c.req.raw.bodyUsed ? this.#refuse(id, holder?.name) : next();
  };

  /**
   * Ends a session of the key that the service was started with, wherever it is.
   *
   * @param apiKey - That key. A secret.
   * @throws {ServiceError} `unknown-session`, `session-unreachable`, `storage-failed`.
   */
  async end(id: string, apiKey: string): Promise<void> {
    const { sessions, peers } = this.#parts;
    const { ended_ms } = await sessions.getRecord(id, null);
    const owner = sessions.has(id) || ended_ms !== null ? "own" : await peers.findOwner(id);
    if (typeof owner === "object") {
      const headers = { authorization: `Bearer ${apiKey}` };
      const answer = await this.ask(
        owner,
        new Request(`http://service/control/sessions/${id}`, { method: "DELETE", headers }),
      );
      await answer?.body?.cancel();
      if (answer?.ok) return;
    }
    await sessions.end(id, null);
  }

  /**
   * Forwards a WebSocket to the node that has its session.
   *
   * @param key - Name of the key of the request; undefined if the request has a token of this session.
   * @returns `own` when that is this one, `forwarded`, or a refusal.
   */
  async upgrade(
    id: string,
    message: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    key?: string | null,
  ): Promise<"own" | "forwarded" | Response> {
    if (this.isRequestFromNode(message.headers) || this.#parts.sessions.has(id)) return "own";
    const owner = await this.#parts.peers
      .findOwner(id)
      .catch((error: unknown) => answerError(error) ?? refuseUnreachable());
    if (owner instanceof Response) return owner;
    if (owner === "own" || owner === "gone") return "own"; // which says why it can't be used, to whoever may know
    await this.#parts.sessions.getRecord(id, key);
    // What refuses, or is not there, says so before the client's connection is given away.
    const { authorization } = message.headers;
    const path = new URL(message.url ?? "/", "http://service");
    const isLive = /\/live\/?$/.test(path.pathname);
    path.pathname = `/control/sessions/${id}/${isLive ? "live/access" : "cdp/json/version"}`;
    const answer = await this.ask(owner, new Request(path, { headers: authorization ? { authorization } : {} }));
    if (!answer) return refuseUnreachable();
    if (!answer.ok) return answer;
    await answer.body?.cancel();
    for (const name of ["origin", names.credential, names.url]) delete message.headers[name];
    const upgrading = proxyUpgrade(owner.url, message, socket, head, {
      headers: this.#makeHeaders(),
      changeOrigin: true,
      xfwd: false,
      upgradeTimeout: upgradeMs,
    });
    const end = (): void => void socket.destroy();
    owner.gone.addEventListener("abort", end, { once: true });
    socket.once("close", () => owner.gone.removeEventListener("abort", end));
    upgrading.then(
      (upstream) => {
        upstream.once("close", end);
        socket.once("close", () => upstream.destroy());
      },
      () => undefined, // the client got an answer, or was disconnected
    );
    return "forwarded";
  }

  /** Asks another node; undefined when it can't be reached, or is lost before it answers. */
  ask(peer: Peer, request: Request): Promise<Response | undefined> {
    return runInSpan("node.forward", { kind: SpanKind.CLIENT }, () => this.#ask(peer, request));
  }

  /** Returns whether a node shows within one and a half seconds that it is alive. Never rejects. */
  async isAlive({ url, gone }: Peer): Promise<boolean> {
    const limit = AbortSignal.any([gone, AbortSignal.timeout(aliveMs)]);
    const answer = await this.#ask({ url, gone: limit }, new Request(`${url}/livez`)).catch(() => undefined);
    await answer?.body?.cancel().catch(() => undefined);
    return answer !== undefined;
  }

  async #ask({ url, gone }: Peer, request: Request): Promise<Response | undefined> {
    const headers = new Headers(request.headers);
    for (const name of notForwarded) headers.delete(name);
    for (const [name, value] of Object.entries(this.#makeHeaders())) headers.set(name, value);
    try {
      return await proxyFetch(
        url,
        request.url,
        {
          method: request.method,
          headers,
          body: request.body,
          signal: AbortSignal.any([request.signal, gone]),
        },
        // A connection for each: one that is kept may be closed by the other node at any moment, and what is lost then may not be sent twice.
        { changeOrigin: true, agent: false },
      );
    } catch (error) {
      if (request.signal.aborted) throw error;
      return undefined;
    }
  }

  #makeHeaders(): Record<string, string> {
    const { request } = requestContext();
    return {
      [names.credential]: this.#parts.credential,
      [names.url]: this.#parts.publicUrl.own,
      ...(request !== undefined && { [requestIdHeader]: request }),
      ...traceHeaders(),
    };
  }

  /** Answers with the reason why an ended session can't be used. */
  async #refuse(id: string, key?: string | null): Promise<Response> {
    const reason: unknown = await this.#parts.sessions.get(id, key).catch((error: unknown) => error);
    return answerError(reason) ?? refuseUnreachable();
  }
}

function refuseUnreachable(): Response {
  return answerProblem(503, makeUnreachableError().message, { "retry-after": "5" });
}
