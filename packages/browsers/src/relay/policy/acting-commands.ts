/** Kind of an act on a page: by the command itself, or by a script that it runs there. */
export type ActKind = "acts" | "evaluates";

/** The domain of which every command acts. */
const actingDomain = "Input.";

/**
 * Commands that act: that do what a user does (input, navigation, dialogs, tabs, files), or change or remove what the page or its site
 * shows and knows (elements, cookies, stored data). Those that prepare, observe, or let a page continue are not among them: a page would
 * hang without its answers to `Fetch` and to a waiting debugger.
 */
const actingCommands: Readonly<Record<string, string>> = {
  Autofill: "trigger",
  Browser: "close",
  CacheStorage: "deleteCache deleteEntry",
  DOM:
    "copyTo focus forceShowPopover moveTo redo removeAttribute removeNode scrollIntoViewIfNeeded setAttributeValue " +
    "setAttributesAsText setFileInputFiles setNodeName setNodeValue setOuterHTML undo",
  DOMStorage: "clear removeDOMStorageItem setDOMStorageItem",
  Debugger: "pause",
  DeviceAccess: "cancelPrompt selectPrompt",
  FedCm: "clickDialogButton dismissDialog openUrl selectAccount",
  IndexedDB: "clearObjectStore deleteDatabase deleteObjectStoreEntries",
  Network: "clearBrowserCookies deleteCookies deleteDeviceBoundSession replayXHR setCookie setCookies",
  Overlay: "setInspectMode",
  Page:
    "bringToFront close deleteCookie handleFileChooser handleJavaScriptDialog navigate navigateToHistoryEntry reload " +
    "resetNavigationHistory setDocumentContent setWebLifecycleState stopLoading",
  Runtime: "terminateExecution",
  Storage:
    "clearCookies clearDataForOrigin clearDataForStorageKey clearSharedStorageEntries deleteSharedStorageEntry deleteStorageBucket " +
    "setCookies setSharedStorageEntry",
  Target: "activateTarget closeTarget createTarget",
};

/** Commands that run a script of the client in a page, now. */
const evaluatingCommands: Readonly<Record<string, string>> = {
  Debugger: "evaluateOnCallFrame setScriptSource setVariableValue",
  Runtime: "callFunctionOn evaluate runScript",
};

const acting = listNames(actingCommands);
const evaluating = listNames(evaluatingCommands);

/** Returns how a command acts on a page; undefined for one that does not. */
export function findAct(method: string): ActKind | undefined {
  if (evaluating.has(method)) return "evaluates";
  return acting.has(method) || method.startsWith(actingDomain) ? "acts" : undefined;
}

function listNames(byDomain: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(
    Object.entries(byDomain).flatMap(([domain, names]) => names.split(" ").map((name) => `${domain}.${name}`)),
  );
}
