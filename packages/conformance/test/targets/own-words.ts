/** A service with words of its own in the path of its automation and in two header names; nothing is at the neutral ones. */
import type { Asked } from "./asked.ts";

/** The words. */
export const ownWords = { automationWord: "agents-2", serviceWord: "acme" } as const;

/** Returns a request in the neutral words, as the services of the tests read it. */
export function inNeutralWords(asked: Asked): Asked {
  const names = Object.keys(asked.headers);
  if (names.some((name) => /^x-service-(?:request-origin|sdk-version)$/.test(name)))
    return { ...asked, path: "/neutral" };
  const path = asked.path
    .replace("/api/automation/start", "/neutral")
    .replace(`/api/${ownWords.automationWord}/start`, "/api/automation/start");
  const headers = names.map((name) => [
    name.replace(/^x-acme-(?=request-origin$|sdk-version$)/, "x-service-"),
    asked.headers[name],
  ]);
  return { ...asked, path, headers: Object.fromEntries(headers) };
}
