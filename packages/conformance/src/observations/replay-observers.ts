import { isAnswerOf } from "../http/exchange.ts";
import { statusAndType } from "./http-observers.ts";
import { objectsAt } from "./json-fields.ts";
import { ofEach, ofProbes, type Observer } from "../checks/observer.ts";

/** Describes the notation of a timestamp; digits of its offset become 9. */
function timestampShape(text: string): string {
  const [, fraction = "", offset = ""] = /T[\d:]+(?:[.,](\d+))?(.*)$/.exec(text) ?? [];
  return `offset ${offset.replaceAll(/\d/g, "9") || "none"}, ${fraction.length} digits after the second`;
}

/** Observers of what the interface leaves open about the replay. */
export const replayObservers: readonly Observer[] = [
  ofProbes("open.replay.error-responses", ["replay/read"], (exchange) =>
    exchange.response?.status === 200 ? [] : statusAndType(exchange),
  ),
  ofEach("open.replay.expires_at-offset", (exchange) => {
    if (!isAnswerOf("session_replay", exchange)) return [];
    const [replay] = objectsAt(exchange, 200, []);
    const expires = replay?.["expires_at"];
    return typeof expires === "string" ? [timestampShape(expires)] : [];
  }),
];
