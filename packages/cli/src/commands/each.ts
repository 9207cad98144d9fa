import { CliError, type Failure } from "../errors/cli-error.ts";
import { failureOf, sentenceOf } from "../errors/exit-codes.ts";

/**
 * Does something for each of several things; what fails for one keeps it from no other.
 *
 * @throws {CliError} With the first failure and all messages, when all have been tried.
 */
export async function forEach(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<void> {
  let first: Failure | undefined;
  const messages: string[] = [];
  for (const id of ids) {
    try {
      await act(id);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined || failure === "interrupted" || !(error instanceof Error)) throw error;
      first ??= failure;
      messages.push(ids.length > 1 ? `${id}: ${sentenceOf(error)}` : sentenceOf(error));
    }
  }
  if (first !== undefined) throw new CliError(first, messages.join("\n"));
}
