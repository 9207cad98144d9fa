/** Scans the next line of a JSON text, and returns the number of open brackets after it: see `createJsonPrefix`. */
export type JsonPrefix = (line: string) => number;

/** A punctuator, a string, or another literal. Finds the end of a string without a repeated group, which would overflow the stack. */
const tokens = /[{}[\]:,]|"[^]*?(?<!\\)(?:\\\\)*"|[^ \t{}[\]:,"]+|"/g;

/** First characters of a JSON value. */
const value = '{["-0123456789tfn';

/**
 * Creates a scanner that says, line by line and in linear time, whether the lines so far are a prefix of one JSON text.
 *
 * No token spans lines: a line end within a JSON string, number or literal is a syntax error.
 *
 * See RFC 8259.
 *
 * @returns a function that returns 0 when the lines are a complete value, the number of open brackets when they are a
 * prefix of one, and -1 when they are neither. It must not be called after 0 or -1, nor with a line of only white space.
 */
export function createJsonPrefix(): JsonPrefix {
  const closers: string[] = [];
  let expected = value; // first characters that the next token may have; a leading quote means a key

  return (line) => {
    for (const [token] of line.matchAll(tokens)) {
      const first = token.charAt(0);
      const closer = closers.at(-1);
      if (!expected.includes(first)) return -1;
      if (first === "{") {
        closers.push("}");
        expected = '"}';
      } else if (first === "[") {
        closers.push("]");
        expected = `${value}]`;
      } else if (first === ":") expected = value;
      else if (first === ",") expected = closer === "}" ? '"' : value;
      else {
        if (first === closer) closers.pop();
        else if (tryParse(token) === undefined) return -1;
        expected = first === expected[0] ? ":" : closers[0] ? `,${closers.at(-1)}` : "";
      }
    }
    return closers.length;
  };
}

/** Parses a JSON text; returns `undefined` when it is malformed or incomplete. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
