/** Returns the condition for the rows of one key, `:key`; null: of the key that the service was started with, undefined: of all. */
export function isOfKey(key: string | null | undefined): string {
  if (key === undefined) return "TRUE";
  return key === null ? "key_name IS NULL" : "key_name = :key";
}

/** Returns the value of that parameter. */
export function makeKeyValue(key: string | null | undefined): { readonly key: string | null } {
  return { key: key ?? null };
}
