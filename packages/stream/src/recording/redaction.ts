/** One character for each byte. (What the platform decodes as `latin1` is another encoding.) */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  // In parts, because the arguments of a call are limited.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/**
 * Overwrites secrets in the bytes of a stream by as many `x`, so that every offset stays.
 *
 * Secret are: the values of `viewer_url`, also in JSON within a JSON string, also without an end; the query and the
 * fragment of every address with a scheme, and its userinfo; what follows `Bearer`; and the strings given, as they
 * are, JSON-escaped and URL-encoded, also when they are cut off at the end.
 *
 * JSON stays JSON and UTF-8 stays UTF-8: an escape is overwritten as a whole or not at all, quotes that end a string
 * and line ends stay, and digits alone become `1`, so that a number stays one. A secret that is a word of the format
 * itself, such as `data` or `true`, destroys it all the same. Takes linear time.
 */
export function scrub(bytes: Uint8Array, secrets: readonly string[]): void {
  // Don't look for `\s` in it: the byte A0, a no-break space here, is a part of characters such as à.
  const text = latin1(bytes);

  /** After each match, overwrites what the sticky `token` finds, again and again; then goes on from there. */
  const scrubAfter = (place: RegExp, token: RegExp): void => {
    // No repeated group does this in one expression: it would run out of stack within megabytes of escapes.
    while (place.test(text)) {
      let at = place.lastIndex;
      for (token.lastIndex = at; token.test(text); at = token.lastIndex) bytes.fill(120, at, token.lastIndex);
      place.lastIndex = at;
    }
  };
  // The first class stands for spaces, the colon, and the `data:` of a further line.
  scrubAfter(/viewer_url"[\0- :adt]*"/g, /[^"\\\n\r]+|\\./y);
  scrubAfter(/viewer_url(\\+)"[\0- :adt]*\1"/g, /[^"\\\n\r]+|\\+[^"\\\n\r]/y);
  // Where an address is cut off, what is there may be userinfo.
  scrubAfter(/:(?:\\*\/){2}/g, /[^\0- "<>?#/]+(?=@|$)/y);
  // Escaped slashes and ampersands belong to a word, and no other escape does.
  const word = /[^\0- "<>\\]+|\\+(?:\/|u[\da-f]{4})/iy;
  scrubAfter(/:(?:\\*\/){2}[^\0- "<>?#]*[?#]?/g, word);
  scrubAfter(/bearer(?:%20|[\0- +]+)/gi, word);

  for (const form of new Set(secrets.flatMap(formsOf))) {
    const secret = latin1(new TextEncoder().encode(form));
    const scrubAt = (from: number, to: number): void => {
      // Starts within an escape? Then that goes too, with all backslashes that may belong to it.
      const escape = /(?<=(\\+(u[\da-f]{0,3})?))/iy;
      escape.lastIndex = from;
      const start = from - (escape.exec(text)?.[1]?.length ?? 0);
      const part = text.slice(start, to);
      const by = /[^\d"\s]/.test(part) ? 120 : 49;
      for (const { 0: unit, index } of part.matchAll(/\\.|[^"\\\n\r]/g)) {
        bytes.fill(by, start + index, start + index + unit.length);
      }
    };
    for (let at = 0; (at = text.indexOf(secret, at)) >= 0;) scrubAt(at, (at += secret.length));
    let cut = secret.length;
    while (!text.endsWith(secret.slice(0, --cut)));
    scrubAt(text.length - cut, text.length);
  }
}

/** Every way in which a secret may stand in a stream. */
function formsOf(secret: string): string[] {
  if (!secret) return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // A lone surrogate can't be URL-encoded: it is sent as U+FFFD.
  const url = encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(secret)));
  return [secret, json, ascii, ascii.replaceAll("/", "\\/"), url, url.replaceAll("%20", "+")];
}
