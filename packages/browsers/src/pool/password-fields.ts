import type { ConnectOverCDPTransport } from "playwright-core";
import { commandIds } from "../devtools/command-ids.ts";
import { isFields, parseMessage, textOf, type Fields } from "../devtools/message.ts";

/** A driver's connection that learns the names of password fields. */
export interface WatchedForms {
  /** The connection, for the driver. */
  readonly transport: ConnectOverCDPTransport;
  /** Names and ids of the password fields that pages of a context have had so far. */
  readonly fieldsOf: (contextId: string) => ReadonlySet<string>;
  /** Has to be called for a context that is gone. */
  readonly forget: (contextId: string) => void;
}

const { after: firstId, before: afterLastId } = commandIds.passwordFields;
const world = "cloud-browser-forms";
const binding = "tellPasswordFields";
/** Most names that are kept of a context, and the longest. */
const mostNames = 200;
const longestName = 200;

/** Target types that have a document. */
const documents: ReadonlySet<unknown> = new Set(["page", "iframe"]);

/**
 * Runs in each document, in a world of its own: tells the names of password fields when somebody fills one, and when a form is sent, before
 * its values stand in an address. A field that is shown as text meanwhile was one when it was filled.
 */
const script = `(() => {
  const told = new Set();
  const tell = (fields) => {
    const names = [...fields].flatMap(({ name, id }) => [name, id]).filter((name) => typeof name === "string" && name && !told.has(name));
    if (names.length === 0) return;
    for (const name of names) told.add(name);
    globalThis.${binding}?.(JSON.stringify(names.slice(0, ${mostNames})));
  };
  const secret = 'input[type="password" i], input[autocomplete~="current-password" i], input[autocomplete~="new-password" i]';
  const tellOfOne = ({ target }) => target instanceof HTMLInputElement && target.matches(secret) && tell([target]);
  const tellOfAll = () => tell(document.querySelectorAll(secret));
  addEventListener("focusin", tellOfOne, true);
  addEventListener("input", tellOfOne, true);
  addEventListener("submit", tellOfAll, true);
  addEventListener("formdata", tellOfAll, true);
})()`;

/** Learns from all pages of a browser which of their fields are for passwords: a form that is sent by GET puts their values into its address. */
export function watchPasswordFields(inner: ConnectOverCDPTransport): WatchedForms {
  const names = new Map<string, Set<string>>();
  /** By session: its context. */
  const contexts = new Map<string, string>();
  let lastId: number = firstId;
  const send = (method: string, params: Fields, sessionId: string): void => {
    lastId = lastId + 1 < afterLastId ? lastId + 1 : firstId + 1;
    inner.send({ id: lastId, method, params, sessionId });
  };

  const attached = ({ sessionId, targetInfo, waitingForDebugger }: Fields): void => {
    if (typeof sessionId !== "string" || !isFields(targetInfo) || !documents.has(targetInfo["type"])) return;
    // The driver's own sessions for single questions are not made to wait: the first one of the target does it.
    if (waitingForDebugger !== true) return;
    contexts.set(sessionId, textOf(targetInfo["browserContextId"]) ?? "");
    send("Runtime.addBinding", { name: binding, executionContextName: world }, sessionId);
    send(
      "Page.addScriptToEvaluateOnNewDocument",
      { source: script, worldName: world, runImmediately: true },
      sessionId,
    );
  };

  const told = (contextId: string, payload: unknown): void => {
    const list: unknown = parseMessage(`{"names":${textOf(payload) ?? "[]"}}`)?.["names"];
    const known = names.get(contextId) ?? new Set();
    for (const name of Array.isArray(list) ? list : []) {
      if (typeof name === "string" && name.length <= longestName && known.size < mostNames) known.add(name);
    }
    names.set(contextId, known);
  };

  const transport: ConnectOverCDPTransport = { send: (message) => inner.send(message), close: () => inner.close() };
  const take = (message: object): void => {
    const { id, method, params, sessionId } = isFields(message) ? message : {};
    if (typeof id === "number" && id > firstId && id < afterLastId) return;
    if (isFields(params)) {
      if (method === "Target.attachedToTarget") attached(params);
      if (method === "Target.detachedFromTarget") contexts.delete(textOf(params["sessionId"]) ?? "");
      const contextId = contexts.get(textOf(sessionId) ?? "");
      if (method === "Runtime.bindingCalled" && params["name"] === binding && contextId !== undefined) {
        return told(contextId, params["payload"]);
      }
    }
    transport.onmessage?.(message);
  };
  Object.assign(inner, { onmessage: take, onclose: (reason?: string) => transport.onclose?.(reason) });
  return {
    transport,
    fieldsOf: (contextId) => names.get(contextId) ?? new Set(),
    forget: (contextId) => void names.delete(contextId),
  };
}
