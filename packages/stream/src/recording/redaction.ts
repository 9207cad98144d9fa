import {
  rawView,
  withoutEntities,
  withoutJsonEscapes,
  withoutPercentEncoding,
  type DecodedView,
} from "./decoded-view.ts";

/** Number of encodings within each other that are decoded: JSON in a string of JSON, in the query of a URL, and so on. */
const maxDepth = 4;

/**
 * Redacts secrets in the bytes of a stream: overwrites each byte with `x`, so that offsets stay the same.
 *
 * Redacted are the values of `viewer_url`, also without an end; userinfo, query and fragment of addresses, also of relative ones;
 * bearer tokens; and the given strings, also when the end of the stream cuts them off. They are looked for in the bytes as they are
 * and in what these mean, whatever wrote them: after the escapes of JSON, percent-encoding and entities of HTML, in each order, up to
 * four of them within each other. The given strings are found in hexadecimal and base64, too.
 *
 * JSON stays valid JSON and UTF-8 stays valid UTF-8: an escape is overwritten as a whole or not at all, closing quotes and
 * line ends stay, and numbers become `1`s. A secret that is a word of the format itself, such as `data` or `true`, destroys
 * it all the same. Takes linear time.
 */
export function redact(bytes: Uint8Array, secrets: readonly string[]): void {
  const forms = [...new Set(secrets.flatMap(listForms))];
  const marks = new Uint8Array(bytes.length);
  const raw = rawView(bytes);
  const texts: string[] = [];
  const visit = (view: DecodedView | undefined, depth: number): void => {
    if (!view || texts.includes(view.text)) return;
    texts.push(view.text);
    const mark = (from: number, to: number): void => {
      if (from < to) marks.fill(1, ...view.locateSource(from, to));
    };
    markValues(view.text, mark);
    markAddresses(view.text, mark);
    markTokens(view.text, mark);
    for (const form of forms) markSecret(view.text, form, mark);
    if (depth === maxDepth) return;
    visit(withoutJsonEscapes(view), depth + 1);
    visit(withoutPercentEncoding(view), depth + 1);
    visit(withoutEntities(view), depth + 1);
  };
  visit(raw, 0);
  for (let view = withoutJsonEscapes(raw), depth = 0; view && depth < maxDepth; depth++) {
    completeEscapes(view, marks);
    view = withoutJsonEscapes(view);
  }
  overwrite(bytes, marks, raw.text);
}

/** Marks a range of a text as secret. */
type Mark = (from: number, to: number) => void;

/** Marks the values of `viewer_url`, however its letters are escaped. */
function markValues(text: string, mark: Mark): void {
  for (const { 0: key, index } of text.matchAll(viewerUrl())) {
    const from = index + key.length;
    let to = from;
    // One expression with a repeated group would overflow the stack on megabytes of escapes.
    for (stringPart.lastIndex = from; stringPart.test(text);) to = stringPart.lastIndex;
    mark(from, to);
  }
}

/** Returns what finds the name of `viewer_url`, up to its value. A constant would not be tree-shaken. */
function viewerUrl(): RegExp {
  const letters = Array.from("viewer_url", (letter) => `(?:${letter}|\\\\u00${letter.charCodeAt(0).toString(16)})`);
  // The class matches spaces, the colon, and the `data:` of a further line.
  return new RegExp(`${letters.join("")}"[\\0- :adt]*"`, "gi");
}

