import { ClientError } from "@cloud-browser/client";
import type { AutomationStream } from "@cloud-browser/stream";
import type { Call } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { answerHere } from "./answer-here.ts";
import { printRun, type FollowFlags } from "./run-output.ts";

/** A run that this command started. */
export interface OwnRun {
  /** Its events. */
  readonly stream: AutomationStream;
  /** Its id; undefined when the server does not say. */
  readonly id: string | undefined;
  /** Aborts at its time limit. */
  readonly limit?: AbortSignal | undefined;
}

/**
 * Follows a run that this command started, and cancels it at Ctrl-C and at its time limit, as nobody else would end it.
 *
 * @throws {CliError} As `printRun`; `interrupted` or `timeout` when it was cancelled here.
 */
export async function followOwnRun(call: Call<FollowFlags>, { stream, id, limit }: OwnRun): Promise<void> {
  const { signal, terminal } = call;
  try {
    await printRun(call, stream, id, (waiting, until) => answerHere(call, waiting, until));
  } catch (error) {
    if (!signal.aborted && !limit?.aborted) throw error;
    if (signal.aborted) terminal.note("cancelling the run; another Ctrl-C leaves at once");
    const outcome = await cancelRun(call, id);
    throw signal.aborted
      ? new CliError("interrupted", outcome)
      : new CliError("timeout", `the time of --timeout is over; ${outcome}`);
  }
}

/** Cancels an abandoned run, and prints its outcome. */
async function cancelRun({ connect }: Call<object>, id: string | undefined): Promise<string> {
  if (id === undefined) return "the connection was left; the server does not say whether the run goes on";
  try {
    await connect().control.runs.cancel(id);
    return `the run ${id} was cancelled`;
  } catch (error) {
    const why = error instanceof ClientError ? error.message : "internal error";
    return `the run ${id} could not be cancelled, and may still be active: ${why}`;
  }
}
