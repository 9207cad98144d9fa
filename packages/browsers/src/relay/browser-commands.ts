import { pageLimit } from "../pages/page-policy.ts";
import { addressRefused, isAllowedAddress } from "./allowed-address.ts";
import { type Fields, invalidParams, refusal, textOf } from "../devtools/message.ts";
import type { OwnTargets } from "./own-targets.ts";
import { refusedPermission } from "./permissions.ts";
import type { ScreenshotKind } from "./pending-screenshots.ts";
import { refusedCommand } from "./refusals.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** Callbacks of the relay. */
export interface RelayHooks {
  /** The client did something that may change a page; called at most every 50 ms. */
  onAction(): void;
  /** The client asked for something else: that counts as use, and changes nothing on the page. */
  onUse(): void;
  /** The client brought a page to the front, or opened one. Resolves when that is the page of the session, or can't be. */
  onActivate(targetId: string): Promise<void>;
  /** The client closes a page. Resolves when it is no page of the session any more, or stays one. */
  onClosePage(targetId: string): Promise<void>;
  /** The client closed "its browser": the session is to end. */
  onClose(): void;
  /** The client wants the pages of the session in another language; undefined: in their own. Resolves with what the browser has against it. */
  setLocale(locale: string | undefined): Promise<string | undefined>;
  /** A session of the client with a page has ended, or all have. */
  onDetach(): void;
  /** The client takes a screenshot, for which the page is drawn differently. Returns a function that is called when it has it. */
  readonly onScreenshot?: (kind: ScreenshotKind) => () => void;
}

/**
 * Waits until the service has taken note of a command: the client reads the browser's answer when both are done.
 */
export function answerAfter(noted: Promise<void>, answer: (reply: Reply) => void): (reply: Reply) => void {
  const done = noted.catch(() => undefined);
  return (reply) => void done.then(() => answer(reply)).catch(() => undefined);
}

/** Part of the parameters, those of the names given. */
function pick(params: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(params, name)).map((name) => [name, params[name]]));
}

const noSuchTarget = invalidParams("No target with given id found");
const tooManyPages = refusal(`Page limit (${pageLimit} per session) reached; close a page first.`);
const oneContext = refusal(
  "A session is one browser context; others can't be created or disposed. Use the one that is there (Playwright: browser.contexts()[0], Puppeteer: browser.defaultBrowserContext()), or start another session.",
);

/**
 * Commands to the browser itself, confined to one context of it. What isn't listed is refused.
 */
export class BrowserCommands {
  readonly #contextId: string;
  readonly #targets: OwnTargets;
  readonly #upstream: Upstream;
  readonly #hooks: RelayHooks;
  readonly #windows = new Set<unknown>();

  constructor(contextId: string, targets: OwnTargets, upstream: Upstream, hooks: RelayHooks) {
    this.#contextId = contextId;
    this.#targets = targets;
    this.#upstream = upstream;
    this.#hooks = hooks;
  }

  /**
   * Does a command.
   *
   * @param ownTargetId - The target of the session that it was sent on; undefined: none.
   */
  run(method: string, params: Fields, ownTargetId: string | undefined, answer: (reply: Reply) => void): void {
    const { browserContextId } = params;
    if (browserContextId !== undefined && browserContextId !== null && browserContextId !== this.#contextId) {
      answer({ failure: invalidParams("Failed to find browser context with the given id.") });
      return;
    }
    const inContext = (...names: string[]): void =>
      this.#upstream.ask(method, { ...pick(params, names), browserContextId: this.#contextId }, undefined, answer);
    switch (method) {
      case "Browser.getVersion":
        return this.#upstream.ask(method, {}, undefined, answer);
      case "Schema.getDomains":
        return this.#upstream.ask(method, {}, undefined, answer);
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
        if (refused !== undefined) return answer({ failure: refusal(refused) });
        return inContext("permissions", "permission", "setting", "origin", "embeddedOrigin");
      }
      case "Browser.cancelDownload":
        return answer({ result: {} });
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
        return this.#upstream.ask(method, pick(params, ["windowId", "bounds", "width", "height"]), undefined, answer);
      case "Emulation.getScreenInfos":
        return this.#upstream.ask(method, {}, undefined, answer);
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
        return this.#onTarget(method, params, answer);
      default:
        answer({ failure: refusal(refusedCommand(method)) });
    }
  }

  #findWindow(targetId: unknown, answer: (reply: Reply) => void): void {
    const target = this.#targets.get(targetId);
    if (!target) return answer({ failure: refusal("No target with given id") });
    this.#upstream.ask("Browser.getWindowForTarget", { targetId: target.targetId }, undefined, (reply) => {
      if (reply.result) this.#windows.add(reply.result["windowId"]);
      answer(reply);
    });
  }

  #createTarget(params: Fields, answer: (reply: Reply) => void): void {
    const url = params["url"] === "" ? "about:blank" : params["url"];
    if (typeof url === "string" && !isAllowedAddress(url)) return answer({ failure: refusal(addressRefused) });
    const kept = pick(params, ["left", "top", "width", "height", "windowState", "newWindow", "background", "focus"]);
    const inContext = { ...kept, url, browserContextId: this.#contextId };
    this.#upstream.ask("Target.createTarget", inContext, undefined, (reply) => {
      const created = textOf(reply.result?.["targetId"]);
      if (created === undefined) return answer(reply);
      if (this.#hasRoomFor(created)) return answerAfter(this.#hooks.onActivate(created), answer)(reply);
      this.#upstream.ask("Target.closeTarget", { targetId: created });
      answer({ failure: tooManyPages });
    });
  }

  /** Tells whether a page that was just created may stay: told only now, as others may have been on their way when it was asked for. */
  #hasRoomFor(created: string): boolean {
    const pages = this.#targets.all().filter(({ type }) => type === "page");
    return pages.findIndex(({ targetId }) => targetId === created) < pageLimit;
  }

  #onTarget(method: string, params: Fields, answer: (reply: Reply) => void): void {
    const target = this.#targets.get(params["targetId"]);
    if (!target) return answer({ failure: noSuchTarget });
    const { targetId, type } = target;
    let due = answer;
    if (type === "page") {
      const activates = method === "Target.activateTarget";
      due = answerAfter(activates ? this.#hooks.onActivate(targetId) : this.#hooks.onClosePage(targetId), answer);
    }
    this.#upstream.ask(method, { targetId }, undefined, due);
  }
}
