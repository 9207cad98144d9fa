/**
 * Returns the encodings of a value in a URL: those of scripts, of forms, and last of browsers, which keep URL delimiters.
 */
export function listUrlEncodings(value: string): readonly string[] {
  const text = value.toWellFormed();
  const encoded = encodeURIComponent(text);
  const sent = new URLSearchParams([["", text]]).toString().slice(1);
  return [encoded, encoded.replaceAll("%20", "+"), sent, encodeURI(text)];
}
