import type { GuardedBrowsers } from "@cloud-browser/browsers";
import type { Page } from "playwright-core";
import { describeServiceError, findServiceError } from "../service-error.ts";
import type { Session } from "../sessions/session.ts";
import type { LiveHub } from "./live-hub.ts";
import type {
  DeviceInput,
  LiveAction,
  LiveAddress,
  LiveAnswer,
  LiveFault,
  LiveHistory,
  LiveTab,
} from "./live-messages.ts";
import { noPageText } from "../session-refusals.ts";

/** Parts that an action needs. */
export interface ActionParts {
  /** The session. */
  readonly session: Session;
  /** Parts that its viewers share. */
  readonly hub: LiveHub;
  /** The browsers, which say whether a page may be opened at an address. */
  readonly browsers: Pick<GuardedBrowsers, "checkUrl">;
  /** Throws while this process may have no sessions. Default: it may. */
  readonly requireLease?: (() => void) | undefined;
}

/** Acts on a session; resolves with what went wrong. Never rejects. */
export async function actOn(action: LiveAction, parts: ActionParts): Promise<LiveFault | undefined> {
  try {
    parts.requireLease?.();
    parts.session.noteAction();
    if (!isMove(action)) parts.session.history.actors.noteAct("person");
    return await perform(action, parts);
  } catch (error) {
    const serviceError = findServiceError(error);
    if (serviceError?.code === "address-refused") return makeRefusal(serviceError.message);
    return makeFailure(serviceError?.message ?? describeReason(error));
  }
}

/** Returns whether an action only moves the pointer. */
function isMove(action: LiveAction): boolean {
  return action.type === "mouse" && action.action === "move";
}

function perform(action: LiveAction, parts: ActionParts): Promise<LiveFault | undefined> | LiveFault | undefined {
  switch (action.type) {
    case "tab":
      return changeTab(action, parts);
    case "address":
      return openAddress(action, parts);
    case "history":
      return goInHistory(action, parts);
    case "dialog":
      return answerDialog(action, parts);
    case "mouse":
    case "wheel":
    case "key":
    case "text":
    case "touch": {
      const { input } = parts.hub;
      return input ? input.give(action) : giveLater(action, parts);
    }
  }
}

/** Sends an input to the page that is about to be shown, so that a viewer who has just come loses none. */
async function giveLater(action: DeviceInput, { hub }: ActionParts): Promise<LiveFault | undefined> {
  const input = await hub.waitForInput();
  return input ? input.give(action) : makeFailure("the session has no page that takes input now");
}

async function changeTab({ action, tab }: LiveTab, { session, hub }: ActionParts): Promise<LiveFault | undefined> {
  const page = hub.findPage(tab);
  if (!page) return makeRefusal("there is no such tab");
  if (action === "choose") {
    session.activePage.bringToFront(page);
    return undefined;
  }
  if (session.pooledContext.context.pages().length === 1) return makeRefusal("the last tab of a session stays open");
  session.history.noteAsked("person", { kind: "close" });
  await page.close();
  return undefined;
}

async function openAddress({ url }: LiveAddress, parts: ActionParts): Promise<LiveFault | undefined> {
  const parsed = URL.parse(url);
  if (!parsed) return makeRefusal("malformed URL: give one with its scheme, such as https://example.com");
  await parts.browsers.checkUrl(parsed);
  parts.session.history.noteAsked("person", { kind: "address", url: parsed.href });
  return navigate(parts, (page) => page.goto(parsed.href, { waitUntil: "commit" }));
}

function goInHistory({ action }: LiveHistory, parts: ActionParts): Promise<LiveFault | undefined> {
  const options = { waitUntil: "commit" } as const;
  parts.session.history.noteAsked("person", { kind: action });
  return navigate(parts, (page) => {
    if (action === "reload") return page.reload(options);
    return action === "back" ? page.goBack(options) : page.goForward(options);
  });
}

async function navigate(
  { session }: ActionParts,
  go: (page: Page) => Promise<unknown>,
): Promise<LiveFault | undefined> {
  const page = session.activePage.current;
  if (!page) return makeFailure(noPageText);
  try {
    await go(page);
    return undefined;
  } catch (error) {
    // A newer navigation takes the place of this one, and its page shows.
    return /interrupted by another navigation|net::ERR_ABORTED/.test(describeServiceError(error))
      ? undefined
      : makeFailure(describeReason(error));
  }
}

async function answerDialog(
  { action, text }: LiveAnswer,
  { hub }: Pick<ActionParts, "hub">,
): Promise<LiveFault | undefined> {
  const { dialog } = hub;
  if (!dialog) return makeRefusal("no dialog is open");
  await (action === "accept" ? dialog.accept(text) : dialog.dismiss());
  return undefined;
}

/** Returns why the browser did not do something, without the address, which may contain secrets. */
function describeReason(error: unknown): string {
  const [code] = /net::ERR_\w+/.exec(describeServiceError(error)) ?? [];
  return code === undefined ? "the page did not do that" : `the page can't be loaded (${code})`;
}

function makeRefusal(message: string): LiveFault {
  return { code: "refused", message };
}

function makeFailure(message: string): LiveFault {
  return { code: "failed", message };
}
