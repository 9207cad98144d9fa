import type { StepContext } from "../page/step-context.ts";
import { writeAnswer } from "../task/answer.ts";
import { redactError, type Secrets } from "../task/redaction.ts";
import type { StepResult } from "../task/step.ts";
import type { Work, Workplace } from "../task/work.ts";
import { endSteps } from "./end-steps.ts";

/** Collects the results of the steps of a run. */
export class StepResults {
  readonly #secrets: Secrets;
  readonly #data = new Map<string, unknown>();
  readonly #completeness = new Map<string, string>();
  readonly #notes = new Set<string>();

  /** @param secrets - Secrets to redact, those that are added later included. */
  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** True when a step has extracted something. */
  get hasData(): boolean {
    return this.#data.size > 0;
  }

  /** Adds the result of a step. */
  add({ data, notes = [] }: StepResult): void {
    if (data) this.#data.set(data.name, data.value);
    if (data?.completeness) this.#completeness.set(data.name, data.completeness);
    this.addNotes(notes);
  }

  /** Adds notes, as sentences. */
  addNotes(notes: readonly string[]): void {
    for (const note of notes) this.#notes.add(note);
  }

  /** Returns the results so far, with secrets redacted. @param earlierNotes - Notes that come before those of the steps. */
  collect(earlierNotes: readonly string[] = []): Pick<Work, "data" | "completeness" | "notes"> {
    const secrets = this.#secrets;
    const data = [...this.#data].map(([name, value]) => [name, secrets.redactJson(value)] as const);
    const completeness = [...this.#completeness].map(([name, sentence]) => [name, secrets.redact(sentence)] as const);
    const notes = [...new Set([...earlierNotes, ...this.#notes])].map((note) => secrets.redact(note));
    return {
      data: Object.fromEntries(data),
      ...(completeness.length > 0 ? { completeness: Object.fromEntries(completeness) } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
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
    this.addNotes(late);
    const results = this.collect(earlierNotes);
    const answer = writeAnswer(stepCount, results.data, results.notes);
    await emit({ type: "text_delta", delta: answer });
    await emit({ type: "message_complete", role: "assistant" });
    return { answer, ...results };
  }
}
