import type { ConnectOverCDPTransport } from "playwright-core";
import { commandIds } from "../devtools/command-ids.ts";
import { isFields, textOf, type Fields } from "../devtools/message.ts";

/** A driver's connection whose pages find no security keys. */
export interface KeylessConnection {
  /** The connection, for the driver. */
  readonly transport: ConnectOverCDPTransport;
  /** To be called for a context when sessions that others had with its pages have ended. */
  readonly renew: (contextId: string) => void;
}

/** Target types that have a document. */
const documents: ReadonlySet<unknown> = new Set(["page", "iframe"]);

/**
 * Pages that ask for a security key are answered as on a machine that has none. The headless shell of npm can't look for one: it
 * ends of that, with all of its spaces. It looks for none where the DevTools protocol's virtual authenticators are switched on,
 * and there are none of those. Any session that ends with a page switches them off there; its first one switches them on again.
 */
export function withoutSecurityKeys(inner: ConnectOverCDPTransport): KeylessConnection {
  /** By target: its first session, which lasts as long as the target does, and its context. */
  const first = new Map<string, { readonly sessionId: string; readonly contextId: string | undefined }>();
  /** By session: its target. */
  const targets = new Map<string, string>();
  let lastId: number = commandIds.securityKeys.after;
  const switchOn = (sessionId: string): void => {
    lastId += 1;
    inner.send({ id: lastId, method: "WebAuthn.enable", params: {}, sessionId });
  };

  const attached = ({ sessionId, targetInfo }: Fields): void => {
    if (typeof sessionId !== "string" || !isFields(targetInfo) || !documents.has(targetInfo["type"])) return;
    const targetId = textOf(targetInfo["targetId"]) ?? "";
    targets.set(sessionId, targetId);
    if (first.has(targetId)) return;
    first.set(targetId, { sessionId, contextId: textOf(targetInfo["browserContextId"]) });
    switchOn(sessionId);
  };

  const detached = ({ sessionId }: Fields): void => {
    if (typeof sessionId !== "string") return;
    const targetId = targets.get(sessionId) ?? "";
    targets.delete(sessionId);
    const lasting = first.get(targetId)?.sessionId;
    if (lasting === sessionId) first.delete(targetId);
    else if (lasting !== undefined) switchOn(lasting);
  };

  const transport: ConnectOverCDPTransport = { send: (message) => inner.send(message), close: () => inner.close() };
  const take = (message: object): void => {
    const { id, method, params } = isFields(message) ? message : {};
    if (typeof id === "number" && id > commandIds.securityKeys.after) return;
    if (method === "Target.attachedToTarget" && isFields(params)) attached(params);
    if (method === "Target.detachedFromTarget" && isFields(params)) detached(params);
    transport.onmessage?.(message);
  };
  Object.assign(inner, { onmessage: take, onclose: (reason?: string) => transport.onclose?.(reason) });
  return {
    transport,
    renew(contextId) {
      for (const lasting of first.values()) if (lasting.contextId === contextId) switchOn(lasting.sessionId);
    },
  };
}
