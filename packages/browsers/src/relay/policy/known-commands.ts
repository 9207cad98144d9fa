/** Commands of Chromium of the domains that are about more than a page, by their domain. Any other command of these does not exist. */
const commandsOfBrowser: Readonly<Record<string, string>> = {
  Autofill: "disable enable setAddresses trigger",
  BackgroundService: "clearEvents setRecording startObserving stopObserving",
  BluetoothEmulation:
    "addCharacteristic addDescriptor addService disable enable removeCharacteristic removeDescriptor " +
    "removeService setSimulatedCentralState simulateAdvertisement simulateCharacteristicOperationResponse " +
    "simulateDescriptorOperationResponse simulateGATTDisconnection simulateGATTOperationResponse " +
    "simulatePreconnectedPeripheral",
  Browser:
    "addMockCamera addPrivacySandboxEnrollmentOverride cancelDownload close crash crashGpuProcess " +
    "executeBrowserCommand getBrowserCommandLine getGlobalPrivacyControl getHistogram getHistograms " +
    "getVersion getWindowBounds getWindowForTarget grantPermissions resetPermissions setContentsSize " +
    "setDockTile setDownloadBehavior setGlobalPrivacyControl setPermission setWindowBounds",
  Cast: "disable enable setSinkToUse startDesktopMirroring startTabMirroring stopCasting",
  CrashReportContext: "getEntries",
  DeviceAccess: "cancelPrompt disable enable selectPrompt",
  DigitalCredentials: "setVirtualWalletBehavior",
  Extensions:
    "clearStorageItems getExtensions getStorageItems loadUnpacked removeStorageItems setStorageItems " +
    "triggerAction uninstall",
  FileSystem: "getDirectory",
  FindInPage: "findFirst findNext findPrev stop",
  HeadlessExperimental: "beginFrame disable enable",
  PWA: "changeAppUserSettings getOsAppState install launch launchFilesInApp openCurrentPageInApp uninstall",
  SmartCardEmulation:
    "disable enable reportBeginTransactionResult reportConnectResult reportDataResult reportError " +
    "reportEstablishContextResult reportGetStatusChangeResult reportListReadersResult reportPlainResult " +
    "reportReleaseContextResult reportStatusResult",
  SystemInfo: "getFeatureState getInfo getProcessInfo",
  Target:
    "activateTarget attachToBrowserTarget attachToTarget autoAttachRelated closeTarget " +
    "createBrowserContext createTarget detachFromTarget disposeBrowserContext exposeDevToolsProtocol " +
    "getBrowserContexts getDevToolsTarget getTargetInfo getTargets openDevTools sendMessageToTarget " +
    "setAutoAttach setDiscoverTargets setRemoteLocations",
  Tethering: "bind unbind",
  Tracing: "end getCategories getTrackEventDescriptor recordClockSyncMarker requestMemoryDump start",
  WebMCP: "cancelInvocation disable enable invokeTool",
};

const known: ReadonlySet<string> = new Set(
  Object.entries(commandsOfBrowser).flatMap(([domain, names]) => names.split(" ").map((name) => `${domain}.${name}`)),
);

/** Returns whether Chromium has a command of a domain that is about more than a page. */
export function isKnownCommand(method: string): boolean {
  return known.has(method);
}
