import { Handovers } from "../handovers/handovers.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import type { SteeringEvents } from "../sessions/control/steering-events.ts";
import type { Storage } from "./open-storage.ts";
import type { ServiceSettings } from "./read-settings.ts";

/** Dependencies of the requests for a person. */
export interface HandoverDependencies {
  /** Options of the service. */
  readonly settings: Pick<ServiceSettings, "clock" | "log">;
  /** Keeps the requests. */
  readonly storage: Pick<Storage, "records">;
  /** Told of everything. */
  readonly steering: SteeringEvents;
  /** Counts answers. */
  readonly metrics: ServiceMetrics;
}

/** Accepts requests for a person, and logs and counts who steers. */
export function acceptHandovers({ settings, storage, steering, metrics }: HandoverDependencies): Handovers {
  const { clock, log } = settings;
  steering.observe((event) => {
    if (event.kind === "answered") metrics.countHandover(event.answer);
    // What the program asks, and what a person says, may hold what is nobody else's business.
    const { session_id: session, kind } = event;
    const detail = { ...("why" in event && { why: event.why }), ...("answer" in event && { answer: event.answer }) };
    log.info({ session, change: kind, ...detail }, "who steers a session has changed");
  });
  return new Handovers({
    store: storage.records.handovers,
    clock,
    events: steering,
    onFault: (err) => log.warn({ err }, "the expiry of a request for a person can't be stored; it is tried again"),
  });
}
