/** Decodes each byte to one character. (`TextDecoder` has no such encoding: its `latin1` is windows-1252.) */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  // In parts, as the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/**
 * Redacts secrets in the bytes of a stream: overwrites each byte with `x`, so that offsets stay the same.
 *
 * Redacted are the values of `viewer_url`, also in JSON within a JSON string, also without an end; query, fragment and
 * userinfo of absolute URLs; bearer tokens; and the given strings, verbatim, JSON-escaped and URL-encoded, also when the
 * end of the stream cuts them off.
 *
 * JSON stays valid JSON and UTF-8 stays valid UTF-8: an escape is overwritten as a whole or not at all, closing quotes and
 * line ends stay, and numbers become `1`s. A secret that is a word of the format itself, such as `data` or `true`, destroys
 * it all the same. Takes linear time.
 */
export function redact(bytes: Uint8Array, secrets: readonly string[]): void {
  // `\s` must not be used on it: byte A0, here a no-break space, is part of characters such as à.
  const text = latin1(bytes);

  /** After each match of `place`, overwrites all consecutive matches of the sticky `token`. */
  const redactAfter = (place: RegExp, token: RegExp): void => {
    // One expression with a repeated group would overflow the stack on megabytes of escapes.
    while (place.test(text)) {
      let at = place.lastIndex;
      for (token.lastIndex = at; token.test(text); at = token.lastIndex) bytes.fill(120, at, token.lastIndex);
      place.lastIndex = at;
    }
  };
  // The first class matches spaces, the colon, and the `data:` of a further line.
  redactAfter(/viewer_url"[\0- :adt]*"/g, /[^"\\\n\r]+|\\./y);
  redactAfter(/viewer_url(\\+)"[\0- :adt]*\1"/g, /[^"\\\n\r]+|\\+[^"\\\n\r]/y);
  // A URL that is cut off may end within its userinfo.
  redactAfter(/:(?:\\*\/){2}/g, /[^\0- "<>?#/]+(?=@|$)/y);
  // Escaped slashes and ampersands are part of a word; other escapes end it.
  const word = /[^\0- "<>\\]+|\\+(?:\/|u[\da-f]{4})/iy;
  redactAfter(/:(?:\\*\/){2}[^\0- "<>?#]*[?#]?/g, word);
  redactAfter(/bearer(?:%20|[\0- +]+)/gi, word);

  for (const form of new Set(secrets.flatMap(formsOf))) {
    const secret = latin1(new TextEncoder().encode(form));
    const redactAt = (from: number, to: number): void => {
      // If it starts within an escape, the escape is overwritten, too, with all its backslashes.
      const escape = /(?<=(\\+(u[\da-f]{0,3})?))/iy;
      escape.lastIndex = from;
      const start = from - (escape.exec(text)?.[1]?.length ?? 0);
      const part = text.slice(start, to);
      const by = /[^\d"\s]/.test(part) ? 120 : 49;
      for (const { 0: unit, index } of part.matchAll(/\\.|[^"\\\n\r]/g)) {
        bytes.fill(by, start + index, start + index + unit.length);
      }
    };
    for (let at = 0; (at = text.indexOf(secret, at)) >= 0;) redactAt(at, (at += secret.length));
    let cut = secret.length;
    while (!text.endsWith(secret.slice(0, --cut)));
    redactAt(text.length - cut, text.length);
  }
}

/** All encodings in which a secret may occur in a stream. */
function formsOf(secret: string): string[] {
  if (!secret) return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // A lone surrogate can't be URL-encoded, and is sent as U+FFFD.
  const url = encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(secret)));
  return [secret, json, ascii, ascii.replaceAll("/", "\\/"), url, url.replaceAll("%20", "+")];
}