const stringPart = /[^"\\\n\r]+|\\[^\n\r]/y;

/** Marks userinfo, query and fragment of addresses: a query, too, that no slash precedes, when it has an equals sign. */
function markAddresses(text: string, mark: Mark): void {
  for (const { index } of text.matchAll(/\/\//g)) {
    const isCut = text[index - 1] === ":";
    userinfo.lastIndex = index + 2;
    const [found = ""] = userinfo.exec(text) ?? [];
    const at = found.lastIndexOf("@");
    const end = index + 2 + found.length;
    // An address that is cut off may end within its userinfo.
    mark(index + 2, isCut && end === text.length ? end : index + 2 + Math.max(0, at));
  }
  let before = 0;
  for (const found = /[?#]/g; found.test(text);) {
    const first = found.lastIndex - 1;
    let start = first;
    while (start > before && !endsWord(text.charCodeAt(start - 1))) start--;
    word.lastIndex = first;
    word.test(text);
    before = found.lastIndex = word.lastIndex;
    const address = text.slice(start, before);
    const slash = address.indexOf("=", first - start) < 0 ? address.indexOf("/") : 0;
    const query = slash < 0 ? -1 : address.slice(slash).search(/[?#]/);
    if (query >= 0) mark(start + slash + query + 1, before);
  }
}

/** Returns whether a character does not belong to a word, as the pattern `word` says. */
function endsWord(code: number): boolean {
  return code <= 32 || code === 34 || code === 60 || code === 62 || code === 92;
}

const userinfo = /[^\0- "<>?#/\\]+/y;
const word = /[^\0- "<>\\]+/y;

/** Marks bearer tokens. */
function markTokens(text: string, mark: Mark): void {
  // oxlint-disable-next-line no-control-regex -- it matches control characters, but line ends
  for (const { 0: scheme, index } of text.matchAll(/bearer[\0-\t\v\f\x0e- +]+/gi)) {
    word.lastIndex = index + scheme.length;
    mark(word.lastIndex, word.lastIndex + (word.exec(text)?.[0].length ?? 0));
  }
}

/** Marks each occurrence of a secret, and its beginning at the end. */
function markSecret(text: string, secret: string, mark: Mark): void {
  for (let at = 0; (at = text.indexOf(secret, at)) >= 0; at += secret.length) mark(at, at + secret.length);
  let cut = secret.length;
  while (!text.endsWith(secret.slice(0, --cut)));
  mark(text.length - cut, text.length);
}

/** Length from which the base64 or hexadecimal form of a secret is no ordinary text. */
const minEncodedLength = 6;

/**
 * Returns a secret in UTF-8, one character a byte: as it is, as forms write its spaces, in hexadecimal, and in base64 wherever it
 * stands in it. A lone surrogate is sent as U+FFFD.
 */
function listForms(secret: string): string[] {
  if (!secret) return [];
  const [own = "", form = ""] = [secret, secret.replaceAll(" ", "+")].map(
    (text) => rawView(new TextEncoder().encode(text)).text,
  );
  const hex = Array.from(own, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const encoded = [0, 1, 2].flatMap((before) => {
    const end = Math.floor(((before + own.length) * 8) / 6); // what follows depends on more than the secret
    const text = btoa("\0".repeat(before) + own).slice(Math.ceil((before * 8) / 6), end);
    return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [own, form, ...[hex, hex.toUpperCase(), ...encoded].filter(({ length }) => length >= minEncodedLength)];
}

/** Marks escapes as a whole of which a part is marked. */
function completeEscapes(view: DecodedView, marks: Uint8Array): void {
  const complete = (at: number): void => {
    const place = view.findPosition(at);
    marks.fill(1, ...view.locateSource(place, place + 1));
  };
  for (let from = 0; (from = marks.indexOf(1, from)) >= 0;) {
    complete(from);
    // To complete one may join it with the next range, whose end then is to be completed.
    do {
      const next = marks.indexOf(0, from);
      from = next < 0 ? marks.length : next;
      complete(from - 1);
    } while (marks[from]);
  }
}

/** Overwrites marked bytes, except quotes and line ends that are not escaped. */
function overwrite(bytes: Uint8Array, marks: Uint8Array, text: string): void {
  for (let from = 0; (from = marks.indexOf(1, from)) >= 0;) {
    const next = marks.indexOf(0, from);
    const to = next < 0 ? bytes.length : next;
    const part = text.slice(from, to);
    const by = /\d/.test(part) && !/[^\d"\s.eE+-]/.test(part) ? 49 : 120;
    for (const { 0: unit, index } of part.matchAll(/\\[^\n\r]|[^"\n\r]/g)) {
      bytes.fill(by, from + index, from + index + unit.length);
    }
    from = to;
  }
}
