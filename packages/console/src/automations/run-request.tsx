import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { forAllKeys } from "../api/lists.ts";
import { usePolled } from "../api/polled.ts";
import { HandoverRequest } from "../handovers/handover-request.tsx";
import { links } from "../routes.ts";

/** Open request of an active run for a person, to be answered beside its events; empty without a request. */
export function RunRequest({ sessionId }: { sessionId: string }): JSX.Element | null {
  const open = usePolled(
    async (signal) => {
      const { handovers } = await forAllKeys((query) =>
        unwrap(
          control.GET("/control/handovers", { params: { query: { state: "open", limit: 1_000, ...query } }, signal }),
        ),
      );
      return handovers.find(({ session_id }) => session_id === sessionId);
    },
    [sessionId],
    2_000,
    ["handovers"],
  );
  const request = open.value.value;
  if (!request) return null;
  return (
    <section aria-label={request.message}>
      <HandoverRequest key={request.handover_id} sessionId={sessionId} request={request} onAnswer={open.again} />
      <p>
        <a href={links.session(sessionId, "live")}>Take over its session</a>
      </p>
    </section>
  );
}
