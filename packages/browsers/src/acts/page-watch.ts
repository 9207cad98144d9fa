import type { DriverMessages } from "../devtools/driver-messages.ts";
import { asText, type Fields, isFields } from "../devtools/message.ts";
import { isolatedWorld } from "../devtools/isolated-world.ts";
import { actScript } from "./act-script.ts";
import { consoleMessage } from "./console-message.ts";
import type { PageEvent, PageEventListener } from "./page-event.ts";
import { readAct } from "./read-act.ts";

/** Watches what happens on the pages of a browser. */
export interface PageWatch {
  /** Reports the events on the pages of a context from now on to one listener, which may not throw. */
  readonly watch: (contextId: string, listener: PageEventListener) => void;
  /** Must be called when a context is closed. */
  readonly forget: (contextId: string) => void;
}

/** A context that is watched. */
interface WatchedContext {
  readonly listener: PageEventListener;
  tabs: number;
  /** Number of the tab of each page, by the id of its target. */
  readonly targets: Map<string, number>;
}

/** DevTools session of a page, or of an out-of-process frame. */
interface WatchedSession {
  readonly context: WatchedContext;
  readonly tab: number;
  readonly isPage: boolean;
  /** Documents whose address is that of the tab. */
  mainFrame: string;
}

const binding = "tellAct";
/** Lowest status of a response that is reported as failed. */
const firstFailure = 400;
const maxUrl = 20_000;
const maxMessage = 500;
/** Target types that have a document. */
const documentTargets: ReadonlySet<unknown> = new Set(["page", "iframe"]);

/**
 * Watches the pages of a browser: through events that its driver receives anyway, and through a script in each document that reports acts.
 * Costs no command but two for each new document target.
 */
export function watchPages(driver: DriverMessages): PageWatch {
  const contexts = new Map<string, WatchedContext>();
  const sessions = new Map<string, WatchedSession>();
  const script = actScript(binding);

  const onAttached = ({ sessionId, targetInfo, waitingForDebugger }: Fields, parent: unknown): void => {
    if (typeof sessionId !== "string" || !isFields(targetInfo) || !documentTargets.has(targetInfo["type"])) return;
    // Short-lived sessions of the driver do not wait; the first session of the target lasts as long as it.
    if (waitingForDebugger !== true) return;
    const context = contexts.get(asText(targetInfo["browserContextId"]) ?? "");
    if (!context) return;
    const isPage = targetInfo["type"] === "page";
    if (isPage) context.tabs += 1;
    const tab = isPage ? context.tabs : (sessions.get(asText(parent) ?? "")?.tab ?? context.tabs);
    const targetId = asText(targetInfo["targetId"]) ?? "";
    sessions.set(sessionId, { context, tab, isPage, mainFrame: targetId });
    if (isPage) {
      context.targets.set(targetId, tab);
      const opener = context.targets.get(asText(targetInfo["openerId"]) ?? "");
      context.listener({ kind: "tab-opened", tab, ...(opener !== undefined && { opener }) });
    }
    driver.send("Runtime.addBinding", { name: binding, executionContextName: isolatedWorld }, sessionId);
    const where = { worldName: isolatedWorld, runImmediately: true };
    driver.send("Page.addScriptToEvaluateOnNewDocument", { source: script, ...where }, sessionId);
  };

  const onDetached = (sessionId: string): void => {
    const session = sessions.get(sessionId);
    sessions.delete(sessionId);
    if (session?.isPage) session.context.listener({ kind: "tab-closed", tab: session.tab });
  };

  driver.onEvent("Target.attachedToTarget", onAttached);
  driver.onEvent("Target.detachedFromTarget", ({ sessionId }) => onDetached(asText(sessionId) ?? ""));
  for (const [method, read] of Object.entries(readers)) {
    driver.onEvent(method, (params, sessionId) => {
      const session = sessions.get(asText(sessionId) ?? "");
      const event = session && read(params, session);
      if (event) session.context.listener(event);
      return method === "Runtime.bindingCalled" && params["name"] === binding;
    });
  }
  return {
    watch: (contextId, listener) => void contexts.set(contextId, { listener, tabs: 0, targets: new Map() }),
    forget: (contextId) => {
      const context = contexts.get(contextId);
      contexts.delete(contextId);
      for (const [id, session] of sessions) if (session.context === context) sessions.delete(id);
    },
  };
}

/** Reads an event of the driver; undefined when it reports nothing. */
type Reader = (params: Fields, session: WatchedSession) => PageEvent | undefined;

const readers: Readonly<Record<string, Reader>> = {
  "Runtime.bindingCalled": ({ name, payload }, { tab }) => {
    const act = name === binding ? readAct(asText(payload) ?? "") : undefined;
    return act && { kind: "act", tab, act };
  },
  "Page.frameStartedNavigating": ({ frameId, url, navigationType }, { isPage, mainFrame, tab }) =>
    isPage && frameId === mainFrame
      ? {
          kind: "navigation-started",
          tab,
          url: (asText(url) ?? "").slice(0, maxUrl),
          type: asText(navigationType) ?? "",
        }
      : undefined,
  "Page.frameNavigated": ({ frame }, session) => {
    const { id, parentId, url, urlFragment = "" } = isFields(frame) ? frame : {};
    if (!session.isPage || parentId !== undefined || typeof id !== "string" || typeof url !== "string")
      return undefined;
    session.mainFrame = id;
    const address = (url + (asText(urlFragment) ?? "")).slice(0, maxUrl);
    return { kind: "navigation", tab: session.tab, url: address, sameDocument: false };
  },
  "Page.navigatedWithinDocument": ({ frameId, url, navigationType }, { isPage, mainFrame, tab }) =>
    isPage && frameId === mainFrame && typeof url === "string"
      ? {
          kind: "navigation",
          tab,
          url: url.slice(0, maxUrl),
          sameDocument: true,
          byScript: navigationType === "historyApi",
        }
      : undefined,
  "Page.javascriptDialogOpening": ({ type, message }, { tab }) => ({
    kind: "dialog",
    tab,
    type: asText(type) ?? "alert",
    message: (asText(message) ?? "").slice(0, maxMessage),
    isCut: (asText(message) ?? "").length > maxMessage,
  }),
  "Page.javascriptDialogClosed": ({ result }, { tab }) => ({ kind: "dialog-closed", tab, accepted: result === true }),
  "Page.downloadWillBegin": ({ url, suggestedFilename }, { tab }) => ({
    kind: "download",
    tab,
    url: (asText(url) ?? "").slice(0, maxUrl),
    fileName: (asText(suggestedFilename) ?? "").slice(0, maxMessage),
  }),
  "Runtime.consoleAPICalled": (params, { tab }) => consoleMessage(params, tab),
  "Runtime.exceptionThrown": ({ exceptionDetails }, { tab }) => {
    const { exception, text, url, lineNumber } = isFields(exceptionDetails) ? exceptionDetails : {};
    const described = isFields(exception)
      ? (asText(exception["description"]) ?? asText(exception["value"]))
      : undefined;
    const line = typeof lineNumber === "number" ? lineNumber + 1 : 0;
    const messageText = (described ?? asText(text) ?? "").slice(0, 2_000);
    return { kind: "console", tab, level: "error", text: messageText, url: asText(url) ?? "", line };
  },
  "Network.responseReceived": ({ response }, { tab }) => {
    const { url, status } = isFields(response) ? response : {};
    if (typeof status !== "number" || status < firstFailure) return undefined;
    return { kind: "failed-request", tab, url: (asText(url) ?? "").slice(0, maxUrl), status, error: null };
  },
};
