import { pageLimit } from "../pages/page-policy.ts";
import type { ActKind } from "./policy/acting-commands.ts";
import { urlRefused, isAllowedUrl } from "./policy/allowed-url.ts";
import { type Fields, invalidParams, refusal, asText, unknownTarget } from "../devtools/message.ts";
import type { ContextTargets } from "./context-targets.ts";
import type { DownloadFeed } from "./downloads.ts";
import { pickGranted, refusedPermission } from "./policy/permissions.ts";
import type { ScreenshotKind } from "./pending-screenshots.ts";
import { refusedCommand } from "./policy/refusals.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** A command of the client that acts on a page, before it is executed. */
export interface ActingCommand {
  /** Kind of the act. */
  readonly act: ActKind;
  /** Length of its message, in characters. */
  readonly size: number;
  /** Executes it. Never throws. */
  readonly run: () => void;
}

/** Callbacks of the relay. */
export interface RelayHooks {
  /**
   * Called with each command that acts on a page. Default: it is executed at once.
   *
   * @returns undefined when it was executed, or will be; otherwise why it is refused, as the message of its CDP error.
   */
  readonly onAct?: (command: ActingCommand) => string | undefined;
  /** Called when the client sends a command that may change a page; at most every 50 ms. */
  onAction(): void;
  /** Called with the name and the parameters of each command that may change a page, without a limit. */
  onChange?(method: string, params: Fields): void;
  /** Called for any other command: the session is in use, the page is not changed. */
  onUse(): void;
  /** Called when the client brings a page to the front, or opens one. Resolves when it is the active page, or can't become active. */
  onActivate(targetId: string): Promise<void>;
  /** Called when the client closes a page. Resolves when it has closed, or stays open. */
  onClosePage(targetId: string): Promise<void>;
  /** Called on `Browser.close`: the session should end. */
  onClose(): void;
  /** Changes the locale of the session's pages; undefined restores it. Resolves with the browser's error message, or undefined. */
  setLocale(locale: string | undefined): Promise<string | undefined>;
  /** Called when a CDP session of the client with a page has ended, or all have. */
  onDetach(): void;
  /** Called when the client takes a screenshot, for which the page is rendered differently. Returns a function to call when it is done. */
  readonly onScreenshot?: (kind: ScreenshotKind) => () => void;
  /** Returns where a file is that was uploaded to the session, by the path that its uploader was given; undefined for any other path. Default: none is. */
  readonly uploadAt?: (path: string) => string | undefined;
  /** Downloads of the session. Default: each is canceled, and not reported. */
  readonly downloads?: DownloadFeed;
}

/**
 * Delays the response to a command until the service has handled it.
 */
export function respondAfter(noted: Promise<void>, answer: (reply: Reply) => void): (reply: Reply) => void {
  const done = noted.catch(() => undefined);
  return (reply) => void done.then(() => answer(reply)).catch(() => undefined);
}

/** Returns the parameters with these names. */
function pick(params: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(params, name)).map((name) => [name, params[name]]));
}

const tooManyPages = refusal(`Page limit (${pageLimit} per session) reached; close a page first.`);
const oneContext = refusal(
  "A session is one browser context; others can't be created or disposed. Use the existing one (Playwright: browser.contexts()[0], Puppeteer: browser.defaultBrowserContext()), or start another session.",
);

/**
 * Executes commands to the browser itself, restricted to one browser context. Commands that are not listed are refused.
 */
export class BrowserCommands {
  readonly #contextId: string;
  readonly #targets: ContextTargets;
  readonly #upstream: Upstream;
  readonly #hooks: RelayHooks;
  readonly #windows = new Set<unknown>();

  constructor(contextId: string, targets: ContextTargets, upstream: Upstream, hooks: RelayHooks) {
    this.#contextId = contextId;
    this.#targets = targets;
    this.#upstream = upstream;
    this.#hooks = hooks;
  }

