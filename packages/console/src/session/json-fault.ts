import { parseTree, printParseErrorCode, type ParseError } from "jsonc-parser";

/** Returns the fault of a typed JSON Schema, with its place; undefined when it can be sent. */
export function findJsonFault(text: string): string | undefined {
  const faults: ParseError[] = [];
  const tree = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
  const [fault] = faults;
  if (fault) {
    const before = text.slice(0, fault.offset).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    return `Line ${before.length}, column ${column}: ${spell(printParseErrorCode(fault.error))}.`;
  }
  return tree?.type === "object" ? undefined : 'A JSON Schema is an object, such as { "type": "object" }.';
}

/** Writes the name of a fault as words: `ValueExpected` as "value expected". */
function spell(name: string): string {
  return name.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
