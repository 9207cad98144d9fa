import { nameFrom } from "../task/names.ts";

/** Most words of a name that is made of a task. */
const maxWords = 6;

/** Converts words to a name in snake_case. */
export function functionName(words: string): string {
  const plain = words.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  return nameFrom((plain.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, maxWords).join("_"), "task");
}
