import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNode, LineCounter, parseDocument, type Document } from "yaml";
import { loadRequirements } from "./requirements.ts";

/**
 * Returns the line of `openapi.yaml` where the contract states each requirement, by the id of the requirement: that of the first place that
 * its row names, or of its operation. Requirements of neither are left out.
 */
export function contractLines(): ReadonlyMap<string, number> {
  const text = readFileSync(fileURLToPath(import.meta.resolve("@cloud-browser/spec/openapi.yaml")), "utf8");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const findLine = (offset: number): number => lines.linePos(offset).line;
  const rows = loadRequirements().requirements.flatMap(({ id, contract = {}, operation }): [string, number][] => {
    const [pointer] = Object.keys(contract);
    const offset = pointer === undefined ? text.indexOf(`operationId: ${operation}`) : findOffset(document, pointer);
    return offset === undefined || offset < 0 ? [] : [[id, findLine(offset)]];
  });
  return new Map(rows);
}

/** Returns the offset of the value of a JSON pointer, or of the nearest place above it that the document has. */
function findOffset(document: Document, pointer: string): number | undefined {
  const path = pointer
    .replace(/^#?\//, "")
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}
