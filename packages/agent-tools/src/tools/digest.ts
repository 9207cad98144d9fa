/** Returns a digest of texts, in hexadecimal: equal for equal texts. */
export async function computeDigest(...texts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(texts));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
