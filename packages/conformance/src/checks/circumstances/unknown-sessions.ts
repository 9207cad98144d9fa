import type { Probe } from "../../http/probe.ts";
import type { Operation } from "../../contract/contract.ts";
import { planRead, planScrape, type RequestPlan } from "../../http/request-plan.ts";

/** Id of a session that no server can know: it is made for this purpose. */
const unknownSession = "00000000-0000-4000-8000-000000000000";

function unknownSessionProbe(word: string, operation: Operation, plan: RequestPlan): Probe {
  return {
    id: `${word}/unknown-session`,
    operation,
    needs: ["knows-sessions"],
    expects: "open",
    request: () => plan,
  };
}

/** Requests that are only observed; no check judges them. */
export const observationProbes: readonly Probe[] = [
  unknownSessionProbe("scrape", "page_scrape", planScrape(unknownSession, {})),
  unknownSessionProbe("cookies", "session_cookies", planRead("cookies", unknownSession)),
  unknownSessionProbe("replay", "session_replay", planRead("replay", unknownSession)),
  {
    id: "scrape/with-broken-json",
    operation: "page_scrape",
    needs: ["reads-any-body"],
    expects: "refusal",
    request: ({ sessionId }) => planScrape(sessionId, {}, { body: '{"selector": ' }),
  },
];
