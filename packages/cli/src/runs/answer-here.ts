import { ClientError } from "@cloud-browser/client";
import type { Call } from "../command/command.ts";
import { ask, askLine } from "../terminal/ask.ts";
import { consolePage, openInBrowser } from "../terminal/open-in-browser.ts";
import type { Waiting } from "./run-output.ts";

/**
 * Asks the person at the terminal to answer a request of a run. Without interaction, prints how to answer it from elsewhere, and continues
 * to follow the run. The question is removed when the signal aborts; Ctrl-C in it interrupts the whole command.
 */
export async function answerHere(
  call: Call<object>,
  { handoverId, message }: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const { terminal, isInteractive, connect, interrupt } = call;
  const elsewhere = `answer with: cloud-browser handover answer ${handoverId} done`;
  if (!isInteractive) return terminal.note(elsewhere);
  const { control, baseUrl } = connect();
  try {
    const { handovers } = await control.handovers.list({ state: "open", limit: 1000 }, { signal });
    const handover = handovers.find(({ handover_id }) => handover_id === handoverId);
    if (!handover) return terminal.note("it was answered elsewhere");
    const { session_id: sessionId } = handover;
    for (;;) {
      const answer = await ask(
        terminal,
        {
          message,
          options: [
            { value: "view", label: "open the live view" },
            { value: "done", label: "done: go on" },
            { value: "declined", label: "declined: it can't or must not be done" },
            { value: "later", label: "answer elsewhere" },
          ],
        },
        signal,
      );
      if (answer === undefined) return signal.aborted ? undefined : interrupt();
      if (answer === "later") return terminal.note(elsewhere);
      if (answer === "view") {
        const page = consolePage(baseUrl, sessionId);
        terminal.note(page);
        await openInBrowser(page, terminal);
        continue;
      }
      const note = answer === "declined" ? await askLine(terminal, "why (may be empty)", signal) : "";
      await control.handovers.answer(sessionId, handoverId, { answer, ...(note ? { note } : {}) }, { signal });
      return;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ClientError)) throw error;
    terminal.note(`cloud-browser: ${error.message}; ${elsewhere}`);
  }
}
