/** Maximum nesting of JSON that is judged: ten times that of any response. Recursive code would overflow the stack on deeper values. */
export const maxJsonDepth = 1_000;

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Depth of the brackets in a JSON text. */
export interface Nesting {
  /** Largest number of brackets open at the same time. */
  readonly deepest: number;
  /** Brackets open at the end, less those closed without being open. */
  readonly depth: number;
  /** True when it ends within a string. */
  readonly quoted: boolean;
}

/** Measures how deeply a JSON text, or a part of one, is nested. The text need not be valid JSON. */
export function measureNesting(bytes: Uint8Array): Nesting {
  let [depth, deepest] = [0, 0];
  let quoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) quoted = !quoted;
    else if (quoted) at += byte === backslash ? 1 : 0;
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
  }
  return { deepest, depth, quoted };
}

/** Returns whether a value is an object and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
