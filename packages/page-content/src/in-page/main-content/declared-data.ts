import { lowerWords } from "./lower-words.ts";

/** Facts in a page's JSON-LD that help to find its content. */
export interface DeclaredFacts {
  /** The names of types, as often as they occur. */
  types: string[];
  /** Runs of words of the bodies of articles and posts, for {@link declaredShare}. */
  runs: ReadonlySet<string>;
}

const runLength = 4;
const maxScriptLength = 300_000;
const maxBodyLength = 100_000;
const maxValues = 20_000;
const bodyNames = new Set(["articleBody", "text", "reviewBody"]);

/** Reads the JSON-LD of a page; malformed scripts are skipped. */
export function readDeclaredData(document: Document): DeclaredFacts {
  const types: string[] = [];
  const runs = new Set<string>();
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const text = script.textContent ?? "";
    if (text.length > maxScriptLength) continue;
    try {
      readValues(JSON.parse(text), types, runs);
    } catch {
      // Many pages declare something that is no JSON.
    }
  }
  return { types, runs };
}

/** The share of a text's runs of words that are declared as body; -1 when none is declared. */
export function declaredShare(text: string, { runs }: DeclaredFacts): number {
  if (runs.size === 0) return -1;
  const own = listRuns(lowerWords(text));
  let found = 0;
  for (const run of own) if (runs.has(run)) found += 1;
  return own.length === 0 ? 0 : found / own.length;
}

function readValues(root: unknown, types: string[], runs: Set<string>): void {
  const open: unknown[] = [root];
  for (let read = 0; open.length > 0 && read < maxValues; read += 1) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== "string") open.push(inner);
      else if (name === "@type") types.push(inner);
      else if (bodyNames.has(name) && runs.size < maxBodyLength) {
        const words = inner.slice(0, maxBodyLength).replace(/<[^>]{0,500}>/g, " ");
        for (const run of listRuns(lowerWords(words, maxBodyLength))) runs.add(run);
      }
    }
    if ("@type" in value && Array.isArray(value["@type"]))
      types.push(...value["@type"].filter((type) => typeof type === "string").slice(0, 5));
  }
}

function listRuns(words: string[]): string[] {
  if (words.length < runLength) return [];
  return words.slice(runLength - 1).map((_, at) => words.slice(at, at + runLength).join(" "));
}
