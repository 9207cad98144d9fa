import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { forAllKeys } from "../api/lists.ts";
import { usePolled } from "../api/polled.ts";
import { HandoverRequest } from "../handovers/handover-request.tsx";
import { links } from "../routes.ts";

/** What an active run asks a person for, to be answered where its events are seen; nothing while it asks for nothing. */
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
