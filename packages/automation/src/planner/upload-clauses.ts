import { unquote, dropFileWord } from "./clause-names.ts";
import type { Instruction } from "./instruction.ts";
import { isOneName } from "./limits.ts";
import { Quotations } from "./quotations.ts";

/** Reads an upload. A text that looks like a file name is never the name of a field. */
export function readUploadClause(files = "", field?: string): Instruction | undefined {
  const quotations = new Quotations();
  const list = quotations.maskQuotations(files).replace(/^(?:the\s)?files?\s(?!$)/iu, "");
  const names = list
    .split(/\s?,\s?(?:and\s)?|\sand\s/iu)
    .map((one) => quotations.restore(one.replace(/^(?:the\sfile|the)\s/iu, "")));
  const isRead = names.every((name) => isOneName(name)) && new Set(names).size === names.length;
  if (!isRead || (field !== undefined && (!isOneName(dropFileWord(field)) || /\S\.\w{1,5}$/u.test(field))))
    return undefined;
  return {
    verb: "upload",
    files: names.map(unquote),
    ...(field === undefined ? {} : { field: unquote(dropFileWord(field)) }),
  };
}
