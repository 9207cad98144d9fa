import { CliError, type Failure } from "../errors/cli-error.ts";
import { classifyFailure, explainRefusal } from "../errors/exit-codes.ts";

/** Results of an action on several items. */
export interface Tried {
  /** Items for which it succeeded. */
  readonly done: readonly string[];
  /** Error for the other items: the failure of the first, and a sentence for each; undefined when all succeeded. */
  readonly fault: CliError | undefined;
  /** Number of failed items. */
  readonly failed: number;
}

/**
 * Runs an action for each item, which may arrive as they are read. A failure does not stop the others.
 *
 * @param atATime - For how many at a time. Default: 1, in their order.
 */
export async function tryEach(
  ids: Iterable<string> | AsyncIterable<string>,
  act: (id: string) => Promise<unknown>,
  atATime = 1,
): Promise<Tried> {
  const done: string[] = [];
  const failed: { readonly id: string; readonly failure: Failure; readonly message: string }[] = [];
  const all = (async function* () {
    yield* ids;
  })();
  const doRest = async (): Promise<void> => {
    for (let next = await all.next(); next.done !== true; next = await all.next()) {
      const id = next.value;
      try {
        await act(id);
        done.push(id);
      } catch (error) {
        const failure = classifyFailure(error);
        if (failure === undefined || failure === "interrupted" || !(error instanceof Error)) throw error;
        failed.push({ id, failure, message: explainRefusal(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, doRest));
  const [first] = failed;
  const isOne = done.length + failed.length === 1;
  const messages = failed.map(({ id, message }) => (isOne ? message : `${id}: ${message}`));
  return { done, failed: failed.length, fault: first && new CliError(first.failure, messages.join("\n")) };
}

/**
 * Like `tryEach`, one after the other.
 *
 * @throws {CliError} With the first failure and all messages, when all have been tried.
 */
export async function forEach(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<void> {
  const { fault } = await tryEach(ids, act);
  if (fault) throw fault;
}
