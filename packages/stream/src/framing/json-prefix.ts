/** Takes the next line of one JSON text, and tells how many brackets are open after it: see `createJsonPrefix`. */
export type JsonPrefix = (line: string) => number;

/** A mark, a string, or whatever else stands between them. Finds the end of a string without a repeated group: that takes stack. */
const tokens = /[{}[\]:,]|"[^]*?(?<!\\)(?:\\\\)*"|[^ \t{}[\]:,"]+|"/g;

/** First characters of a JSON value. */
const value = '{["-0123456789tfn';

/**
 * Tells, line by line and in linear time, whether lines can still become one JSON text when joined.
 *
 * No token spans lines: a line end inside a JSON string, number or literal is illegal.
 *
 * See RFC 8259.
 *
 * @returns a function that gives 0 when the lines are one whole value, the number of open brackets when they are the
 * beginning of one, and -1 when no line can mend them. After 0 and -1 it is used up; a line of white space alone is not for it.
 */
export function createJsonPrefix(): JsonPrefix {
  const closers: string[] = [];
  let expected = value; // what the next token may begin with; a quote in front stands for a key

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
        else if (parsed(token) === undefined) return -1;
        expected = first === expected[0] ? ":" : closers.length > 0 ? `,${closers.at(-1)}` : "";
      }
    }
    return closers.length;
  };
}

/** The value of a JSON text; `undefined` when it is none, or not all of one. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
