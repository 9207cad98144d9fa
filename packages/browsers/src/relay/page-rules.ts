import { addressRefused, isAllowedAddress } from "./allowed-address.ts";
import { type Fields, isFields, textOf } from "../devtools/message.ts";
import { refusedCommand } from "./refusals.ts";

/** Domains that reach no further than the page (or worker) that a session is attached to. */
const domains: ReadonlySet<string> = new Set([
  "Accessibility",
  "Ads",
  "Animation",
  "Audits",
  "CSS",
  "CacheStorage",
  "Console",
  "DOM",
  "DOMDebugger",
  "DOMSnapshot",
  "DOMStorage",
  "Debugger",
  "DeviceOrientation",
  "Emulation",
  "EventBreakpoints",
  "FedCm",
  "Fetch",
  "HeapProfiler",
  "IO",
  "IndexedDB",
  "Input",
  "Inspector",
  "LayerTree",
  "Log",
  "Media",
  "Memory",
  "Network",
  "Overlay",
  "Page",
  "Performance",
  "PerformanceTimeline",
  "Preload",
  "Profiler",
  "Runtime",
  "Schema",
  "Security",
  "ServiceWorker",
  "Storage",
  "WebAudio",
  "WebAuthn",
]);

/** Commands of these domains that reach further all the same. */
const refused: ReadonlySet<string> = new Set([
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

const noHostFiles =
  "Uploads by path are disabled: a path names a file on the machine of the browser, not on yours. Send the content instead. Playwright's setInputFiles does; with Puppeteer and others use page.evaluate: const list = new DataTransfer(); list.items.add(new File([content], name)); input.files = list.files; input.dispatchEvent(new Event('change', { bubbles: true })).";
const noPaste = "Paste is disabled: the clipboard is shared by the whole machine. Use fill or type instead.";

const hasItems = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Keys of their own for the clipboard. */
const clipboardKey = /^(?:paste|copy|cut)$/i;

/** Editors take what is beyond the lower 16 bits of a key's number for keys that are held. */
const mostVirtualCode = 0xffff;

/**
 * Tells whether a key makes an editor paste: Ctrl or Meta with V, Shift with Insert, a key for the clipboard, a command of editors that
 * says so, or a number that hides which keys are held.
 */
function pastes(params: Fields): boolean {
  const { modifiers, windowsVirtualKeyCode, key, code, commands } = params;
  if (clipboardKey.test(textOf(key) ?? "") || clipboardKey.test(textOf(code) ?? "")) return true;
  if (
    typeof windowsVirtualKeyCode === "number" &&
    (windowsVirtualKeyCode < 0 || windowsVirtualKeyCode > mostVirtualCode)
  )
    return true;
  const held = typeof modifiers === "number" ? modifiers : 0;
  const isKey = (virtualCode: number, name: string, place: string): boolean =>
    windowsVirtualKeyCode === virtualCode || (typeof key === "string" && key.toLowerCase() === name) || code === place;
  if (Array.isArray(commands) && commands.some((command) => /paste|yank/i.test(textOf(command) ?? ""))) return true;
  return ((held & 6) !== 0 && isKey(86, "v", "KeyV")) || ((held & 8) !== 0 && isKey(45, "insert", "Insert"));
}

/** Checks of command parameters: each returns why the command is refused, or undefined. */
const checks: Readonly<Record<string, (params: Fields) => string | undefined>> = {
  "Page.navigate": ({ url }) => (isAllowedAddress(textOf(url) ?? "") ? undefined : addressRefused),
  "Network.loadNetworkResource": ({ url }) => (isAllowedAddress(textOf(url) ?? "") ? undefined : addressRefused),
  "Fetch.continueRequest": ({ url }) =>
    url === undefined || isAllowedAddress(textOf(url) ?? "") ? undefined : addressRefused,
  "DOM.setFileInputFiles": ({ files }) => (hasItems(files) ? noHostFiles : undefined),
  "Input.dispatchDragEvent": ({ data }) => (isFields(data) && hasItems(data["files"]) ? noHostFiles : undefined),
  "Input.dispatchKeyEvent": (params) => (pastes(params) ? noPaste : undefined),
};

/** Commands that Chromium carries out for the whole browser, or for its first context, even when they are sent to a page. */
const forBrowser = /^(?:Browser\.|Extensions\.|Storage\.(?:get|set|clear)Cookies$)/;

/** Tells whether a command to a page is in truth one to the browser. */
export const isForBrowser = (method: string): boolean => forBrowser.test(method);

/**
 * Returns why a command for a page is refused, or undefined when it may pass: it reaches no other session and nothing of the machine.
 */
export function whyRefused(method: string, params: Fields): string | undefined {
  const domain = method.slice(0, method.indexOf("."));
  if (!domains.has(domain) || refused.has(method)) {
    return refusedCommand(method);
  }
  return Object.hasOwn(checks, method) ? checks[method]?.(params) : undefined;
}

const acting =
  /^(?:Input\.|Page\.(?:navigate|navigateToHistoryEntry|reload|setDocumentContent|handleJavaScriptDialog|bringToFront|close)$|Runtime\.(?:evaluate|callFunctionOn|runScript)$|Target\.(?:createTarget|closeTarget|activateTarget)$|Emulation\.setDeviceMetricsOverride$|DOM\.(?:set|remove|focus|scroll))/;

/** Tells whether a command may change what a page shows. */
export const mayChangePage = (method: string): boolean => acting.test(method);
