import { urlRefused, isAllowedUrl } from "./allowed-url.ts";
import { type CommandError, type Fields, refusal, asText } from "../../devtools/message.ts";
import { pageDomains } from "./page-domains.ts";
import { refusedCommand } from "./refusals.ts";

/** Commands of these domains that affect more than the page. */
const refused: ReadonlySet<string> = new Set([
  "DOM.getFileInfo",
  "Emulation.addScreen",
  "Emulation.removeScreen",
  "Emulation.setPrimaryScreen",
  "Emulation.updateScreen",
  "Memory.getAllTimeSamplingProfile",
  "Memory.getBrowserSamplingProfile",
  "Memory.getSamplingProfile",
  "Memory.setPressureNotificationsSuppressed",
  "Memory.simulatePressureNotification",
  "Memory.startSampling",
  "Memory.stopSampling",
  "Page.crash",
  "Page.startScreenRecording",
  "Page.stopScreenRecording",
]);

const pasteDisabled = "Paste is disabled: the clipboard is shared by the whole machine. Use fill or type instead.";

/** Dedicated clipboard keys. */
const clipboardKey = /^(?:paste|copy|cut)$/i;

/** Largest virtual key code: editors read higher bits as modifiers. */
const maxVirtualCode = 0xffff;

/**
 * Returns whether a key event pastes: Ctrl or Meta with V, Shift with Insert, a clipboard key, an editing command that
 * pastes, or a key code with modifiers in its higher bits.
 */
function pastes(params: Fields): boolean {
  const { modifiers, windowsVirtualKeyCode, key, code, commands } = params;
  if (clipboardKey.test(asText(key) ?? "") || clipboardKey.test(asText(code) ?? "")) return true;
  if (
    typeof windowsVirtualKeyCode === "number" &&
    (windowsVirtualKeyCode < 0 || windowsVirtualKeyCode > maxVirtualCode)
  )
    return true;
  const held = typeof modifiers === "number" ? modifiers : 0;
  const isKey = (virtualCode: number, name: string, place: string): boolean =>
    windowsVirtualKeyCode === virtualCode || (typeof key === "string" && key.toLowerCase() === name) || code === place;
  if (Array.isArray(commands) && commands.some((command) => /paste|yank/i.test(asText(command) ?? ""))) return true;
  return ((held & 6) !== 0 && isKey(86, "v", "KeyV")) || ((held & 8) !== 0 && isKey(45, "insert", "Insert"));
}

/** Checks of command parameters: each returns the error message, or undefined. */
const checks: Readonly<Record<string, (params: Fields) => string | undefined>> = {
  "Page.navigate": ({ url }) => (isAllowedUrl(asText(url) ?? "") ? undefined : urlRefused),
  "Network.loadNetworkResource": ({ url }) => (isAllowedUrl(asText(url) ?? "") ? undefined : urlRefused),
  "Fetch.continueRequest": ({ url }) => (url === undefined || isAllowedUrl(asText(url) ?? "") ? undefined : urlRefused),
  "Input.dispatchKeyEvent": (params) => (pastes(params) ? pasteDisabled : undefined),
};

/** Commands that Chromium executes for the whole browser, or for its first context, even when sent to a page. */
const browserCommands = /^(?:Browser\.|Extensions\.|Storage\.(?:get|set|clear)Cookies$)/;

/** Returns whether a command to a page affects the whole browser. */
export const isBrowserCommand = (method: string): boolean => browserCommands.test(method);

/**
 * Returns the CDP error of a command to a page that is refused; undefined if it is allowed: it affects no other session and not the machine.
 *
 * @example
 * ```ts from=examples/api/browsers/refuse-page-command.ts
 * import { refusePageCommand } from "@cloud-browser/browsers";
 *
 * console.log(refusePageCommand("Page.navigate", { url: "https://ferries.example/" })); // undefined
 * console.log(refusePageCommand("Browser.close", {})?.message); // …
 * ```
 */
export function refusePageCommand(method: string, params: Fields): CommandError | undefined {
  const domain = method.slice(0, method.indexOf("."));
  if (!pageDomains.has(domain) || refused.has(method)) {
    return refusedCommand(method);
  }
  const reason = Object.hasOwn(checks, method) ? checks[method]?.(params) : undefined;
  return reason === undefined ? undefined : refusal(reason);
}

const changingCommands =
  /^(?:Input\.|Page\.(?:navigate|navigateToHistoryEntry|reload|setDocumentContent|handleJavaScriptDialog|bringToFront|close)$|Runtime\.(?:evaluate|callFunctionOn|runScript)$|Target\.(?:createTarget|closeTarget|activateTarget)$|Emulation\.setDeviceMetricsOverride$|DOM\.(?:set|remove|focus|scroll))/;

/** Returns whether a command may change what a page shows. */
export const mayChangePage = (method: string): boolean => changingCommands.test(method);
