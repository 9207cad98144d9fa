import type { StepContext } from "../page/step-context.ts";
import { writeAnswer } from "../task/answer.ts";
import { redactError, type Secrets } from "../task/redaction.ts";
import type { StepResult } from "../task/step.ts";
import type { Work, Workplace } from "../task/work.ts";
import { endSteps } from "./end-steps.ts";

/** Collects the results of the steps of a run, with secrets redacted. */
export class StepResults {
  readonly #secrets: Secrets;
  readonly #data: Record<string, unknown> = {};
  readonly #completeness: Record<string, string> = {};
  readonly #notes: string[] = [];

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Adds the result of a step. */
  add({ data, notes = [] }: StepResult): void {
    if (data) this.#data[data.name] = this.#secrets.redactJson(data.value);
    if (data?.completeness) this.#completeness[data.name] = this.#secrets.redact(data.completeness);
    this.#notes.push(...notes);
  }

  /**
   * Ends the run after its last step: waits until nothing that the steps began goes on, and emits the answer.
   *
   * @param stepCount - Number of steps, for an answer without data.
   * @param earlierNotes - Notes that come before those of the steps.
   * @throws {AutomationError} `step_failed` if something still goes on after the bound, or a page says that a step failed after all.
   */
  async finish(
    stepCount: number,
    earlierNotes: readonly string[],
    context: StepContext,
    emit: Workplace["emit"],
  ): Promise<Pick<Work, "answer" | "data" | "completeness" | "notes">> {
    const late = await endSteps(context).catch((error: unknown) => {
      throw redactError(error, this.#secrets);
    });
    const all = new Set([...earlierNotes, ...this.#notes, ...late]);
    const notes = [...all].map((note) => this.#secrets.redact(note));
    const answer = writeAnswer(stepCount, this.#data, notes);
    await emit({ type: "text_delta", delta: answer });
    await emit({ type: "message_complete", role: "assistant" });
    return {
      answer,
      data: this.#data,
      ...(Object.keys(this.#completeness).length > 0 ? { completeness: this.#completeness } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
  }
}
