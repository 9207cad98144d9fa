/** Condition for the rows of one key, whose name is the second parameter. Null: those of the key that the service was started with. */
export function whereKey(key: string | null): string {
  return key === null ? "WHERE key_name IS NULL" : "WHERE key_name = $2";
}

/** Returns a text that PostgreSQL can store: without NUL and unpaired surrogates. */
export function storableText(text: string | null): string | null {
  return text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null;
}
