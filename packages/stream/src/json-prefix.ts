/** What a JSON text is after one more of its lines: unfinished, one whole value, or beyond repair. */
export type JsonPrefixState = "open" | "whole" | "broken";

/** Takes the next line of one JSON text, without its line end. After `whole` or `broken` it is used up. */
export type JsonPrefix = (line: string) => JsonPrefixState;

/** What the grammar allows next. */
type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "nothing";

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Tells, line by line and in linear time, whether lines can still become one JSON text when joined.
 *
 * No token spans lines: a line end inside a JSON string, number or literal is illegal.
 *
 * Source: ours, on RFC 8259.
 */
export function createJsonPrefix(): JsonPrefix {
  const closers: ("}" | "]")[] = [];
  let expected: Expected = "value";

  /** Position after the token that starts at `at`, or -1 when the grammar does not allow it there. */
  const token = (line: string, at: number): number => {
    const char = line[at];
    if (char === '"' && (expected === "key" || expected === "key-or-end")) {
      expected = "colon";
      return afterString(line, at);
    }
    if (char === ":" && expected === "colon") {
      expected = "value";
      return at + 1;
    }
    if (char === "," && expected === "comma-or-end") {
      expected = closers.at(-1) === "}" ? "key" : "value";
      return at + 1;
    }
    if (char === closers.at(-1) && expected.endsWith("-end")) {
      // "value-or-end" is only expected inside `[`, "key-or-end" only inside `{`: the closer always fits.
      closers.pop();
      expected = afterValue();
      return at + 1;
    }
    if (expected !== "value" && expected !== "value-or-end") return -1;
    if (char === "{" || char === "[") {
      closers.push(char === "{" ? "}" : "]");
      expected = char === "{" ? "key-or-end" : "value-or-end";
      return at + 1;
    }
    expected = afterValue();
    if (char === '"') return afterString(line, at);
    literal.lastIndex = at;
    return literal.test(line) ? literal.lastIndex : -1;
  };
  const afterValue = (): Expected => (closers.length === 0 ? "nothing" : "comma-or-end");

  return (line) => {
    for (let at = 0; at < line.length;) {
      if (line[at] === " " || line[at] === "\t") at++;
      else at = token(line, at);
      if (at === -1) return "broken";
    }
    return expected === "nothing" ? "whole" : "open";
  };
}

/** Position after the string that starts at `at`, or -1 when it does not end on this line. */
function afterString(line: string, at: number): number {
  for (let here = at + 1; here < line.length;) {
    const code = line.charCodeAt(here);
    if (code === 0x22) return here + 1;
    if (code < 0x20) return -1;
    if (code === 0x5c) {
      escape.lastIndex = here;
      if (!escape.test(line)) return -1;
      here = escape.lastIndex;
    } else here++;
  }
  return -1;
}
