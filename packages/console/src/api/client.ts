import { createCloudBrowser, type CloudBrowser } from "@cloud-browser/client";
import { apiKey } from "./key.ts";
import { readPageSettings } from "./page-settings.ts";

/** Creates a client of the interface, with the key of this tab. */
export function createClient(): CloudBrowser {
  const { automationWord, serviceWord } = readPageSettings();
  return createCloudBrowser({
    baseUrl: location.origin,
    automationUrl: location.origin,
    apiKey: apiKey.value ?? "",
    // The page itself came that way.
    allowInsecureHttp: location.protocol === "http:",
    ...(automationWord === undefined ? {} : { automationWord }),
    ...(serviceWord === undefined ? {} : { serviceWord }),
  });
}
