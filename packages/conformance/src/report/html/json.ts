import { parseJson } from "../../http/json.ts";

/** A line of a formatted JSON text. */
export interface JsonLine {
  /** The line as it is shown. */
  readonly text: string;
  /** JSON Pointer of the value that begins on this line; absent on closing lines. */
  readonly pointer?: string;
}

/** Maximum nesting that is formatted. */
const deepest = 40;

const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Lays a JSON text out, one member or element per line.
 *
 * Moves white space only: numbers, escapes, duplicate keys and their order stay as they came, because they may be the evidence.
 *
 * @returns The lines; undefined when the text is not JSON, or is nested too deeply to be read.
 */
export function jsonLines(text: string): readonly JsonLine[] | undefined {
  if (parseJson(text) === undefined) return undefined;
  const tokens = text.match(tokenPattern) ?? [];
  const lines: { text: string; pointer?: string }[] = [];
  let at = 0;
  const next = (): string => tokens[at++] ?? "";

  /** Writes a value; false when it is nested too deeply. */
  function writeValue(prefix: string, pointer: string, depth: number): boolean {
    const open = next();
    if (open !== "{" && open !== "[") {
      lines.push({ text: prefix + open, pointer });
      return true;
    }
    const close = open === "{" ? "}" : "]";
    if (tokens[at] === close) {
      lines.push({ text: prefix + open + next(), pointer });
      return true;
    }
    if (depth === deepest) return false;
    lines.push({ text: prefix + open, pointer });
    const inner = "  ".repeat(depth + 1);
    for (let index = 0; ; index += 1) {
      const key = open === "{" ? next() : undefined;
      if (key !== undefined) at += 1;
      const label = key === undefined ? inner : `${inner}${key}: `;
      if (!writeValue(label, `${pointer}/${key === undefined ? index : pointerPart(key)}`, depth + 1)) return false;
      if (next() !== ",") break;
      const last = lines.at(-1);
      if (last) last.text += ",";
    }
    lines.push({ text: "  ".repeat(depth) + close });
    return true;
  }

  return writeValue("", "", 0) ? lines : undefined;
}

function pointerPart(key: string): string {
  return String(JSON.parse(key)).replaceAll("~", "~0").replaceAll("/", "~1");
}
