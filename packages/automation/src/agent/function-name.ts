/** Most words of a name that is made of a task. */
const maxWords = 6;

/** Converts words to a name in snake_case. */
export function functionName(words: string): string {
  const plain = words
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
  const name = (plain.match(/[a-z0-9]+/g) ?? []).slice(0, maxWords).join("_").slice(0, 60);
  if (name === "") return "task";
  return /^\d/.test(name) ? `task_${name}`.slice(0, 60) : name;
}
