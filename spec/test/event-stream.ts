/** Server-sent events as OpenAPI 3.2 has them validated: an item is a parsed event, and what a field holds is validated by `contentSchema`. */
import { getPart, listProblems } from "./contract.ts";

/** A parsed event. Source: HTML, § Parsing an event stream; OpenAPI 3.2, § Special Considerations for Server-Sent Events. */
export interface StreamItem {
  data: string;
  event?: string;
  id?: string;
  retry?: number;
}

/** Parses a whole stream: comments and unknown fields are left out, `data` lines are joined, what no blank line ends is dropped. */
export function parseItems(text: string): StreamItem[] {
  const items: StreamItem[] = [];
  const block: string[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    if (line !== "") block.push(line);
    else items.push(...parseItem(block.splice(0)));
  }
  return items;
}

function parseItem(lines: readonly string[]): StreamItem[] {
  const fields = lines.map((line) => /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []);
  const all = (name: string): string[] => fields.filter(([, field]) => field === name).map(([, , value = ""]) => value);
  const data = all("data");
  if (data.length === 0) return [];
  const item: StreamItem = { data: data.join("\n") };
  const [event, id, retry] = [all("event").at(-1), all("id").at(-1), all("retry").findLast((ms) => /^\d+$/.test(ms))];
  if (event !== undefined) item.event = event;
  if (id !== undefined) item.id = id;
  if (retry !== undefined) item.retry = Number(retry);
  return [item];
}

/** What is wrong with one item under the schema at a pointer: itself first, then what the strings in its fields hold. */
export function listItemProblems(pointer: string, item: StreamItem): string[] {
  const problems = listProblems(pointer, item);
  const contents = Object.entries(item).flatMap(([field, value]) => {
    const at = `${pointer}/properties/${field}`;
    if (getPart(`${at}/contentMediaType`) !== "application/json") return [];
    return listProblems(`${at}/contentSchema`, JSON.parse(String(value))).map((problem) => `${field}: ${problem}`);
  });
  return [...problems, ...contents];
}
