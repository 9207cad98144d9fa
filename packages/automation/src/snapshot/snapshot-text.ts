import { shorten } from "../quote.ts";
import type { AccessibleNode } from "./accessibility-tree.ts";

/** An accessibility tree as text. */
export interface SnapshotText {
  /** YAML, a line for each node. */
  readonly text: string;
  /** Number of omitted lines. */
  readonly leftOut: number;
}

/** Longest text of one node, in characters. */
const maxTextCharacters = 500;

/**
 * Formats a tree as Playwright does: YAML with states and references. If it is too long, the deepest levels are omitted first.
 *
 * @param hidden - Values to redact: those of password fields.
 */
export function writeSnapshot(
  nodes: readonly AccessibleNode[],
  { maxCharacters, depth, hidden }: { maxCharacters: number; depth: number | undefined; hidden: ReadonlySet<string> },
): SnapshotText {
  const lines = nodes.flatMap((node) => writeLines(node, 0, hidden));
  const deepest = lines.reduce((most, line) => Math.max(most, line.depth), 0);
  for (let limit = Math.min(depth ?? deepest, deepest); limit >= 0; limit -= 1) {
    const shallow = lines.filter((line) => line.depth <= limit);
    const size = shallow.reduce((sum, line) => sum + line.text.length + 1, 0);
    if (size <= maxCharacters || limit === 0 || size <= maxCharacters * 1.5) {
      const text = cutLines(shallow, maxCharacters);
      return { text: text.join("\n"), leftOut: lines.length - text.length };
    }
  }
  return { text: "", leftOut: 0 };
}

interface Line {
  readonly depth: number;
  readonly text: string;
}

function writeLines(node: AccessibleNode, depth: number, hidden: ReadonlySet<string>): Line[] {
  const indent = "  ".repeat(depth);
  const text = node.role === "textbox" && hidden.has(node.text) ? "(hidden)" : node.text;
  if (node.role === "text")
    return node.text === "" ? [] : [{ depth, text: `${indent}- text: ${writeScalar(node.text)}` }];
  const states = node.states.map((state) => ` [${state}]`).join("");
  const head = `${indent}- ${node.role}${node.name === "" ? "" : ` ${JSON.stringify(shorten(node.name, maxTextCharacters))}`}${states}${node.ref === "" ? "" : ` [ref=${node.ref}]`}`;
  const properties = node.properties.map(([name, value]) => ({
    depth: depth + 1,
    text: `${indent}  - /${name}: ${writeScalar(value)}`,
  }));
  if (properties.length === 0 && node.children.length === 0) {
    return [{ depth, text: text === "" ? head : `${head}: ${writeScalar(text)}` }];
  }
  const ownText = text === "" ? [] : [{ depth: depth + 1, text: `${indent}  - text: ${writeScalar(text)}` }];
  return [
    { depth, text: `${head}:` },
    ...properties,
    ...ownText,
    ...node.children.flatMap((child) => writeLines(child, depth + 1, hidden)),
  ];
}

function cutLines(lines: readonly Line[], maxCharacters: number): string[] {
  let left = maxCharacters;
  const texts: string[] = [];
  for (const { text } of lines) {
    left -= text.length + 1;
    if (left < 0) break;
    texts.push(text);
  }
  return texts;
}

function writeScalar(text: string): string {
  const short = shorten(text, maxTextCharacters);
  return /^[\p{L}\p{N}/#(][^:#"'{}[\]\n]*$/u.test(short) && short.trim() === short ? short : JSON.stringify(short);
}
