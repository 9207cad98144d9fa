/**
 * What stands in the header `Authorization` of a request.
 *
 * - `key`: the target's key. `none`: no such header. `wrong`: a key that no target can know.
 * - `empty`: the scheme, and no key after it.
 * - `key-first-half`, `key-but-last`, `key-extended`: a part of the target's key, or the key with more behind it.
 * - `key-other-letter`: the key with another letter in its middle: as long as the key, with its beginning and its end.
 * - `key-other-case`: the key with its letters in the other case.
 * - `key-as-basic`, `key-as-token`, `key-alone`: the whole key under the scheme Basic, under Token, and under none.
 * - `key-lower-scheme`: the key, and the scheme word in small letters.
 *
 * All but `key`, `none` and `wrong` may hold a piece of the key: they are secrets as well.
 *
 * Source: ours.
 */
export type Credentials =
  | "key"
  | "none"
  | "wrong"
  | "empty"
  | "key-first-half"
  | "key-but-last"
  | "key-extended"
  | "key-other-letter"
  | "key-other-case"
  | "key-as-basic"
  | "key-as-token"
  | "key-alone"
  | "key-lower-scheme";

/** A key that no target can know: it is not derived from the real one. */
const wrongKey = "cloud-browser-conformance-key-that-is-not-valid";

/** The value of `Authorization`; undefined for no such header. Source: interface § Authentication. */
export function authorizationOf(credentials: Credentials, apiKey: string): string | undefined {
  switch (credentials) {
    case "none":
      return undefined;
    case "wrong":
      return `Bearer ${wrongKey}`;
    case "empty":
      return "Bearer ";
    case "key-first-half":
      return `Bearer ${apiKey.slice(0, Math.floor(apiKey.length / 2))}`;
    case "key-but-last":
      return `Bearer ${apiKey.slice(0, -1)}`;
    case "key-extended":
      return `Bearer ${apiKey}x`;
    case "key-other-letter":
      return `Bearer ${otherLetter(apiKey)}`;
    case "key-other-case":
      return `Bearer ${otherCase(apiKey)}`;
    case "key-as-basic":
      return `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
    case "key-as-token":
      return `Token ${apiKey}`;
    case "key-alone":
      return apiKey;
    case "key-lower-scheme":
      return `bearer ${apiKey}`;
    case "key":
      return `Bearer ${apiKey}`;
  }
}

/** The key with the next sign of ASCII in the place of the one in its middle. */
function otherLetter(key: string): string {
  const middle = Math.floor(key.length / 2);
  const next = key.charAt(middle) === "~" ? "!" : String.fromCharCode(key.charCodeAt(middle) + 1);
  return `${key.slice(0, middle)}${next}${key.slice(middle + 1)}`;
}

/** Small letters for capitals, and capitals for small letters. Source: ours. */
export function otherCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
