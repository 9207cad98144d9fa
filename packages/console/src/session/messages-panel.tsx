import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { Empty, Loaded } from "../ui/state.tsx";
import { formatDuration } from "../ui/time.tsx";

/** Console messages and failed requests of a session, while it lives: they are in no recording. */
export function MessagesPanel({ sessionId }: { sessionId: string }): JSX.Element {
  const messages = usePolled(
    (signal) =>
      unwrap(
        control.GET("/control/sessions/{session_id}/console", { params: { path: { session_id: sessionId } }, signal }),
      ),
    [sessionId],
    2_000,
  );
  return (
    <Loaded of={messages.value} retry={messages.again}>
      {({ messages: consoleMessages, failed_requests: failed, forgotten }) =>
        consoleMessages.length + failed.length === 0 ? (
          <Empty title="Nothing so far">
            <p>
              What pages write to their console, and requests that fail, appear here. They are kept while the session
              lives.
            </p>
          </Empty>
        ) : (
          <>
            <h2>
              Console <span class="count">{consoleMessages.length}</span>
            </h2>
            <ol class="messages">
              {consoleMessages.map(({ at_ms, level, text, url, line }, index) => (
                <li key={index} class={level}>
                  <span class="at">{formatDuration(at_ms)}</span>
                  <code>{text}</code>
                  {url !== "" && (
                    <span class="sub">
                      {url}:{line}
                    </span>
                  )}
                </li>
              ))}
            </ol>
            <h2>
              Failed requests <span class="count">{failed.length}</span>
            </h2>
            <ol class="messages">
              {failed.map(({ at_ms, url, status, error }, index) => (
                <li key={index} class="error">
                  <span class="at">{formatDuration(at_ms)}</span>
                  <code>{url}</code>
                  <span class="sub">{status ?? error}</span>
                </li>
              ))}
            </ol>
            {forgotten > 0 && <p class="hint">{forgotten} older ones are not kept.</p>}
          </>
        )
      }
    </Loaded>
  );
}