  /**
   * Executes a command.
   *
   * @param ownTargetId - Target of the session that it was sent on, if any.
   */
  run(method: string, params: Fields, ownTargetId: string | undefined, answer: (reply: Reply) => void): void {
    const { browserContextId } = params;
    if (browserContextId !== undefined && browserContextId !== null && browserContextId !== this.#contextId) {
      answer({ failure: invalidParams("Failed to find browser context with the given id.") });
      return;
    }
    const inContext = (...names: string[]): void =>
      this.#upstream.request(method, { ...pick(params, names), browserContextId: this.#contextId }, undefined, answer);
    switch (method) {
      case "Browser.getVersion":
        return this.#upstream.request(method, {}, undefined, answer);
      case "Schema.getDomains":
        return this.#upstream.request(method, {}, undefined, answer);
      case "Browser.close":
        answer({ result: {} });
        return this.#hooks.onClose();
      case "Storage.getCookies":
      case "Storage.clearCookies":
      case "Browser.resetPermissions":
        return inContext();
      case "Storage.setCookies":
        return inContext("cookies");
      case "Browser.grantPermissions":
      case "Browser.setPermission": {
        const refused = refusedPermission(params);
        const names = ["permissions", "permission", "setting", "origin", "embeddedOrigin"];
        if (refused === undefined) return inContext(...names);
        const granted = Array.isArray(params["permissions"]) ? pickGranted(params["permissions"]) : [];
        if (granted.length === 0) return answer({ failure: refusal(refused) });
        // One that is refused does not take the others with it.
        const others = { ...pick(params, names), permissions: granted, browserContextId: this.#contextId };
        return this.#upstream.request(method, others, undefined, ({ failure }) =>
          answer({ failure: failure ?? refusal(`${refused} The others were granted.`) }),
        );
      }
      case "Security.setIgnoreCertificateErrors":
        if (params["ignore"] === false) return answer({ result: {} });
        return answer({
          failure: refusal(`${method} applies to the whole browser; send it on the session of a page.`),
        });
      case "Browser.getWindowForTarget":
        return this.#findWindow(params["targetId"] ?? ownTargetId, answer);
      case "Browser.getWindowBounds":
      case "Browser.setWindowBounds":
      case "Browser.setContentsSize":
        if (!this.#windows.has(params["windowId"])) return answer({ failure: refusal("Browser window not found") });
        return this.#upstream.request(
          method,
          pick(params, ["windowId", "bounds", "width", "height"]),
          undefined,
          answer,
        );
      case "Emulation.getScreenInfos":
        return this.#upstream.request(method, {}, undefined, answer);
      case "Extensions.getExtensions":
        // Chromium is started without any, and none can be loaded.
        return answer({ result: { extensions: [] } });
      case "Target.getBrowserContexts":
        return answer({ result: { browserContextIds: [], defaultBrowserContextId: this.#contextId } });
      case "Target.createBrowserContext":
      case "Target.disposeBrowserContext":
        return answer({ failure: oneContext });
      case "Target.createTarget":
        return this.#createTarget(params, answer);
      case "Target.activateTarget":
      case "Target.closeTarget":
        return this.#runOnTarget(method, params, answer);
      default:
        answer({ failure: refusedCommand(method) });
    }
  }

  #findWindow(targetId: unknown, answer: (reply: Reply) => void): void {
    const target = this.#targets.get(targetId);
    if (!target) return answer({ failure: refusal("No target with given id") });
    this.#upstream.request("Browser.getWindowForTarget", { targetId: target.targetId }, undefined, (reply) => {
      if (reply.result) this.#windows.add(reply.result["windowId"]);
      answer(reply);
    });
  }

  #createTarget(params: Fields, answer: (reply: Reply) => void): void {
    const url = params["url"] === "" ? "about:blank" : params["url"];
    if (typeof url === "string" && !isAllowedUrl(url)) return answer({ failure: refusal(urlRefused) });
    const allowed = pick(params, ["left", "top", "width", "height", "windowState", "newWindow", "background", "focus"]);
    const inContext = { ...allowed, url, browserContextId: this.#contextId };
    this.#upstream.request("Target.createTarget", inContext, undefined, (reply) => {
      const created = asText(reply.result?.["targetId"]);
      if (created === undefined) return answer(reply);
      if (this.#hasRoomFor(created)) return respondAfter(this.#hooks.onActivate(created), answer)(reply);
      this.#upstream.request("Target.closeTarget", { targetId: created });
      answer({ failure: tooManyPages });
    });
  }

  /** Returns whether a new page is within the limit. Checked after creation, as others may have been pending before. */
  #hasRoomFor(created: string): boolean {
    const pages = this.#targets.all().filter(({ type }) => type === "page");
    return pages.findIndex(({ targetId }) => targetId === created) < pageLimit;
  }

  #runOnTarget(method: string, params: Fields, answer: (reply: Reply) => void): void {
    const target = this.#targets.get(params["targetId"]);
    if (!target) return answer({ failure: unknownTarget });
    const { targetId, type } = target;
    let due = answer;
    if (type === "page") {
      const activates = method === "Target.activateTarget";
      due = respondAfter(activates ? this.#hooks.onActivate(targetId) : this.#hooks.onClosePage(targetId), answer);
    }
    this.#upstream.request(method, { targetId }, undefined, due);
  }
}
