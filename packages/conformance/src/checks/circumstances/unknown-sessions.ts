import type { Probe } from "../../http/probe.ts";
import type { Operation } from "../../contract/contract.ts";
import type { RequestPlan } from "../../http/request-plan.ts";

/** No server can know this session: the identifier is made for this purpose. */
const unknownSession = "00000000-0000-4000-8000-000000000000";

function unknownSessionProbe(
  word: string,
  operation: Operation,
  plan: Pick<RequestPlan, "method" | "body">,
  rest: string,
): Probe {
  return {
    id: `${word}/unknown-session`,
    operation,
    needs: ["knows-sessions"],
    expects: "open",
    startsRun: false,
    request: () => ({ ...plan, path: `/sessions/${unknownSession}/${rest}`, credentials: "key" }),
  };
}

/** Requests that are only observed; no check judges them. */
export const observationProbes: readonly Probe[] = [
  unknownSessionProbe("scrape", "page_scrape", { method: "POST", body: "{}" }, "page/scrape"),
  unknownSessionProbe("cookies", "session_cookies", { method: "GET" }, "cookies"),
  unknownSessionProbe("replay", "session_replay", { method: "GET" }, "replay"),
  {
    id: "scrape/with-broken-json",
    operation: "page_scrape",
    needs: ["reads-any-body"],
    expects: "refusal",
    startsRun: false,
    request: ({ sessionId }) => ({
      method: "POST",
      path: `/sessions/${encodeURIComponent(sessionId)}/page/scrape`,
      credentials: "key",
      body: '{"selector": ',
    }),
  },
];
