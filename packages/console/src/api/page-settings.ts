/** Settings that the service writes into the page for the console. */
interface PageSettings {
  /** Word of the service in the path of automations. */
  readonly automationWord?: string;
  /** Word of the service in its headers. */
  readonly serviceWord?: string;
}

/** Returns the settings that the service wrote into the page; empty where another server serves it. */
export function readPageSettings(): PageSettings {
  const text = document.querySelector("meta[name=cloud-browser]")?.getAttribute("content");
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return {};
  }
}
