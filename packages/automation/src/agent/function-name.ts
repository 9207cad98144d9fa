import { toName } from "../task/names.ts";

/** Most words of a name that is made of a task. */
const maxWords = 6;

/**
 * Converts words to a name in snake_case.
 *
 * @example
 * ```ts from=examples/api/automation/function-name.ts
 * import { functionName } from "@cloud-browser/automation";
 *
 * console.log(functionName("When does the next ferry leave from pier 3?")); // when_does_the_next_ferry_leave
 * ```
 */
export function functionName(words: string): string {
  const plain = words.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  return toName((plain.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, maxWords).join("_"), "task");
}
