import { AutomationError, StepError } from "../automation-error.ts";
import { askHeldValues } from "../page/ask-documents.ts";
import { hearLate } from "../page/hear.ts";
import { watchSession } from "../page/session-watch.ts";
import { describePending, settle } from "../page/settling.ts";
import type { StepContext } from "../page/step-context.ts";
import { untilAborted } from "../async.ts";

/**
 * Waits, after the last step, until nothing that the steps began goes on, so that the session can be closed. Returns the reactions of
 * pages meanwhile, as sentences.
 *
 * @throws {AutomationError} `step_failed` if something still goes on after the bound, or pages say that a step failed after all.
 */
export async function endSteps(context: StepContext): Promise<readonly string[]> {
  const page = context.activePage.current;
  if (page === undefined) return [];
  return untilAborted(end(), context.signal);

  async function end(): Promise<readonly string[]> {
    if (page === undefined) return [];
    const watch = await watchSession(page);
    const { downloads } = watch.dialogs;
    if (watch.manner === undefined && !downloads.isAny) return [];
    try {
      await askHeldValues(page, "blur");
      const { own, ownBusy, others } = await settle(page, context, "closing");
      const notes = [
        ...(await hearLate(context.activePage.current ?? page)),
        ...(await downloads.finish(context.signal)),
      ];
      if (own.length > 0) throw new StepError(describePending(own));
      if (ownBusy[0] !== undefined) throw new StepError(`the page still shows ${JSON.stringify(ownBusy[0])}`);
      const ongoing = [...others, ...watch.ongoing];
      return [...notes, ...(ongoing.length > 0 ? [`At the end, ${describePending(ongoing)}.`] : [])];
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof AutomationError)) throw error;
      throw new AutomationError(error.code, `after the last step: ${error.message}`, { cause: error });
    }
  }
}
