import { signal } from "@preact/signals";

/** Route of the console, from the fragment of its address. */
export type ConsoleRoute =
  | { readonly page: "sessions" }
  | { readonly page: "session"; readonly id: string; readonly tab: string | undefined }
  | { readonly page: "automations" }
  | { readonly page: "run"; readonly id: string }
  | { readonly page: "functions" }
  | { readonly page: "function"; readonly id: string }
  | { readonly page: "handovers" }
  | { readonly page: "profiles" }
  | { readonly page: "reports" }
  | { readonly page: "unknown" };

/** Current route. */
export const route = signal<ConsoleRoute>(readRoute(location.hash));

addEventListener("hashchange", () => {
  route.value = readRoute(location.hash);
  scrollTo({ top: 0 });
});

/** Addresses within the console. */
export const links = {
  sessions: "#/",
  session: (id: string, tab?: string): string =>
    `#/sessions/${encodeURIComponent(id)}${tab === undefined ? "" : `/${tab}`}`,
  automations: "#/automations",
  run: (id: string): string => `#/automations/${encodeURIComponent(id)}`,
  functions: "#/functions",
  function: (id: string): string => `#/functions/${encodeURIComponent(id)}`,
  handovers: "#/requests",
  profiles: "#/profiles",
  reports: "#/reports",
} as const;

/** Shows another route. */
export function navigate(href: string): void {
  location.hash = href;
}

/** Reads the fragment of an address. */
function readRoute(hash: string): ConsoleRoute {
  const [first = "", second, third] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode);
  switch (first) {
    case "":
      return { page: "sessions" };
    case "sessions":
      return second ? { page: "session", id: second, tab: third } : { page: "sessions" };
    case "automations":
      return second ? { page: "run", id: second } : { page: "automations" };
    case "functions":
      return second ? { page: "function", id: second } : { page: "functions" };
    case "requests":
      return { page: "handovers" };
    case "profiles":
      return { page: "profiles" };
    case "reports":
      return { page: "reports" };
    default:
      return { page: "unknown" };
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
