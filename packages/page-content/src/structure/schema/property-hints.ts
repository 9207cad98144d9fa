import type { Json } from "../../in-page/declared/declared-data.ts";
import { isRecord } from "../values/json.ts";
import { foldName, wordsOfName } from "../values/names.ts";

/** Words of a description that don't identify a property. */
const stopWords: ReadonlySet<string> = new Set(
  "the a an of this it in for on at as product page item article event".split(" "),
);

/** Returns keys that the title and a short description of a schema suggest for a property, without those of references. */
export function listHints(schema: Json | undefined): readonly string[] {
  if (!isRecord(schema)) return [];
  const { title, description } = schema;
  const words = typeof description === "string" ? wordsOfName(description).filter((word) => !stopWords.has(word)) : [];
  return [typeof title === "string" ? foldName(title) : "", words.length <= 3 ? words.join(" ") : ""].filter(Boolean);
}
