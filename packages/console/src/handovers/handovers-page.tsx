import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { forAllKeys } from "../api/lists.ts";
import { usePolled } from "../api/polled.ts";
import { links } from "../routes.ts";
import { Empty, Loaded } from "../ui/state.tsx";
import { Time } from "../ui/time.tsx";
import { HandoverRequest } from "./handover-request.tsx";
import { DataTable } from "../ui/data-table.tsx";

/** Page with the requests of programs and automations for persons, in all sessions. */
export function HandoversPage(): JSX.Element {
  const handovers = usePolled(
    async (signal) =>
      (
        await forAllKeys((query) =>
          unwrap(control.GET("/control/handovers", { params: { query: { limit: 100, ...query } }, signal })),
        )
      ).handovers,
    [],
    2_000,
    ["handovers"],
  );
  return (
    <>
      <header class="page-head">
        <h1>Requests for a person</h1>
      </header>
      <Loaded of={handovers.value} retry={handovers.again}>
        {(all) => {
          const open = all.filter(({ state }) => state === "open");
          const answered = all.filter(({ state }) => state === "answered");
          return (
            <>
              {open.length === 0 && (
                <Empty title="Nobody is asked for">
                  <p>
                    A program asks with POST /control/sessions/…/handover, an automation where it meets a login or a
                    code (`--run-ask-person`).
                  </p>
                </Empty>
              )}
              {open.map((request) => (
                <section key={request.handover_id} aria-label={request.message}>
                  <HandoverRequest sessionId={request.session_id} request={request} onAnswer={handovers.again} />
                  <p>
                    <a href={links.session(request.session_id, "live")}>Take over its session</a>
                  </p>
                </section>
              ))}
              {answered.length > 0 && (
                <>
                  <h2>Answered</h2>
                  <DataTable label="Answered requests" columns={["Asked", "For", "Answer", "Note"]}>
                    {answered.map(({ handover_id, session_id, message, asked_at, answer, note }) => (
                      <tr key={handover_id}>
                        <td>
                          <Time at={asked_at} />
                        </td>
                        <td class="wide">
                          <a href={links.session(session_id)}>{message}</a>
                        </td>
                        <td>{answer}</td>
                        <td class="wide">{note}</td>
                      </tr>
                    ))}
                  </DataTable>
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
