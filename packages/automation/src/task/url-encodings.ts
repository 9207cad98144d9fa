/**
 * The forms that a value may have in an address: as scripts, forms and, last, browsers encode it, which leave signs as they are that mean
 * something there.
 */
export function formsInAddress(value: string): readonly string[] {
  const text = value.toWellFormed();
  const encoded = encodeURIComponent(text);
  const sent = new URLSearchParams([["", text]]).toString().slice(1);
  return [encoded, encoded.replaceAll("%20", "+"), sent, encodeURI(text)];
}
