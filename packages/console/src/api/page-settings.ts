/** What the service writes into the page for the console. */
interface PageSettings {
  /** Word of the service in the path of automations. */
  readonly automationWord?: string;
  /** Word of the service in its headers. */
  readonly serviceWord?: string;
}

/** Returns what the service wrote into the page; nothing where it was served by something else. */
export function readPageSettings(): PageSettings {
  const text = document.querySelector("meta[name=cloud-browser]")?.getAttribute("content");
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return {};
  }
}
