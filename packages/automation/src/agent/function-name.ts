/** Most words of a name that is made of a task. */
const mostWords = 6;

/** A name in snake_case of whatever words are given. */
export function functionName(words: string): string {
  const plain = words
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
  const name = (plain.match(/[a-z0-9]+/g) ?? []).slice(0, mostWords).join("_").slice(0, 60);
  if (name === "") return "task";
  return /^\d/.test(name) ? `task_${name}`.slice(0, 60) : name;
}
