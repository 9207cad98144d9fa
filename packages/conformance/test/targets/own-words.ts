/** A service with words of its own in the path of its automation and in two header names; nothing is at the neutral ones. */
import type { ReceivedRequest } from "./messages.ts";

/** The words. */
export const ownWords = { automationWord: "agents-2", serviceWord: "acme" } as const;

/** Returns a request in the neutral words, as the services of the tests read it. */
export function inNeutralWords(request: ReceivedRequest): ReceivedRequest {
  const names = Object.keys(request.headers);
  if (names.some((name) => /^x-service-(?:request-origin|sdk-version)$/.test(name)))
    return { ...request, path: "/neutral" };
  const path = request.path
    .replace("/api/automation/start", "/neutral")
    .replace(`/api/${ownWords.automationWord}/start`, "/api/automation/start");
  const headers = names.map((name) => [
    name.replace(/^x-acme-(?=request-origin$|sdk-version$)/, "x-service-"),
    request.headers[name],
  ]);
  return { ...request, path, headers: Object.fromEntries(headers) };
}
