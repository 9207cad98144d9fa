/** The rows of one key, whose name is the second parameter; null is the key that the service was started with, and no parameter. */
export function ofKey(key: string | null): string {
  return key === null ? "WHERE key_name IS NULL" : "WHERE key_name = $2";
}
