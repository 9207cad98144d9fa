import type { DriverMessages } from "../devtools/driver-messages.ts";
import { isolatedWorld } from "../devtools/isolated-world.ts";
import { isFields, parseMessage, asText, type Fields } from "../devtools/message.ts";

/** Names of the password fields that the pages of a browser have had. */
export interface PasswordFieldWatch {
  /** Returns names and ids of the password fields that pages of a context have had so far; later ones are added to them. */
  readonly follow: (contextId: string) => ReadonlySet<string>;
  /** Must be called when a context is closed. */
  readonly forget: (contextId: string) => void;
}

const binding = "tellPasswordFields";
/** Limits for the names of a context: number, and length in characters. */
const maxNames = 200;
const maxNameLength = 200;

/** Target types that have a document. */
const documentTargets: ReadonlySet<unknown> = new Set(["page", "iframe"]);

/**
 * Runs in each document, in an isolated world: reports the names of password fields when one is filled, and when a form is submitted,
 * before
 * its values are in a URL. A field that is shown as text later was reported when it was filled.
 */
const script = `(() => {
  const reported = new Set();
  const report = (fields) => {
    const names = [...fields].flatMap(({ name, id }) => [name, id]).filter((name) => typeof name === "string" && name && !reported.has(name));
    if (names.length === 0) return;
    for (const name of names) reported.add(name);
    globalThis.${binding}?.(JSON.stringify(names.slice(0, ${maxNames})));
  };
  const secret = 'input[type="password" i], input[autocomplete~="current-password" i], input[autocomplete~="new-password" i]';
  const reportOne = ({ target }) => target instanceof HTMLInputElement && target.matches(secret) && report([target]);
  const reportAll = () => report(document.querySelectorAll(secret));
  addEventListener("focusin", reportOne, true);
  addEventListener("input", reportOne, true);
  addEventListener("submit", reportAll, true);
  addEventListener("formdata", reportAll, true);
})()`;

/** Collects the names of password fields of all pages of a browser: a form that is submitted by GET puts their values into its URL. */
export function watchPasswordFields(driver: DriverMessages): PasswordFieldWatch {
  const names = new Map<string, Set<string>>();
  /** Context of each session. */
  const contexts = new Map<string, string>();

  const onAttached = ({ sessionId, targetInfo, waitingForDebugger }: Fields): void => {
    if (typeof sessionId !== "string" || !isFields(targetInfo) || !documentTargets.has(targetInfo["type"])) return;
    // Short-lived sessions of the driver do not wait; the first session of the target has installed the script.
    if (waitingForDebugger !== true) return;
    contexts.set(sessionId, asText(targetInfo["browserContextId"]) ?? "");
    driver.send("Runtime.addBinding", { name: binding, executionContextName: isolatedWorld }, sessionId);
    driver.send(
      "Page.addScriptToEvaluateOnNewDocument",
      { source: script, worldName: isolatedWorld, runImmediately: true },
      sessionId,
    );
  };

  const follow = (contextId: string): Set<string> => {
    const known = names.get(contextId) ?? new Set();
    names.set(contextId, known);
    return known;
  };

  const onBindingCalled = (contextId: string, payload: unknown): void => {
    const list: unknown = parseMessage(`{"names":${asText(payload) ?? "[]"}}`)?.["names"];
    const known = follow(contextId);
    for (const name of Array.isArray(list) ? list : []) {
      if (typeof name === "string" && name.length <= maxNameLength && known.size < maxNames) known.add(name);
    }
  };

  driver.onEvent("Target.attachedToTarget", onAttached);
  driver.onEvent("Target.detachedFromTarget", ({ sessionId }) => void contexts.delete(asText(sessionId) ?? ""));
  driver.onEvent("Runtime.bindingCalled", ({ name, payload }, sessionId) => {
    const contextId = contexts.get(asText(sessionId) ?? "");
    if (name !== binding || contextId === undefined) return false;
    onBindingCalled(contextId, payload);
    return true;
  });
  return {
    follow,
    forget: (contextId) => void names.delete(contextId),
  };
}
