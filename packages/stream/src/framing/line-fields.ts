/** A field of a JSON object on one line, which is a string or another scalar. */
export interface LineField {
  /** The text between the value before, or the start of the line, and this value. */
  readonly before: string;
  /** Its key. */
  readonly key: string;
  /** Its value, as it is written. */
  readonly raw: string;
}

/** The fields of a `data` line, and the text after the last of them. */
export interface LineFields {
  /** The fields, in their order. */
  readonly fields: readonly LineField[];
  /** Text after the last value, without the line end. */
  readonly tail: string;
}

const opening = /data:[ \t]*\{/y;
const keyPart = /[ \t]*,?[ \t]*"([^"\\]*)"[ \t]*:[ \t]*/y;
const valuePart = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+/y;
const closing = /[ \t]*\}[ \t]*$/y;

/**
 * Splits a `data` line whose text JSON.parse accepts. It does not check the JSON itself.
 *
 * @returns undefined when the object is nested, or has a key with an escape.
 */
export function splitLine(line: string): LineFields | undefined {
  const fields: LineField[] = [];
  let from = 0;
  let at = opening.test(line) ? opening.lastIndex : line.length;
  for (;;) {
    keyPart.lastIndex = at;
    const [, key] = keyPart.exec(line) ?? [];
    if (key === undefined) break;
    valuePart.lastIndex = keyPart.lastIndex;
    const [raw] = valuePart.exec(line) ?? [];
    if (raw === undefined) return undefined;
    fields.push({ before: line.slice(from, keyPart.lastIndex), key, raw });
    from = at = valuePart.lastIndex;
  }
  closing.lastIndex = at;
  return closing.test(line) ? { fields, tail: line.slice(from) } : undefined;
}
